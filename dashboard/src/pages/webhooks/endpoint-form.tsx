import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { attemptKey, bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

export function EndpointForm({ onMade }: { onMade: (endpoint: Schemas['NewWebhookEndpoint']) => void }) {
  const api = useApi();
  const key = useRef(attemptKey());
  const creation = useAction(
    (body: Schemas['CreateWebhookEndpoint']) => bodyOf(api.POST('/v4/webhooks', { params: { header: { 'Idempotency-Key': key.current } }, body })),
    'The endpoint is registered.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { url = '', events = '', description, secrets } = fieldsOf(event.currentTarget);
    const body = { url, events: events.split(/[\s,]+/).filter(Boolean), description: description || null, include_secrets: secrets === 'on' };
    creation.mutate(body, { onSuccess: onMade, onError: () => (key.current = attemptKey()) });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="url" label="Address" description="https in live mode" type="url" required data-autofocus placeholder="https://example.com/webhooks" />
        <Textarea name="events" label="Events" description="Types or patterns, such as transaction.* or * for all" required defaultValue="*" autosize minRows={1} />
        <TextInput name="description" label="Description" />
        <Checkbox name="secrets" label="Send meter tokens and PINs whole" description="They are cash. Leave it off unless your system hands them out." />
        <ProblemAlert error={creation.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending}>
            Register endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

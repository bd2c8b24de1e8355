import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';

/** `onDone`: it was made, but the answer with its secret got lost; its page shows the secret. */
export function EndpointForm({
  onMade,
  onDone,
}: {
  onMade: (endpoint: Schemas['NewWebhookEndpoint']) => void;
  onDone: () => void;
}) {
  const api = useApi();
  const creation = useSending(
    'endpoint',
    (body: Schemas['CreateWebhookEndpoint'], key) =>
      bodyOf(api.POST('/v4/webhooks', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The endpoint is registered.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { url = '', events = '', description, secrets } = fieldsOf(event.currentTarget);
    const body = {
      url,
      events: events.split(/[\s,]+/).filter(Boolean),
      description: description || null,
      include_secrets: secrets === 'on',
    };
    creation.mutate(body, { onSuccess: onMade });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="url"
          label="Address"
          description="https in live mode"
          type="url"
          required
          data-autofocus
          placeholder="https://example.com/webhooks"
        />
        <Textarea
          name="events"
          label="Events"
          description="Types or patterns, such as transaction.* or * for all"
          required
          defaultValue="*"
          autosize
          minRows={1}
        />
        <TextInput name="description" label="Description" />
        <Checkbox
          name="secrets"
          label="Send meter tokens and PINs whole"
          description="They are cash. Leave it off unless your system hands them out."
        />
        <SendingAlert sending={creation} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" {...creation.button}>
            Register endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useAheadMs } from '../../session/use-sandbox';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';

const WHICH = [
  { value: 'failed', label: 'those that failed' },
  { value: 'missing', label: 'those that were never sent here' },
  { value: 'all', label: 'all' },
];

/** Sends events of a time again. First it is counted, so that nobody floods a receiver by a slip. */
export function ReplayForm({ endpointId }: { endpointId: string }) {
  const api = useApi();
  const aheadMs = useAheadMs();
  const [counted, setCounted] = useState<Schemas['ReplayEvents'] | null>(null);
  const path = { id: endpointId };
  const count = useAction((wanted: Schemas['ReplayEvents']) =>
    bodyOf(api.POST('/v4/webhooks/{id}/replay', { params: { path }, body: { ...wanted, dry_run: true } })),
  );
  const replay = useSending(
    `replay ${endpointId}`,
    (body: Schemas['ReplayEvents'], key) =>
      bodyOf(api.POST('/v4/webhooks/{id}/replay', { params: { path, header: { 'Idempotency-Key': key } }, body })),
    'The replay has begun.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { from = '', to = '', only } = fieldsOf(event.currentTarget);
    const wanted = { created_gte: `${from}:00.000Z`, created_lt: `${to}:00.000Z`, only: only as 'failed' };
    replay.reset();
    count.mutate(wanted, { onSuccess: () => setCounted(wanted) });
  }
  return (
    <details>
      <summary>Replay events</summary>
      <form onSubmit={submit}>
        <Stack mt="xs">
          <Group align="flex-end" gap="xs">
            <LastDay key={aheadMs} aheadMs={aheadMs} />
            <NativeSelect name="only" label="Which" data={WHICH} />
            <Button type="submit" variant="default" loading={count.isPending}>
              Count them
            </Button>
          </Group>
          <ProblemAlert error={count.error} />
          <SendingAlert sending={replay} />
          {count.data && counted && !replay.data && (
            <Alert variant="outline" color="teal" title={`${count.data.count ?? 0} events would be sent`}>
              <Button
                size="xs"
                {...replay.button}
                disabled={count.data.count === 0 || replay.button.disabled}
                onClick={() => replay.mutate(counted)}
              >
                Replay them
              </Button>
            </Alert>
          )}
          {replay.data && <Text size="sm">The replay runs; its deliveries show below.</Text>}
        </Stack>
      </form>
    </details>
  );
}

/** Of the account's clock: filled in anew once that is known, and when it is moved. */
function LastDay({ aheadMs }: { aheadMs: number }) {
  const [now] = useState(() => Date.now() + aheadMs);
  const dates = { type: 'datetime-local', required: true };
  return (
    <>
      <TextInput {...dates} name="from" label="From (UTC)" defaultValue={minute(now - 86_400_000)} />
      <TextInput {...dates} name="to" label="Before (UTC)" defaultValue={minute(now + 60_000)} />
    </>
  );
}

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { disabledText } from './failure-text';
import { When } from '../../ui/when';

type Endpoint = Schemas['WebhookEndpoint'];

const PATIENCE_MS = 5 * 86_400_000;

/** What is wrong with an endpoint, since when, what it missed, and the way back. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { failing_since } = endpoint.health;
  if (endpoint.status === 'disabled') return <Disabled endpoint={endpoint} />;
  if (!failing_since) return null;
  const until = new Date(Date.parse(failing_since) + PATIENCE_MS).toISOString();
  return (
    <Alert color="red" variant="outline" title="It fails now">
      <Text size="sm">
        Nothing has got through since <When at={failing_since} />. Attempts go on; if none succeeds, the endpoint is
        disabled after <When at={until} />. The next success ends that.
      </Text>
    </Alert>
  );
}

function Disabled({ endpoint }: { endpoint: Endpoint }) {
  const { disabled_reason, disabled_at } = endpoint;
  const { hasScope } = useMay();
  return (
    <Alert color="red" variant="outline" title="Disabled">
      <Stack gap="xs">
        <Text size="sm">
          {disabledText(disabled_reason ?? '')} Nothing is sent here since <When at={disabled_at} />.
        </Text>
        {hasScope('webhooks:write') && <Recovery endpointId={endpoint.id} />}
      </Stack>
    </Alert>
  );
}

/** Counts what was missed, enables, and sends what was counted. */
function Recovery({ endpointId }: { endpointId: string }) {
  const api = useApi();
  const mode = useMode();
  const path = { id: endpointId };
  const missed = useQuery({
    queryKey: [mode, 'missed', endpointId],
    queryFn: () => bodyOf(api.GET('/v4/webhooks/{id}/missed', { params: { path } })),
  });
  const enable = useAction(
    () => api.POST('/v4/webhooks/{id}/enable', { params: { path } }),
    'The endpoint is enabled.',
  );
  // A replay goes to a disabled endpoint, too: it comes first, so that what is missed is asked for while that is known.
  const recover = useSending(
    `recover ${endpointId}`,
    async (body: Schemas['ReplayEvents'], key) => {
      const send = (of: Schemas['ReplayEvents'], name: string) =>
        api.POST('/v4/webhooks/{id}/replay', { params: { path, header: { 'Idempotency-Key': name } }, body: of });
      await send(body, key);
      const { missed: since } = await bodyOf(api.POST('/v4/webhooks/{id}/enable', { params: { path } }));
      // What came between the two.
      if (since && since.count > 0) await send(since.replay, `${key}-rest`);
    },
    'The endpoint is enabled, and gets what it missed.',
  );
  const { count = 0, replay } = missed.data ?? {};
  return (
    <>
      <ProblemAlert error={missed.error ?? enable.error} />
      <SendingAlert sending={recover} />
      {missed.isPending && <Loading label="missed events" />}
      {missed.data && (
        <Text size="sm">
          {count === 0
            ? 'It missed no events.'
            : `It missed ${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}.`}
        </Text>
      )}
      <Group gap="xs">
        {replay && count > 0 && (
          <Button size="xs" {...recover.button} onClick={() => recover.mutate(replay)}>
            Enable and send what it missed
          </Button>
        )}
        <Button size="xs" variant="default" loading={enable.isPending} onClick={() => enable.mutate(undefined)}>
          Enable
        </Button>
      </Group>
    </>
  );
}

import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { JsonBlock } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';

const POLL_MS = 2_000;

/** One event to one endpoint: what was sent, and what each attempt was answered with. */
export function DeliveryPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const path = { params: { path: { id } } };
  const delivery = useQuery({
    queryKey: [mode, 'delivery', id],
    queryFn: () => bodyOf(api.GET('/v4/webhooks/deliveries/{id}', path)),
    refetchInterval: (query) => (query.state.data?.completed_at ? false : POLL_MS),
  });
  const retry = useAction(() => api.POST('/v4/webhooks/deliveries/{id}/retry', path), 'It is sent again.');
  const { data, error } = delivery;
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="delivery" />;
  return (
    <Stack>
      <PageHead title={`Delivery of ${data.event_type}`}>
        {hasScope('webhooks:write') && (
          <Button loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
            Send again
          </Button>
        )}
      </PageHead>
      <ProblemAlert error={retry.error} />
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {data.id}
            </span>,
          ],
          ['Status', <StatusBadge key="status" status={data.status} />],
          ['Event', <IdLink key="event" id={data.event_id} />],
          ['Endpoint', <IdLink key="endpoint" id={data.endpoint_id} />],
          ['Attempts', data.attempt_count],
          ['Next attempt', timeText(data.next_attempt_at)],
          ['A replay', data.is_replay ? 'yes' : 'no'],
          ['Ended', timeText(data.completed_at)],
        ]}
      />
      <Sent eventId={data.event_id} />
      <Attempts attempts={data.attempts} />
    </Stack>
  );
}

function Sent({ eventId }: { eventId: string }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'event', eventId],
    queryFn: () => bodyOf(api.GET('/v4/events/{id}', { params: { path: { id: eventId } } })),
  });
  return (
    <section aria-labelledby="request-title">
      <Title order={2} size="h4" id="request-title" mb="xs">
        Request
      </Title>
      <Text size="sm" mb="xs">
        POST with <code>webhook-id: {eventId}</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>{' '}
        of the attempt, and the event as its body:
      </Text>
      <ProblemAlert error={error} />
      {data && <JsonBlock label="The event as sent" value={data} />}
    </section>
  );
}

function Attempts({ attempts }: { attempts: readonly Schemas['DeliveryAttempt'][] }) {
  return (
    <section aria-labelledby="attempts-title">
      <Title order={2} size="h4" id="attempts-title" mb="xs">
        Responses
      </Title>
      {attempts.length === 0 && <Text c="dimmed">Not sent yet.</Text>}
      <ol className="timeline">
        {attempts.map(({ number, code, http_status, duration_ms, url, response_body, created_at }) => (
          <li key={number}>
            <Text fw={600} component="span">
              {http_status ? `HTTP ${http_status}` : code.replaceAll('_', ' ')}
            </Text>{' '}
            <Text size="sm" c="dimmed" component="span">
              {timeText(created_at)} · {duration_ms} ms · to {url}
            </Text>
            {response_body ? (
              <JsonBlock label={`Answer to attempt ${number}`} value={response_body} />
            ) : (
              <Text size="sm">No body.</Text>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { JsonBlock } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { Attempts } from './attempts';
import { Ago, When } from '../../ui/when';
import { useAheadMs } from '../../session/use-sandbox';

const POLL_MS = 2_000;

/** One event to one endpoint: what was sent, and what each attempt was answered with. */
export function DeliveryPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const navigate = useNavigate();
  const { hasScope } = useMay();
  const path = { params: { path: { id } } };
  const delivery = useQuery({
    queryKey: [mode, 'delivery', id],
    queryFn: () => bodyOf(api.GET('/v4/webhooks/deliveries/{id}', path)),
    refetchInterval: (query) => (query.state.data?.completed_at ? false : POLL_MS),
  });
  const retry = useAction(() => bodyOf(api.POST('/v4/webhooks/deliveries/{id}/retry', path)), 'It is sent again.');
  const { data, error } = delivery;
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="delivery" />;
  // It is a delivery of its own, with a page of its own.
  const sendAgain = () =>
    retry.mutate(undefined, {
      onSuccess: (made) => void navigate({ to: '/$mode/deliveries/$id', params: { mode, id: made.id } }),
    });
  return (
    <Stack>
      <PageHead title={`Delivery of ${data.event_type}`}>
        {hasScope('webhooks:write') && (
          <Button loading={retry.isPending} onClick={sendAgain}>
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
          ['Next attempt', <NextAttempt key="next" at={data.next_attempt_at} />],
          ['A replay', data.is_replay ? 'yes' : 'no'],
          ['Ended', <When key="ended" at={data.completed_at} />],
        ]}
      />
      <section aria-labelledby="attempts-title">
        <Title order={2} size="h4" id="attempts-title" mb="xs">
          Attempts
        </Title>
        <Attempts attempts={data.attempts} />
      </section>
      <Sent eventId={data.event_id} />
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
        Body
      </Title>
      <Text size="sm" mb="xs">
        Each attempt posts the event; masked here is what an endpoint is sent whole when it asks for it.
      </Text>
      <ProblemAlert error={error} />
      {data && <JsonBlock label="The event as sent" value={data} />}
    </section>
  );
}

function NextAttempt({ at }: { at: string | null }) {
  const aheadMs = useAheadMs();
  if (at === null) return <>–</>;
  return (
    <>
      <Ago at={at} aheadMs={aheadMs} /> (<When at={at} aheadMs={aheadMs} />)
    </>
  );
}

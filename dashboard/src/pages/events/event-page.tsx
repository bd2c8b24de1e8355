import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { JsonBlock } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { AnchorLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { Attempts } from '../webhooks/attempts';
import { When } from '../../ui/when';
import { Story } from '../story/story';

const POLL_MS = 3_000;

/** One event: what it says, and to whom it was sent with which answers. */
export function EventPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const { data, error } = useQuery({
    queryKey: [mode, 'event', id],
    queryFn: () => bodyOf(api.GET('/v4/events/{id}', { params: { path: { id } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="event" />;
  return (
    <Stack gap="lg">
      <PageHead title={data.type} />
      <Facts
        items={[
          [
            'Id',
            <span key="id" className="id">
              {data.id}
            </span>,
          ],
          [
            'Type',
            <AnchorLink
              key="type"
              to="/$mode/webhooks/catalogue"
              params={{ mode }}
              search={{ type: data.type } as never}
            >
              {data.type}
            </AnchorLink>,
          ],
          ['About', <IdLink key="about" id={String(data.data.object.id ?? '')} />],
          ['Request', <IdLink key="request" id={data.request.id} />],
          ['At', <When key="at" at={data.created_at} />],
        ]}
      />
      <Story id={id} />
      <JsonBlock label="The event as JSON" value={data} />
      {hasScope('webhooks:read') && <Deliveries eventId={id} />}
    </Stack>
  );
}

function Deliveries({ eventId }: { eventId: string }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'event-deliveries', eventId],
    queryFn: () =>
      bodyOf(api.GET('/v4/events/{id}/deliveries', { params: { path: { id: eventId }, query: { limit: 100 } } })),
    refetchInterval: ({ state }) => (state.data?.data.every((one) => one.completed_at) ? false : POLL_MS),
  });
  return (
    <section aria-labelledby="deliveries-title">
      <Title order={2} size="h4" id="deliveries-title" mb="xs">
        Deliveries
      </Title>
      <ProblemAlert error={error} />
      {!data && !error && <Loading label="deliveries" />}
      {data?.data.length === 0 && (
        <Text c="dimmed">
          It was sent to no endpoint. An endpoint’s page says why, when its deliveries are narrowed to this event.
        </Text>
      )}
      {data?.next_cursor && <Text size="sm">The newest 100; an endpoint’s page has the others.</Text>}
      <Stack>
        {data?.data.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </Stack>
    </section>
  );
}

function Delivery({ delivery }: { delivery: Schemas['DeliveryDetails'] }) {
  const { id, endpoint_id, status, attempts, next_attempt_at, is_replay } = delivery;
  return (
    <article aria-label={`Delivery ${id}`}>
      <Group gap="xs" mb="xs">
        <StatusBadge status={status} />
        <IdLink id={id} />
        <Text size="sm" component="span">
          to <IdLink id={endpoint_id} />
          {is_replay && ', a replay'}
        </Text>
        {next_attempt_at && (
          <Text size="sm" component="span">
            next attempt <When at={next_attempt_at} />
          </Text>
        )}
      </Group>
      <Attempts attempts={attempts} />
    </article>
  );
}

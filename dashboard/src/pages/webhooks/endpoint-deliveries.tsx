import { Alert, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Schemas } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { isNarrowed } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';

const POLL_MS = 3_000;
const STATUSES = [
  'pending',
  'retrying',
  'delivered',
  'exhausted',
  'disabled',
  'aborted',
] as const satisfies readonly Schemas['WebhookDelivery']['status'][];
const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES },
  { name: 'type', label: 'Type', whole: true },
  {
    name: 'http_status',
    label: 'Answer',
    problem: (text) => (/^[1-5]\d\d$/.test(text) ? null : 'A status such as 503'),
  },
  { name: 'event_id', label: 'Event id', whole: true },
];

/** What was sent to an endpoint, narrowed by what stands in the address. */
export function EndpointDeliveries({ endpointId }: { endpointId: string }) {
  const mode = useMode();
  const api = useApi();
  const { status, type, http_status, event_id } = useFilters();
  const wanted = { status: STATUSES.find((word) => word === status), type, http_status, event_id };
  const list = usePages(
    [mode, 'deliveries', endpointId, wanted],
    (cursor) =>
      bodyOf(
        api.GET('/v4/webhooks/{id}/deliveries', { params: { path: { id: endpointId }, query: { ...wanted, cursor } } }),
      ),
    { refetchInterval: POLL_MS },
  );
  const isFiltered = isNarrowed(wanted);
  return (
    <section aria-labelledby="deliveries-title">
      <Title order={2} size="h4" id="deliveries-title" mb="xs">
        Deliveries
      </Title>
      <FilterBar fields={FILTERS} />
      {event_id && !list.isPending && list.rows.length === 0 && (
        <WhyNotSent endpointId={endpointId} eventId={event_id} />
      )}
      <PagedTable
        caption="Deliveries"
        list={list}
        keyOf={({ id }) => id}
        empty={isFiltered ? 'No deliveries match.' : 'Nothing was sent here yet. Send a test event to see one.'}
        columns={[
          {
            title: 'Event',
            place: 'what',
            cell: ({ id, event_type }) => (
              <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }}>
                {event_type}
              </AnchorLink>
            ),
          },
          { title: 'Event id', cell: ({ event_id: of }) => <IdLink id={of} /> },
          { title: 'Status', place: 'state', cell: ({ status: word }) => <StatusBadge status={word} /> },
          { title: 'Attempts', cell: ({ attempt_count }) => attempt_count, numeric: true },
          { title: 'Last answer', place: 'who', cell: answerText },
          { title: 'Next attempt', cell: ({ next_attempt_at }) => <When at={next_attempt_at} /> },
          { title: 'Created', place: 'time', cell: ({ created_at }) => <When at={created_at} /> },
        ]}
      />
    </section>
  );
}

const answerText = ({ last_http_status, last_code }: Schemas['WebhookDelivery']): string =>
  last_http_status ? `HTTP ${last_http_status}` : (last_code?.replaceAll('_', ' ') ?? '–');

/** Of an event that has no delivery to this endpoint. */
function WhyNotSent({ endpointId, eventId }: { endpointId: string; eventId: string }) {
  const mode = useMode();
  const api = useApi();
  const { data } = useQuery({
    queryKey: [mode, 'not-sent', endpointId, eventId],
    queryFn: () =>
      bodyOf(
        api.GET('/v4/webhooks/{id}/deliveries', { params: { path: { id: endpointId }, query: { event_id: eventId } } }),
      ),
  });
  if (!data?.not_sent) return null;
  return (
    <Alert variant="outline" color="teal" title="This event was not sent here" mb="xs">
      {data.not_sent.detail}
    </Alert>
  );
}

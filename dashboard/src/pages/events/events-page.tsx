import { bodyOf, type Schemas } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField, useFilters } from '../../ui/filters';
import { ButtonLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { dayStartIn } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { useTimeZone } from '../../ui/use-time-zone';
import { When } from '../../ui/when';

const FILTERS: readonly FilterField[] = [
  { name: 'type', label: 'Type', whole: true },
  {
    name: 'delivery_success',
    label: 'Delivered',
    options: [
      { value: 'true', label: 'to all' },
      { value: 'false', label: 'not to all' },
    ],
  },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

export function EventsPage() {
  const mode = useMode();
  const api = useApi();
  const timeZone = useTimeZone();
  const { type, delivery_success, from, to } = useFilters();
  const wanted = {
    type: type as Schemas['Event']['type'] | undefined,
    delivery_success: delivery_success === undefined ? undefined : delivery_success === 'true',
    created_gte: dayStartIn(timeZone ?? 'UTC', from),
    created_lt: dayStartIn(timeZone ?? 'UTC', to, 1),
  };
  const list = usePages(
    [mode, 'events', wanted],
    (cursor) => bodyOf(api.GET('/v4/events', { params: { query: { ...wanted, cursor } } })),
    { enabled: timeZone !== undefined, live: ['*'] },
  );
  return (
    <>
      <PageHead title="Events">
        <ButtonLink variant="default" to="/$mode/webhooks/catalogue" params={{ mode }}>
          Event catalogue
        </ButtonLink>
      </PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Events"
        list={list}
        keyOf={({ id }) => id}
        empty="No events match."
        columns={[
          { title: 'Event', cell: ({ id }) => <IdLink id={id} /> },
          { title: 'Type', cell: ({ type: word }) => word },
          { title: 'About', cell: ({ data }) => <IdLink id={String(data.object.id ?? '')} /> },
          { title: 'Request', cell: ({ request }) => <IdLink id={request.id} /> },
          { title: 'At', cell: ({ created_at }) => <When at={created_at} /> },
        ]}
      />
    </>
  );
}

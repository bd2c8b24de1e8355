import { bodyOf, type Schemas } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, flagOf, useDays } from '../../ui/list-filters';
import { ButtonLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
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
  ...DAY_FILTERS,
];

export function EventsPage() {
  const mode = useMode();
  const api = useApi();
  const { days, isZoneKnown } = useDays();
  const { type, delivery_success } = useFilters();
  const wanted = {
    type: type as Schemas['Event']['type'] | undefined,
    delivery_success: flagOf(delivery_success),
    ...days,
  };
  const list = usePages(
    [mode, 'events', wanted],
    (cursor) => bodyOf(api.GET('/v4/events', { params: { query: { ...wanted, cursor } } })),
    { enabled: isZoneKnown, live: ['*'] },
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

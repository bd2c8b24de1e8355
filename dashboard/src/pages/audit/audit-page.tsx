import { Button } from '@mantine/core';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS } from '../../ui/list-filters';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { dayStartIn, timeTextIn } from '../../ui/time';
import { usePages } from '../../ui/use-pages';
import { useTimeZone } from '../../ui/use-time-zone';

const FIELDS: readonly FilterField[] = [
  { name: 'actor', label: 'Who' },
  { name: 'action', label: 'What' },
  { name: 'target', label: 'On (id)', whole: true },
  { name: 'ip', label: 'From (address)' },
  ...DAY_FILTERS,
];

/** Who did what at this dashboard. */
export function AuditPage() {
  const timeZone = useTimeZone();
  const zone = timeZone ?? 'UTC';
  const { actor, action, target, ip, from, to } = useFilters();
  const filter = {
    actor,
    action,
    target,
    ip,
    created_gte: dayStartIn(zone, from),
    created_lt: dayStartIn(zone, to, 1),
  };
  const list = usePages(
    ['audit-log', filter],
    (cursor) => bodyOf(dashboardApi.GET('/audit-log', { params: { query: { ...filter, cursor } } })),
    { enabled: timeZone !== undefined },
  );
  const set = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return (
    <>
      <PageHead title="Audit log">
        {timeZone && (
          <Button
            component="a"
            variant="default"
            href={`/dashboard/api/audit-log/export?${new URLSearchParams(set).toString()}`}
            download
          >
            Download CSV
          </Button>
        )}
      </PageHead>
      <FilterBar fields={FIELDS} />
      <PagedTable
        caption="Audit log"
        list={list}
        keyOf={({ id }) => id}
        empty="Nothing was done that these filters let through."
        columns={[
          { title: 'At', cell: ({ at }) => timeTextIn(zone, at), place: 'time' },
          { title: 'Who', cell: ({ actor: who }) => who, place: 'who' },
          { title: 'What', cell: ({ action: what }) => what.replaceAll(/[._]/g, ' '), place: 'what' },
          { title: 'On', cell: ({ target: on }) => <IdLink id={on} /> },
          { title: 'From', cell: ({ ip: address }) => address ?? '–', place: 'state' },
          { title: 'Detail', cell: ({ detail }) => <span className="id">{detailText(detail)}</span> },
        ]}
      />
    </>
  );
}

function detailText(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return detail ? String(detail) : '–';
  const parts = Object.entries(detail).map(
    ([name, value]) =>
      `${name.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  return parts.join(' · ') || '–';
}

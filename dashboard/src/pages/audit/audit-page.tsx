import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { timeText } from '../../ui/time';
import { usePages } from '../../ui/use-pages';

/** Who did what at this dashboard. */
export function AuditPage() {
  const list = usePages(['audit-log'], (cursor) =>
    bodyOf(dashboardApi.GET('/audit-log', { params: { query: { cursor } } })),
  );
  return (
    <>
      <PageHead title="Audit log" />
      <PagedTable
        caption="Audit log"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'At', cell: ({ at }) => timeText(at) },
          { title: 'Who', cell: ({ actor }) => actor },
          { title: 'What', cell: ({ action }) => action.replaceAll(/[._]/g, ' ') },
          { title: 'On', cell: ({ target }) => <IdLink id={target} /> },
          { title: 'From', cell: ({ ip }) => ip ?? '–' },
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

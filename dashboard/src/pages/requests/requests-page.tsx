import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, useDays } from '../../ui/list-filters';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { useLivemode, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { ErrorGroups } from './error-groups';
import { RequestFigures } from './request-figures';
import { statusText } from './request-parts';

type LoggedRequest = DashboardSchemas['LoggedRequest'];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const STATUSES = [
  { value: '2xx', label: '2xx, went well' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, failed' },
];

const keyFilter = (keys: readonly DashboardSchemas['Key'][]): FilterField => ({
  name: 'key_id',
  label: 'Key',
  options: keys.map(({ id, name, last4 }) => ({ value: id, label: `${name} …${last4}` })),
});

/** A status may be one of a group of errors. */
const statusOptions = (status: string | undefined): FilterField['options'] =>
  status && !STATUSES.some(({ value }) => value === status) ? [...STATUSES, status] : STATUSES;

const FILTERS: readonly FilterField[] = [
  { name: 'method', label: 'Method', options: METHODS },
  { name: 'path', label: 'Part of the path' },
  { name: 'status', label: 'Status', options: STATUSES },
  { name: 'error_code', label: 'Error code', whole: true },
  ...DAY_FILTERS,
  { name: 'by', label: 'Sent by', options: [{ value: 'dashboard', label: 'people at the dashboard' }] },
];

/** Requests of this account's programs, and, when asked for, of people at the dashboard. What the pages themselves read is not among them. */
export function RequestsPage() {
  const { method, path, route, status, error_code, key_id, by } = useFilters();
  const { days, isZoneKnown } = useDays();
  const livemode = useLivemode();
  const mode = useMode();
  const mayReadKeys = useMay().hasPermission('keys:read');
  const [grouped, setGrouped] = useState(false);
  const keys = useQuery({
    queryKey: [mode, 'keys'],
    queryFn: () => bodyOf(dashboardApi.GET('/keys', { params: { query: { livemode, limit: 100 } } })),
    enabled: mayReadKeys,
  });
  const wanted = {
    livemode,
    method: (method || undefined) as (typeof METHODS)[number] | undefined,
    path: path || undefined,
    route: route || undefined,
    error_code: error_code || undefined,
    status: status || undefined,
    key_id: key_id || undefined,
    by: by === 'dashboard' ? ('dashboard' as const) : undefined,
    ...days,
  };
  const list = usePages(
    [mode, 'requests', wanted],
    (cursor) => bodyOf(dashboardApi.GET('/request-log', { params: { query: { ...wanted, cursor, limit: 50 } } })),
    { enabled: isZoneKnown, live: ['*'] },
  );
  return (
    <>
      <PageHead title="Request log">
        <Button variant="default" aria-pressed={grouped} onClick={() => setGrouped(!grouped)}>
          {grouped ? 'Hide grouped errors' : 'Group the errors'}
        </Button>
      </PageHead>
      <Stack>
        <RequestFigures />
        {grouped && <ErrorGroups />}
        <div>
          <FilterBar
            fields={[
              ...(mayReadKeys ? [keyFilter(keys.data?.data ?? [])] : []),
              ...FILTERS.map((field) =>
                field.name === 'status' ? { ...field, options: statusOptions(status) } : field,
              ),
              ...(route ? [{ name: 'route', label: 'Route', whole: true }] : []),
            ]}
          />
          <PagedTable
            caption="Requests"
            list={list}
            keyOf={({ id }) => id}
            empty="No requests match."
            columns={[
              { title: 'Request', cell: (request) => <Open request={request} /> },
              { title: 'Status', cell: statusText },
              { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms`, numeric: true },
              { title: 'Key', cell: ({ key_last4 }) => (key_last4 ? `…${key_last4}` : 'the dashboard') },
              { title: 'Replayed', cell: ({ replayed }) => (replayed ? 'yes' : 'no') },
              { title: 'At', cell: ({ created_at }) => <When at={created_at} /> },
            ]}
          />
        </div>
      </Stack>
    </>
  );
}

function Open({ request: { id, method, path } }: { request: LoggedRequest }) {
  const mode = useMode();
  return (
    <AnchorLink className="id" to="/$mode/requests/$id" params={{ mode, id }}>
      {method} {path}
    </AnchorLink>
  );
}

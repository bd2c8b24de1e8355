import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField, useFilters } from '../../ui/filters';
import { PageHead } from '../../ui/page-head';
import { dayStart, timeText } from '../../ui/time';
import { useLivemode, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { ErrorGroups } from './error-groups';
import { RequestDetails } from './request-details';

type LoggedRequest = DashboardSchemas['LoggedRequest'];

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const keyFilter = (keys: readonly DashboardSchemas['Key'][]): FilterField => ({
  name: 'key_id',
  label: 'Key',
  options: keys.map(({ id, name, last4 }) => ({ value: id, label: `${name} …${last4}` })),
});

const FILTERS: readonly FilterField[] = [
  { name: 'method', label: 'Method', options: METHODS },
  { name: 'path', label: 'Path' },
  { name: 'status', label: 'Status (404, 4xx)' },
  { name: 'created_gte', label: 'From (UTC)', type: 'date' },
  { name: 'created_lt', label: 'Before (UTC)', type: 'date' },
];

/** Requests of this account's programs, and of this page, with bodies redacted. */
export function RequestsPage() {
  const { method, path, status, key_id, created_gte, created_lt } = useFilters();
  const livemode = useLivemode();
  const mode = useMode();
  const mayReadKeys = useMay().hasPermission('keys:read');
  const [shown, setShown] = useState<LoggedRequest | null>(null);
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
    status: status || undefined,
    key_id: key_id || undefined,
    created_gte: dayStart(created_gte),
    created_lt: dayStart(created_lt),
  };
  const list = usePages([mode, 'requests', wanted], (cursor) =>
    bodyOf(dashboardApi.GET('/request-log', { params: { query: { ...wanted, cursor, limit: 50 } } })),
  );
  return (
    <>
      <PageHead title="Request log">
        <Button variant="default" aria-pressed={grouped} onClick={() => setGrouped(!grouped)}>
          {grouped ? 'Hide grouped errors' : 'Group the errors'}
        </Button>
      </PageHead>
      <Stack>
        {grouped && <ErrorGroups />}
        <div>
          <FilterBar fields={mayReadKeys ? [keyFilter(keys.data?.data ?? []), ...FILTERS] : FILTERS} />
          <PagedTable
            caption="Requests"
            list={list}
            keyOf={({ id }) => id}
            empty="No requests match."
            columns={[
              { title: 'Request', cell: (request) => <Open request={request} onOpen={setShown} /> },
              {
                title: 'Status',
                cell: ({ status: code, error_code }) => `${code}${error_code ? ` ${error_code}` : ''}`,
              },
              { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms`, numeric: true },
              { title: 'Key', cell: ({ key_last4 }) => (key_last4 ? `…${key_last4}` : 'this page') },
              { title: 'Replayed', cell: ({ replayed }) => (replayed ? 'yes' : 'no') },
              { title: 'At', cell: ({ created_at }) => timeText(created_at) },
            ]}
          />
        </div>
      </Stack>
      <RequestDetails request={shown} onClose={() => setShown(null)} />
    </>
  );
}

function Open({ request, onOpen }: { request: LoggedRequest; onOpen: (request: LoggedRequest) => void }) {
  return (
    <Group gap="xs">
      <Button variant="subtle" size="compact-sm" className="id wrap" onClick={() => onOpen(request)}>
        {request.method} {request.path}
      </Button>
    </Group>
  );
}

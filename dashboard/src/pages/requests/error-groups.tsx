import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { AnchorLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';

type Group = DashboardSchemas['ErrorGroup'];

/** Leads to the requests of a group. */
function OpenGroup({ group: { method, route, status, error_code } }: { group: Group }) {
  const mode = useMode();
  const search = { method, route, status: String(status), error_code: error_code ?? undefined };
  return (
    <AnchorLink className="id" to="/$mode/requests" params={{ mode }} search={search as never}>
      {method} {route}
    </AnchorLink>
  );
}

/** Which errors there are, and how many of each. */
export function ErrorGroups() {
  const mode = useMode();
  const livemode = useLivemode();
  const { data, error } = useQuery({
    queryKey: [mode, 'request-errors'],
    queryFn: () => bodyOf(dashboardApi.GET('/request-log/errors', { params: { query: { livemode } } })),
  });
  return (
    <section aria-labelledby="errors-title">
      <Title order={2} size="h4" id="errors-title" mb="xs">
        Errors
      </Title>
      <ProblemAlert error={error} />
      {!data && !error && <Loading label="errors" />}
      {data && (
        <DataTable
          caption="Errors by route"
          rows={data.data}
          keyOf={({ method, route, status, error_code }) => `${method} ${route} ${status} ${error_code}`}
          empty="No errors."
          columns={[
            { title: 'Route', cell: (group) => <OpenGroup group={group} /> },
            { title: 'Status', cell: ({ status }) => status },
            { title: 'Code', cell: ({ error_code }) => error_code ?? '–' },
            { title: 'Count', cell: ({ count }) => count, numeric: true },
            { title: 'Last', cell: ({ last_at }) => <When at={last_at} /> },
          ]}
        />
      )}
    </section>
  );
}

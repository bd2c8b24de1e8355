import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';

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
          keyOf={({ route, status, error_code }) => `${route} ${status} ${error_code}`}
          empty="No errors."
          columns={[
            { title: 'Route', cell: ({ route }) => <span className="id">{route}</span> },
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

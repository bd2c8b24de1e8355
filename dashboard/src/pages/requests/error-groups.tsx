import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/dashboard-api';
import type { ErrorGroup } from '../../api/dashboard-types';
import { DataTable, Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { timeText } from '../../ui/time';
import { useLivemode, useMode } from '../../ui/use-mode';

/** Which errors there are, and how many of each. */
export function ErrorGroups() {
  const mode = useMode();
  const livemode = useLivemode();
  const { data, error } = useQuery({
    queryKey: [mode, 'request-errors'],
    queryFn: () => call<{ data: readonly ErrorGroup[] }>('GET', `/request-log/errors?livemode=${livemode}`),
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
            { title: 'Route', cell: ({ route }) => <span className="id">{route ?? 'unknown'}</span> },
            { title: 'Status', cell: ({ status }) => status },
            { title: 'Code', cell: ({ error_code }) => error_code ?? '–' },
            { title: 'Count', cell: ({ count }) => count, numeric: true },
            { title: 'Last', cell: ({ last_at }) => timeText(last_at) },
          ]}
        />
      )}
    </section>
  );
}

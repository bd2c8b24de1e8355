import { Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { useFilters } from '../../ui/filters';
import { PeriodSelect, spansOf } from '../../ui/period';
import { ProblemAlert } from '../../ui/problem-alert';
import { shortTimeIn } from '../../ui/time';
import { useLivemode, useMode } from '../../ui/use-mode';
import { useTimeZone } from '../../ui/use-time-zone';

type Figures = DashboardSchemas['RequestFigures'];
type Counts = DashboardSchemas['RequestCounts'];
type Span = DashboardSchemas['RequestSpan'];

const SpansChart = lazy(() => import('../../ui/spans-chart'));
const POLL_MS = 30_000;

const PARTS = [
  { name: '2xx', tone: 'good' },
  { name: '4xx', tone: 'wait' },
  { name: '5xx', tone: 'bad' },
] as const;

const partsOf = ({ from, requests, refused, failed }: Span) => ({
  from,
  counts: [requests - refused - failed, refused, failed],
});

/** How requests went over time: of all keys, or of the one that is filtered by. */
export function RequestFigures() {
  const mode = useMode();
  const livemode = useLivemode();
  const zone = useTimeZone();
  const { period, key_id } = useFilters();
  const query = { livemode, key_id: key_id || undefined, ...spansOf(period, zone ?? 'UTC') };
  const { data, error } = useQuery({
    queryKey: [mode, 'request-figures', query],
    queryFn: () => bodyOf(dashboardApi.GET('/request-log/figures', { params: { query } })),
    enabled: zone !== undefined,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="request-figures-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="request-figures-title">
          How it has been going
        </Title>
        <PeriodSelect />
      </Group>
      <ProblemAlert error={error} />
      {data && zone ? <Shown figures={data} zone={zone} /> : !error && <Loading label="figures" />}
    </section>
  );
}

const shareText = (part: number, { requests }: Counts): string =>
  requests === 0 ? '–' : `${((100 * part) / requests).toFixed(1)} %`;
const msText = ({ p95_ms }: Counts): string => (p95_ms === null ? '–' : `${p95_ms.toLocaleString('en')} ms`);

function Shown({ figures: { all, spans, capped }, zone }: { figures: Figures; zone: string }) {
  return (
    <Stack gap="sm">
      <Facts
        items={[
          ['Requests', all.requests.toLocaleString('en')],
          ['Refused (4xx)', shareText(all.refused, all)],
          ['Failed (5xx)', shareText(all.failed, all)],
          ['95 % answered within', msText(all)],
        ]}
      />
      {capped && <Text size="sm">Only the newest {all.requests.toLocaleString('en')} are counted.</Text>}
      {all.requests > 0 && (
        <>
          <Suspense fallback={<Loading label="chart" />}>
            <SpansChart spans={spans.map(partsOf)} zone={zone} parts={PARTS} />
          </Suspense>
          <details>
            <summary>The same as a table</summary>
            <DataTable
              caption="Counts over time"
              rows={spans.filter(({ requests }) => requests > 0)}
              keyOf={({ from }) => from}
              columns={[
                { title: 'From', cell: ({ from }) => shortTimeIn(zone, from) },
                { title: 'Requests', cell: ({ requests }) => requests, numeric: true },
                { title: '4xx', cell: ({ refused }) => refused, numeric: true },
                { title: '5xx', cell: ({ failed }) => failed, numeric: true },
                { title: 'p95', cell: msText, numeric: true },
              ]}
            />
          </details>
        </>
      )}
    </Stack>
  );
}

import { Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { useFilters } from '../../ui/filters';
import { IdLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { PeriodSelect, spansOf } from '../../ui/period';
import { shortTimeIn } from '../../ui/time';
import { useLivemode, useMode } from '../../ui/use-mode';
import { useTimeZone } from '../../ui/use-time-zone';
import { failureText } from './failure-text';
import { When } from '../../ui/when';

const SpansChart = lazy(() => import('../../ui/spans-chart'));

const POLL_MS = 30_000;

type Figures = DashboardSchemas['EndpointFigures'];

const PARTS = [
  { name: 'Delivered', tone: 'good' },
  { name: 'Failed', tone: 'bad' },
] as const;

const partsOf = ({ from, attempts, successful }: DashboardSchemas['SpanFigures']) => ({
  from,
  counts: [successful, attempts - successful],
});

/** How an endpoint has been doing: share of successes, latencies, attempts over time, the last failure in words. */
export function EndpointFigures({ endpointId }: { endpointId: string }) {
  const mode = useMode();
  const livemode = useLivemode();
  const zone = useTimeZone();
  const { period } = useFilters();
  const query = { livemode, ...spansOf(period, zone ?? 'UTC') };
  const { data, error } = useQuery({
    queryKey: [mode, 'figures', endpointId, query],
    queryFn: () => bodyOf(dashboardApi.GET('/webhooks/{id}/figures', { params: { path: { id: endpointId }, query } })),
    enabled: zone !== undefined,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="figures-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="figures-title">
          How it has been going
        </Title>
        <PeriodSelect />
      </Group>
      <ProblemAlert error={error} />
      {data && zone ? <Shown figures={data} zone={zone} /> : !error && <Loading label="figures" />}
    </section>
  );
}

const ms = (value: number | null): string => (value === null ? '–' : `${value.toLocaleString('en')} ms`);

const shareText = ({ attempts, successful }: DashboardSchemas['Figures']): string =>
  attempts === 0 ? '–' : `${((100 * successful) / attempts).toFixed(successful === attempts ? 0 : 1)} %`;

function Shown({ figures: { all, spans, last_failure }, zone }: { figures: Figures; zone: string }) {
  return (
    <Stack gap="sm">
      <Facts
        items={[
          ['Success share', shareText(all)],
          ['Attempts', all.attempts.toLocaleString('en')],
          ['Half answered within', ms(all.p50_ms)],
          ['95 % answered within', ms(all.p95_ms)],
        ]}
      />
      {all.attempts === 0 ? (
        <Text c="dimmed">Nothing was sent here in this time.</Text>
      ) : (
        <>
          <Suspense fallback={<Loading label="chart" />}>
            <SpansChart spans={spans.map(partsOf)} zone={zone} parts={PARTS} />
          </Suspense>
          <details>
            <summary>The same as a table</summary>
            <DataTable
              caption="Attempts over time"
              rows={spans.filter(({ attempts }) => attempts > 0)}
              keyOf={({ from }) => from}
              columns={[
                { title: 'From', cell: ({ from }) => shortTimeIn(zone, from) },
                { title: 'Attempts', cell: ({ attempts }) => attempts, numeric: true },
                { title: 'Success share', cell: shareText, numeric: true },
                { title: 'p50', cell: ({ p50_ms }) => ms(p50_ms), numeric: true },
                { title: 'p95', cell: ({ p95_ms }) => ms(p95_ms), numeric: true },
              ]}
            />
          </details>
        </>
      )}
      {last_failure && (
        <Text size="sm" component="div">
          <strong>Last failure</strong> <When at={last_failure.at} />:{' '}
          {failureText(last_failure.code, last_failure.http_status)} <IdLink id={last_failure.delivery_id} />
        </Text>
      )}
    </Stack>
  );
}

import { Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { Figures, msText } from '../../ui/figures';
import { IdLink } from '../../ui/links';
import { shortTimeIn } from '../../ui/time';
import { useLivemode } from '../../ui/use-mode';
import { failureText } from './failure-text';
import { When } from '../../ui/when';

const SpansChart = lazy(() => import('../../ui/spans-chart'));

type OfEndpoint = DashboardSchemas['EndpointFigures'];

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
  const livemode = useLivemode();
  return (
    <Figures
      of={['endpoint', endpointId]}
      read={(spans) => {
        const params = { path: { id: endpointId }, query: { livemode, ...spans } };
        return bodyOf(dashboardApi.GET('/webhooks/{id}/figures', { params }));
      }}
    >
      {(figures, zone) => <Shown figures={figures} zone={zone} />}
    </Figures>
  );
}

const shareText = ({ attempts, successful }: DashboardSchemas['Figures']): string =>
  attempts === 0 ? '–' : `${((100 * successful) / attempts).toFixed(successful === attempts ? 0 : 1)} %`;

function Shown({ figures: { all, spans, last_failure }, zone }: { figures: OfEndpoint; zone: string }) {
  return (
    <Stack gap="sm">
      <Facts
        items={[
          ['Success share', shareText(all)],
          ['Attempts', all.attempts.toLocaleString('en')],
          ['Half answered within', msText(all.p50_ms)],
          ['95 % answered within', msText(all.p95_ms)],
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
                { title: 'p50', cell: ({ p50_ms }) => msText(p50_ms), numeric: true },
                { title: 'p95', cell: ({ p95_ms }) => msText(p95_ms), numeric: true },
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

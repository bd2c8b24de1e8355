import { Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { Figures, msText } from '../../ui/figures';
import { useFilters } from '../../ui/use-filters';
import { shortTimeIn } from '../../ui/time';
import { useLivemode } from '../../ui/use-mode';

type OfRequests = DashboardSchemas['RequestFigures'];
type Counts = DashboardSchemas['RequestCounts'];
type Span = DashboardSchemas['RequestSpan'];

const SpansChart = lazy(() => import('../../ui/spans-chart'));

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
  const livemode = useLivemode();
  const { key_id } = useFilters();
  const key = key_id || undefined;
  return (
    <Figures
      of={['requests', key]}
      read={(spans) => {
        const query = { livemode, key_id: key, ...spans };
        return bodyOf(dashboardApi.GET('/request-log/figures', { params: { query } }));
      }}
    >
      {(figures, zone) => <Shown figures={figures} zone={zone} />}
    </Figures>
  );
}

const shareText = (part: number, { requests }: Counts): string =>
  requests === 0 ? '–' : `${((100 * part) / requests).toFixed(1)} %`;

function Shown({ figures: { all, spans, capped }, zone }: { figures: OfRequests; zone: string }) {
  return (
    <Stack gap="sm">
      <Facts
        items={[
          ['Requests', all.requests.toLocaleString('en')],
          ['Refused (4xx)', shareText(all.refused, all)],
          ['Failed (5xx)', shareText(all.failed, all)],
          ['95 % answered within', msText(all.p95_ms)],
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
                { title: 'p95', cell: ({ p95_ms }) => msText(p95_ms), numeric: true },
              ]}
            />
          </details>
        </>
      )}
    </Stack>
  );
}

import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { DataTable, Loading } from '../../../ui/data-table';
import { useFilters } from '../../../ui/use-filters';
import { AnchorLink } from '../../../ui/links';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useMode } from '../../../ui/use-mode';
import { When } from '../../../ui/when';
import { Section } from '../section';
import { type History, type HistoryQuery, shareText } from './history';
import { CodeAttempts } from './code-attempts';

const DAY = '24';
const PERIODS = [
  { hours: DAY, label: 'Day' },
  { hours: '168', label: 'Week' },
  { hours: '720', label: '30 days' },
] as const;

/** How one provider of a product was doing, hour by hour or day by day, and what did not go well. */
export function ProviderPage() {
  const operators = useOperators();
  const { product = '', provider = '' } = useParams({ strict: false }) as { product?: string; provider?: string };
  const { hours: word, of, code } = useFilters();
  const hours = PERIODS.find((period) => period.hours === word)?.hours ?? DAY;
  const query: HistoryQuery = { product: product as HistoryQuery['product'], provider, livemode: of === 'live', hours };
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: [...operators.key, 'provider-history', query],
    queryFn: () => bodyOf(operators.api.GET('/operators/provider-history', { params: { query } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title={`${provider}: ${product.replaceAll('_', ' ')}, ${query.livemode ? 'live' : 'test'}`}>
        <nav className="segments" aria-label="Calls of the last">
          {PERIODS.map((period) => (
            <AnchorLink
              key={period.hours}
              to="."
              search={{ of, hours: period.hours } as never}
              aria-current={period.hours === hours ? 'true' : undefined}
              underline="never"
            >
              {period.label}
            </AnchorLink>
          ))}
        </nav>
      </PageHead>
      <Stack gap="lg" className={isPlaceholderData ? 'rows rows-before' : 'rows'} aria-busy={isPlaceholderData}>
        <ProblemAlert error={error} />
        {isPending && <Loading label="provider" />}
        {data && (
          <>
            <Section title={data.period === 'hour' ? 'By the hour' : 'By the day'}>
              <Periods history={data} />
            </Section>
            <Section title="Codes">
              <Codes history={data} of={of} hours={hours} />
            </Section>
            {code && (
              <Section title={`Orders that ended with ${code}`}>
                <CodeAttempts query={{ ...query, code }} />
              </Section>
            )}
          </>
        )}
      </Stack>
    </>
  );
}

function Periods({ history: { data } }: { history: History }) {
  return (
    <DataTable
      caption="Periods"
      rows={data.toReversed()}
      keyOf={({ at }) => at}
      empty="It was not asked in this time."
      columns={[
        { title: 'From', place: 'what', cell: ({ at }) => <When at={at} /> },
        { title: 'Calls', place: 'amount', numeric: true, cell: ({ calls }) => calls.toLocaleString('en') },
        { title: 'Unknown', numeric: true, cell: ({ unknown, calls }) => shareText(unknown, calls) },
        { title: 'Mean time', numeric: true, cell: ({ mean_ms }) => (mean_ms === null ? '–' : `${mean_ms} ms`) },
        { title: 'Orders', numeric: true, cell: ({ ended }) => (ended === null ? '–' : ended.toLocaleString('en')) },
        {
          title: 'Delivered',
          place: 'state',
          numeric: true,
          cell: ({ delivered, ended }) => shareText(delivered, ended),
        },
        {
          title: 'p95',
          place: 'time',
          numeric: true,
          cell: ({ p95_ms }) => (p95_ms === null ? '–' : `${p95_ms.toLocaleString('en')} ms`),
        },
      ]}
    />
  );
}

type Code = DashboardSchemas['ProviderCode'];

function Codes({ history: { codes }, of, hours }: { history: History; of: string | undefined; hours: string }) {
  const mode = useMode();
  const { product = '', provider = '' } = useParams({ strict: false }) as { product?: string; provider?: string };
  const shown = ({ code }: Code) => (
    <AnchorLink
      to="/$mode/providers/$product/$provider"
      params={{ mode, product, provider }}
      search={{ of, hours, code } as never}
    >
      {code}
    </AnchorLink>
  );
  return (
    <>
      <DataTable
        caption="Codes"
        rows={codes}
        keyOf={({ code, outcome }) => `${code} ${outcome}`}
        empty="Every order that ended was delivered, or it sells none."
        columns={[
          { title: 'Code', place: 'what', cell: shown },
          { title: 'Outcome', place: 'state', cell: ({ outcome }) => outcome.replaceAll('_', ' ') },
          { title: 'Orders', place: 'amount', numeric: true, cell: ({ count }) => count.toLocaleString('en') },
          { title: 'Last', place: 'time', cell: ({ last_at }) => <When at={last_at} /> },
        ]}
      />
      {codes.length > 0 && (
        <Text size="sm" c="dimmed">
          A code leads to the last orders that ended with it.
        </Text>
      )}
    </>
  );
}

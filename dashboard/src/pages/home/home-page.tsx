import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay, useMayWriteKeys } from '../../session/use-may';
import { DataTable, Loading, wholeText } from '../../ui/data-table';
import { AnchorLink, ButtonLink } from '../../ui/links';
import { useFilters } from '../../ui/use-filters';
import { OnceOpened } from '../../ui/once-opened';
import { PageHead } from '../../ui/page-head';
import { PeriodSelect } from '../../ui/period-select';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { useUtcChoice } from '../../ui/use-time-zone';
import { Checklist } from './checklist';
import { Success, UnderWay, Webhooks } from './glance';
import { Sales, Sum } from './sales';

type Overview = DashboardSchemas['Overview'];

const DaysChart = lazy(() => import('./days-chart'));
const SendDialog = lazy(() => import('./send-test-money'));

export function HomePage() {
  const mode = useMode();
  const { hasScope } = useMay();
  const mayWriteKeys = useMayWriteKeys();
  const period = useFilters().period === '7d' ? '7d' : undefined;
  const utc = useUtcChoice()[0] || undefined;
  // The address of a first visit is one that the service had the browser ask for early.
  const overview = useQuery({
    queryKey: [mode, 'overview', period, utc],
    queryFn: () =>
      bodyOf(dashboardApi.GET('/overview', { params: { query: { livemode: mode === 'live', period, utc } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title="Home">
        {mode === 'test' && hasScope('wallets:write') && hasScope('sandbox:write') && <SendTestMoney />}
        {mayWriteKeys && (
          <ButtonLink to="/$mode/keys" params={{ mode }} variant="default">
            Get an API key
          </ButtonLink>
        )}
      </PageHead>
      <ProblemAlert error={overview.error} />
      {overview.isPending && <Loading label="overview" />}
      {overview.data && (
        <div
          className={overview.isPlaceholderData ? 'rows rows-before' : 'rows'}
          aria-busy={overview.isPlaceholderData}
        >
          <Shown overview={overview.data} />
        </div>
      )}
    </>
  );
}

function SendTestMoney() {
  const [opened, { open, close }] = useNewForm();
  return (
    <>
      <Button onClick={open}>Send test money</Button>
      <OnceOpened opened={opened}>
        <SendDialog opened={opened} onClose={close} />
      </OnceOpened>
    </>
  );
}

const PERIODS = [
  { value: '', label: 'last 30 days' },
  { value: '7d', label: 'last 7 days' },
];

function Shown({ overview }: { overview: Overview }) {
  return (
    <Stack gap="lg">
      <section aria-label="Balances">
        <div className="cards">
          {overview.totals.map((total) => (
            <Total key={total.currency} total={total} />
          ))}
        </div>
      </section>
      <section aria-label="At a glance">
        <div className="cards">
          <UnderWay counts={overview.under_way} />
          <Success rate={overview.success_rate} before={overview.success_rate_before} failures={overview.failures} />
          <Webhooks webhooks={overview.webhooks} />
        </div>
      </section>
      <section aria-labelledby="days-title">
        <div className="section-head">
          <Title order={2} size="h4" id="days-title">
            In and out
          </Title>
          <PeriodSelect periods={PERIODS} />
        </div>
        <Text size="sm" c="dimmed" mb="xs">
          {overview.from} to {overview.to}, without what moved between your own wallets.
        </Text>
        {overview.sums.length > 0 && (
          <div className="cards sums">
            {overview.sums.map((sum) => (
              <Sum key={sum.currency} sum={sum} />
            ))}
          </div>
        )}
        <Suspense fallback={<Loading label="chart" />}>
          <DaysChart
            days={overview.days}
            from={overview.from}
            to={overview.to}
            held={overview.totals.map(({ currency }) => currency)}
          />
        </Suspense>
      </section>
      <Sales sales={overview.sales} />
      <Wallets wallets={overview.wallets} total={overview.wallets_total} />
      <Checklist done={overview.checklist} />
    </Stack>
  );
}

function Total({
  total: { currency, wallets, available_display, held, held_display },
}: {
  total: Overview['totals'][number];
}) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {currency}, {wallets.toLocaleString('en')} {wallets === 1 ? 'wallet' : 'wallets'}
      </Text>
      <span className="balance">{available_display}</span>
      {held !== 0 && <Text size="sm">{held_display} held</Text>}
    </Card>
  );
}

function Wallets({ wallets, total }: { wallets: Overview['wallets']; total: number }) {
  const mode = useMode();
  return (
    <section aria-labelledby="wallets-title">
      <div className="section-head">
        <Title order={2} size="h4" id="wallets-title">
          {wallets.length < total ? `The fullest wallets, ${wholeText(wallets.length, total)}` : 'Wallets'}
        </Title>
        <AnchorLink to="/$mode/wallets" params={{ mode }}>
          Find a wallet
        </AnchorLink>
      </div>
      <DataTable
        caption="Wallets"
        rows={wallets}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Wallet',
            cell: ({ id, label, currency }) => (
              <AnchorLink className="label" to="/$mode/wallets/$id" params={{ mode, id }}>
                {label ?? `${currency} wallet`}
              </AnchorLink>
            ),
          },
          {
            title: 'Available',
            cell: ({ available_display }) => <span className="amount">{available_display}</span>,
            numeric: true,
          },
          { title: 'Held', cell: ({ held_display }) => <span className="amount">{held_display}</span>, numeric: true },
          { title: 'Lasts', cell: ({ lasts_days }) => lastsText(lasts_days), numeric: true },
        ]}
      />
    </section>
  );
}

const YEAR_DAYS = 365;

/** At the pace of the last week. */
function lastsText(days: number | null): string {
  if (days === null) return '–';
  if (days > YEAR_DAYS) return 'over a year';
  if (days === 0) return 'less than a day';
  return days === 1 ? '1 day' : `${days} days`;
}

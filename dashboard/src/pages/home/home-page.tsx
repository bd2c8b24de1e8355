import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay, useMayWriteKeys } from '../../session/use-may';
import { DataTable, Loading, wholeText } from '../../ui/data-table';
import { AnchorLink, ButtonLink } from '../../ui/links';
import { OnceOpened } from '../../ui/once-opened';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { Checklist } from './checklist';

type Overview = DashboardSchemas['Overview'];

const DaysChart = lazy(() => import('./days-chart'));
const SendDialog = lazy(() => import('./send-test-money'));

export function HomePage() {
  const mode = useMode();
  const { hasScope } = useMay();
  const mayWriteKeys = useMayWriteKeys();
  const overview = useQuery({
    queryKey: [mode, 'overview'],
    queryFn: () => bodyOf(dashboardApi.GET('/overview', { params: { query: { livemode: mode === 'live' } } })),
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
      {overview.data && <Shown overview={overview.data} />}
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
          <Success rate={overview.success_rate} failures={overview.failures} />
        </div>
      </section>
      <section aria-labelledby="days-title">
        <Title order={2} size="h4" id="days-title" mb="xs">
          The last 30 days
        </Title>
        <Text size="sm" c="dimmed" mb="xs">
          Without what moved between your own wallets.
        </Text>
        <Suspense fallback={<Loading label="chart" />}>
          <DaysChart days={overview.days} held={overview.totals.map(({ currency }) => currency)} />
        </Suspense>
      </section>
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

function UnderWay({ counts }: { counts: Overview['under_way'] }) {
  const mode = useMode();
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        Under way
      </Text>
      <dl className="counts">
        {(['pending', 'processing'] as const).map((status) => (
          <Fragment key={status}>
            <dt>
              <AnchorLink to="/$mode/transactions" params={{ mode }} search={{ status }}>
                Transactions {status}
              </AnchorLink>
            </dt>
            <dd>{counts[status].toLocaleString('en')}</dd>
          </Fragment>
        ))}
        <dt>Transactions for review</dt>
        <dd>{counts.transactions_in_review.toLocaleString('en')}</dd>
        <dt>Payments for review</dt>
        <dd>{counts.payments_in_review.toLocaleString('en')}</dd>
      </dl>
    </Card>
  );
}

function Success({ rate, failures }: { rate: number | null; failures: Overview['failures'] }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        Purchases that succeeded, of those that ended in 30 days
      </Text>
      <span className="balance">{rate === null ? '–' : `${(rate * 100).toFixed(1)} %`}</span>
      {failures.length > 0 && (
        <dl className="counts reasons">
          {failures.map(({ code, count }) => (
            <Fragment key={code}>
              <dt>{code.replaceAll('_', ' ')}</dt>
              <dd>{count.toLocaleString('en')}</dd>
            </Fragment>
          ))}
        </dl>
      )}
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
        ]}
      />
    </section>
  );
}

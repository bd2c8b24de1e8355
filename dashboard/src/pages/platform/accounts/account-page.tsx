import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { CopyButton } from '../../../ui/copy-button';
import { DataTable, Loading } from '../../../ui/data-table';
import { Facts } from '../../../ui/facts';
import { AnchorLink } from '../../../ui/links';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useMode } from '../../../ui/use-mode';
import { When } from '../../../ui/when';
import { Section } from '../section';
import { AccountOrders } from './account-orders';
import { AccountPeople } from './account-people';
import { stateOf } from './account-columns';

type Story = DashboardSchemas['AccountStory'];

/** One account, as those see it who look after the platform. */
export function AccountPage() {
  const operators = useOperators();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'account', id],
    queryFn: () => bodyOf(operators.api.GET('/operators/accounts/{id}', { params: { path: { id } } })),
  });
  return (
    <>
      <PageHead title={data?.account.name ?? 'Account'} />
      <Stack gap="lg">
        <ProblemAlert error={error} />
        {isPending && <Loading label="account" />}
        {data && (
          <>
            <AccountFacts story={data} />
            <Section title="Wallets">
              <Money caption="Wallets by currency" rows={data.wallets} counted="Wallets" empty="No wallet is open." />
            </Section>
            <Section title="Last 30 days">
              <Money
                caption="Volume of 30 days"
                rows={data.volume}
                counted="Transactions"
                empty="Nothing succeeded in the last 30 days."
              />
              <Text size="sm" c="dimmed">
                What succeeded, without transfers between wallets, conversions and reversals.
              </Text>
            </Section>
            <Section title="People">
              <AccountPeople accountId={data.account.id} people={data.people} />
            </Section>
            <Section title="At the command line">
              <AccountOrders account={data.account} />
            </Section>
          </>
        )}
      </Stack>
    </>
  );
}

function AccountFacts({ story: { account, keys } }: { story: Story }) {
  const mode = useMode();
  const { id, freeze, frozen_until: until } = account;
  const keysText = keys.map(({ livemode, count }) => `${count} ${livemode ? 'live' : 'test'}`).join(', ');
  return (
    <Facts
      items={[
        [
          'Id',
          <span key="id" className="id-copy">
            <span className="id">{id}</span>
            <CopyButton value={id} label={id} />
          </span>,
        ],
        ['State', <StatusBadge key="state" status={stateOf(account)} />],
        ['Live mode', account.live_enabled ? 'enabled' : 'not enabled'],
        ['Frozen', freeze === null ? 'no' : freeze === 'both' ? 'both ways' : freeze],
        ...(until === null ? [] : [['Frozen until', <When key="until" at={until} />] as const]),
        ['Tier', account.tier],
        ['Owner', account.owner ?? '–'],
        ['Time zone', account.time_zone],
        ['Keys that work', keysText || 'none'],
        ['Since', <When key="since" at={account.created_at} />],
        [
          'Reviews',
          <AnchorLink key="reviews" to="/$mode/reviews" params={{ mode }} search={{ account: id } as never}>
            What waits of it
          </AnchorLink>,
        ],
      ]}
    />
  );
}

interface MoneyProps {
  readonly caption: string;
  readonly rows: Story['wallets'];
  readonly counted: string;
  readonly empty: string;
}

function Money({ caption, rows, counted, empty }: MoneyProps) {
  return (
    <DataTable
      caption={caption}
      rows={rows}
      keyOf={({ livemode, currency }) => `${livemode} ${currency}`}
      empty={empty}
      columns={[
        { title: 'Currency', place: 'what', cell: ({ currency }) => currency },
        { title: 'Mode', place: 'who', cell: ({ livemode }) => (livemode ? 'live' : 'test') },
        { title: counted, place: 'state', numeric: true, cell: ({ count }) => count.toLocaleString('en') },
        {
          title: 'Amount',
          place: 'amount',
          numeric: true,
          cell: ({ amount_display }) => <span className="amount">{amount_display}</span>,
        },
      ]}
    />
  );
}

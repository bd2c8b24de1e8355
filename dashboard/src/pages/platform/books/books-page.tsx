import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { CopyButton } from '../../../ui/copy-button';
import { type Column, DataTable, Loading } from '../../../ui/data-table';
import { Empty } from '../../../ui/empty';
import { Facts } from '../../../ui/facts';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useFilters } from '../../../ui/use-filters';
import { Ago } from '../../../ui/when';
import { ModeChoice } from '../mode-choice';
import { Section } from '../section';
import { Display, purposeOf } from './books';
import { Verifications } from './verifications';

type Book = DashboardSchemas['Book'];
type Seal = DashboardSchemas['BookSeal'];

const REFRESH_MS = 30_000;

/** The ledger as a whole: whether it is in order, how far it is sealed, and what stands in it. */
export function BooksPage() {
  const operators = useOperators();
  const { of } = useFilters();
  const isLive = of !== 'test';
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'books'],
    queryFn: () => bodyOf(operators.api.GET('/operators/books')),
    refetchInterval: REFRESH_MS,
  });
  const books = data?.data.filter(({ livemode }) => livemode === isLive) ?? [];
  return (
    <>
      <PageHead title="Books">
        <ModeChoice of="books" current={isLive ? 'live' : 'test'} />
      </PageHead>
      <Stack gap="lg">
        <Verifications />
        <ProblemAlert error={error} />
        {isPending && <Loading label="books" />}
        {data && <SealState seal={data.seal} />}
        {data && books.length === 0 && <Empty title={`No money was ever moved in ${isLive ? 'live' : 'test'} mode.`} />}
        {books.map((book) => (
          <BookOf key={book.currency} book={book} />
        ))}
      </Stack>
    </>
  );
}

function SealState({ seal }: { seal: Seal }) {
  const { head, position, head_at, unsealed, unsealed_more, unsealed_since, sealer_at } = seal;
  return (
    <Section title="Seal">
      <Facts
        items={[
          ['Sealed batches', position === null ? 'none yet' : BigInt(position).toLocaleString('en')],
          [
            'Head of the chain',
            head === null ? (
              '–'
            ) : (
              <span key="head" className="id-copy">
                <span className="id">…{head.slice(-12)}</span>
                <CopyButton value={head} label="the head of the chain" />
              </span>
            ),
          ],
          ['Its batch is from', <Ago key="at" at={head_at} />],
          ['Not sealed yet', `${unsealed.toLocaleString('en')}${unsealed_more ? ' or more' : ''}`],
          ['The oldest of them', unsealed_since === null ? '–' : <Ago key="since" at={unsealed_since} />],
          ['Sealer last done', <Ago key="sealer" at={sealer_at} />],
        ]}
      />
    </Section>
  );
}

function BookOf({ book }: { book: Book }) {
  const { currency, customers_display, platform_display, sum_display, balanced, accounts } = book;
  return (
    <Section title={currency}>
      <Stack gap="sm">
        <Facts
          items={[
            ['Money of customers', <Display key="customers" text={customers_display} />],
            ['Accounts of the platform', <Display key="platform" text={platform_display} />],
            [
              'Together',
              <span key="sum" className="id-copy">
                <Display text={sum_display} /> <StatusBadge status={balanced ? 'in order' : 'not in order'} />
              </span>,
            ],
          ]}
        />
        {!balanced && (
          <Text size="sm" role="alert">
            Every movement has two sides, so all accounts together must be nothing.
          </Text>
        )}
        <DataTable caption={`Accounts in ${currency}`} rows={accounts} keyOf={keyOf} columns={COLUMNS} />
      </Stack>
    </Section>
  );
}

type Account = Book['accounts'][number];

const keyOf = ({ name, platform }: Account): string => `${name} ${platform}`;

const COLUMNS: readonly Column<Account>[] = [
  { title: 'Account', place: 'what', cell: ({ name, count }) => (count === 1 ? name : `${name} × ${count}`) },
  { title: 'What it is', place: 'who', cell: ({ name }) => purposeOf(name) },
  { title: 'Whose', place: 'state', cell: ({ platform }) => (platform ? 'the platform’s' : 'customers’') },
  { title: 'Available', numeric: true, cell: ({ available_display }) => <Display text={available_display} /> },
  { title: 'Held', numeric: true, cell: ({ held_display }) => <Display text={held_display} /> },
  {
    title: 'Balance',
    place: 'amount',
    numeric: true,
    cell: ({ balance_display }) => <Display text={balance_display} />,
  },
];

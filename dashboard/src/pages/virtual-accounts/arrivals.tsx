import { Stack, Title } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import type { VirtualAccount } from './virtual-account';

type Deposit = Schemas['Deposit'];

const ASKED_AGAIN_MS = 15_000;

const COLUMNS: readonly Column<Deposit>[] = [
  {
    title: 'From',
    cell: ({ payer }) =>
      payer ? [payer.name, payer.account_number_masked].filter(Boolean).join(' ') : 'not known yet',
    place: 'what',
  },
  {
    title: 'Status',
    cell: ({ status, needs_review: needsReview }) => (
      <span className="marks">
        {needsReview && <NeedsReview />}
        <StatusBadge status={status} />
      </span>
    ),
    place: 'state',
  },
  {
    title: 'Amount',
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? '–' : <span className="amount">{moneyText(amount, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Transaction', cell: ({ transaction_id: id }) => <IdLink id={id} />, place: 'who' },
  { title: 'Session of the banks', cell: ({ session_id: session }) => session ?? '–' },
  { title: 'Arrived', cell: ({ arrived_at: at, created_at: told }) => <When at={at ?? told} />, place: 'time' },
];

/** Transfers that payers sent to an account number, and what became of each. */
export function Arrivals({ account: { id } }: { account: VirtualAccount }) {
  const mode = useMode();
  const api = useApi();
  const virtual_account_id = id ?? '';
  const list = usePages(
    [mode, 'deposits', virtual_account_id],
    (cursor) => bodyOf(api.GET('/v4/deposits', { params: { query: { virtual_account_id, cursor } } })),
    { refetchInterval: ASKED_AGAIN_MS },
  );
  return (
    <section aria-label="Arrivals">
      <Stack gap="xs">
        <Title order={2} size="h4">
          Arrivals
        </Title>
        <PagedTable
          caption="Arrivals"
          list={list}
          keyOf={(deposit) => deposit.id}
          empty="Nothing has arrived yet."
          columns={COLUMNS}
        />
      </Stack>
    </section>
  );
}

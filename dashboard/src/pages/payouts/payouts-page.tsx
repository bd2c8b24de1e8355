import { Button, Modal, Stack } from '@mantine/core';
import { useNewForm } from '../../ui/use-new-form';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { type Column, PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, isNarrowed, useDays } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { AwaitsApproval, NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { type Payout, payoutDetails } from './payout';
import { PayoutForm } from './payout-form';
import { Waiting } from '../approvals/waiting';

const STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const satisfies readonly Payout['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  { name: 'bank', label: 'Bank code', whole: true },
  { name: 'reference', label: 'Reference', whole: true },
  { name: 'wallet_id', label: 'Wallet', whole: true },
  ...DAY_FILTERS,
];

export function PayoutsPage() {
  const { hasScope } = useMay();
  const [creating, { open, close }] = useNewForm();
  return (
    <Stack>
      <PageHead title="Payouts">{hasScope('payouts:write') && <Button onClick={open}>New payout</Button>}</PageHead>
      <Waiting />
      <PayoutList />
      <Modal opened={creating} onClose={close} size="lg" title="New payout">
        <PayoutForm onDone={close} />
      </Modal>
    </Stack>
  );
}

function PayoutList() {
  const mode = useMode();
  const api = useApi();
  const { days, isZoneKnown } = useDays();
  const { bank, ...filters } = useFilters();
  const wanted = { status: filters.status, reference: filters.reference, wallet_id: filters.wallet_id, ...days };
  const list = usePages(
    [mode, 'payouts', wanted, bank],
    (cursor) => bodyOf(api.GET('/v4/payouts', { params: { query: { ...wanted, bank, cursor } } })),
    { enabled: isZoneKnown },
  );
  const count = useQuery({
    queryKey: [mode, 'payouts', 'count', wanted],
    queryFn: () => {
      const query = { ...wanted, type: 'payout', livemode: mode === 'live' };
      return bodyOf(dashboardApi.GET('/transactions/totals', { params: { query } }));
    },
    // Sums know nothing of banks.
    enabled: isZoneKnown && !bank,
  });
  const total = bank || count.data?.capped ? undefined : count.data?.count;
  const isFiltered = isNarrowed({ ...wanted, bank });
  return (
    <section aria-label="All payouts">
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Payouts"
        list={{ ...list, total }}
        keyOf={({ id }) => id ?? ''}
        empty={
          isFiltered
            ? 'No payout matches.'
            : 'No payouts yet. A payout sends money from a wallet to a bank account: New payout.'
        }
        columns={COLUMNS}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Payout>[] = [
  { title: 'Paid to', cell: (payout) => <Whom payout={payout} />, place: 'what' },
  {
    title: 'Bank account',
    cell: (payout) => `${payoutDetails(payout).bank.name} ${payoutDetails(payout).account_number_masked}`,
    place: 'who',
  },
  { title: 'Status', cell: (payout) => <State payout={payout} />, place: 'state' },
  {
    title: 'Amount',
    cell: ({ amount, currency }) => <span className="amount">{moneyText(amount, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
];

function Whom({ payout }: { payout: Payout }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/payouts/$id" params={{ mode, id: payout.id ?? '' }}>
      {payoutDetails(payout).account_name}
    </AnchorLink>
  );
}

function State({ payout }: { payout: Payout }) {
  const waits = payout.status === 'pending' && payoutDetails(payout).approval?.status === 'awaiting';
  return (
    <span className="marks">
      {payout.needs_review && <NeedsReview />}
      {waits ? <AwaitsApproval /> : <StatusBadge status={payout.status} />}
    </span>
  );
}

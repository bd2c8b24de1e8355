import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, flagOf, isNarrowed, REVIEW_FILTER, useDays } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { CardsTabs } from './cards-tabs';
import { reasonText } from './dispute-form';

type Dispute = Schemas['Dispute'];

const STATUSES = ['open', 'under_review', 'won', 'lost', 'withdrawn'] as const satisfies readonly Dispute['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  REVIEW_FILTER,
  { name: 'card_id', label: 'Card', whole: true },
  { name: 'card_transaction_id', label: 'Card transaction', whole: true },
  ...DAY_FILTERS,
];

const COLUMNS: readonly Column<Dispute>[] = [
  { title: 'Reason', cell: (dispute) => <Reason dispute={dispute} />, place: 'what' },
  { title: 'Status', cell: (dispute) => <DisputeState dispute={dispute} />, place: 'state' },
  {
    title: 'Amount',
    cell: ({ amount, currency }) => <span className="amount">{moneyText(amount, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Waits for', cell: waitsFor, place: 'who' },
  { title: 'About', cell: ({ card_transaction_id: id }) => <IdLink id={id} /> },
  { title: 'Opened', cell: ({ created_at: at }) => <When at={at} />, place: 'time' },
  { title: 'Decided', cell: ({ resolved_at: at }) => <When at={at} /> },
];

/** Who has to do something now. */
export function waitsFor({ status, needs_review: review, withdrawal }: Dispute): string {
  if (status !== 'open' && status !== 'under_review') return 'nobody';
  if (review) return 'an operator, who decides by evidence';
  if (withdrawal === 'requested') return 'the issuer, to let it go';
  return status === 'open' ? 'the issuer, to take it up' : 'the issuer, to decide; it is asked once a day';
}

export function DisputesPage() {
  const mode = useMode();
  const api = useApi();
  const { days, isZoneKnown } = useDays();
  const { status, needs_review: review, card_id, card_transaction_id } = useFilters();
  const wanted = { status, card_id, card_transaction_id, needs_review: flagOf(review), ...days };
  const list = usePages(
    [mode, 'disputes', wanted],
    (cursor) => bodyOf(api.GET('/v4/disputes', { params: { query: { ...wanted, cursor } } })),
    { enabled: isZoneKnown, live: ['dispute'] },
  );
  const isFiltered = isNarrowed(wanted);
  return (
    <>
      <PageHead title="Disputes" />
      <CardsTabs />
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Disputes"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty={isFiltered ? 'No dispute matches.' : <NothingYet />}
        columns={COLUMNS}
      />
    </>
  );
}

function NothingYet() {
  const mode = useMode();
  return (
    <Empty title="No disputes yet. One is opened on the page of a payment by card.">
      <AnchorLink to="/$mode/cards/transactions" params={{ mode }}>
        Card transactions
      </AnchorLink>
    </Empty>
  );
}

function Reason({ dispute: { id, reason } }: { dispute: Dispute }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/cards/disputes/$id" params={{ mode, id: id ?? '' }}>
      {reasonText(reason)}
    </AnchorLink>
  );
}

export function DisputeState({ dispute: { status, needs_review: review } }: { dispute: Dispute }) {
  return (
    <span className="marks">
      {review && <NeedsReview />}
      <StatusBadge status={status.replaceAll('_', ' ')} />
    </span>
  );
}

import { Badge } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { FilterBar, type FilterField, useFilters } from '../../ui/filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { dayStartIn } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { useTimeZone } from '../../ui/use-time-zone';
import { When } from '../../ui/when';
import { CardsTabs } from './cards-tabs';
import { reasonText } from './dispute-form';

type Dispute = Schemas['Dispute'];

const STATUSES = ['open', 'under_review', 'won', 'lost', 'withdrawn'] as const satisfies readonly Dispute['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  {
    name: 'needs_review',
    label: 'Review',
    options: [
      { value: 'true', label: 'needs review' },
      { value: 'false', label: 'needs none' },
    ],
  },
  { name: 'card_id', label: 'Card', whole: true },
  { name: 'card_transaction_id', label: 'Card transaction', whole: true },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
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
  const timeZone = useTimeZone();
  const { status, needs_review: review, card_id, card_transaction_id, from, to } = useFilters();
  const wanted = {
    status,
    card_id,
    card_transaction_id,
    needs_review: review === undefined ? undefined : review === 'true',
    created_gte: dayStartIn(timeZone ?? 'UTC', from),
    created_lt: dayStartIn(timeZone ?? 'UTC', to, 1),
  };
  const list = usePages(
    [mode, 'disputes', wanted],
    (cursor) => bodyOf(api.GET('/v4/disputes', { params: { query: { ...wanted, cursor } } })),
    { enabled: timeZone !== undefined, live: ['dispute'] },
  );
  const isFiltered = Object.values(wanted).some((value) => value !== undefined);
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
      {review && <Badge className="tone tone-bad">needs review</Badge>}
      <StatusBadge status={status.replaceAll('_', ' ')} />
    </span>
  );
}

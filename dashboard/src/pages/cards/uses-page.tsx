import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { Empty } from '../../ui/empty';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, isNarrowed, useDays } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { toMinorOrZero } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { useLivemode, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { CardsTabs } from './cards-tabs';
import { USE_COLUMNS } from './use-columns';

type Use = Schemas['CardTransaction'];

const STATUSES = [
  'authorized',
  'settled',
  'voided',
  'expired',
  'declined',
  'refunded',
] as const satisfies readonly Use['status'][];
const TYPES = [
  'authorization',
  'clearing',
  'refund',
  'fee',
  'dispute_credit',
  'dispute_reversal',
] as const satisfies readonly Use['type'][];

/** What cards are in. */
const CURRENCY = 'USD';
const amountProblem = (text: string) => (toMinorOrZero(text, CURRENCY) === null ? `No amount of ${CURRENCY}` : null);

const FILTERS: readonly FilterField[] = [
  { name: 'type', label: 'Type', options: TYPES, several: true },
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  { name: 'merchant', label: 'Merchant' },
  { name: 'mcc', label: 'MCC', whole: true, problem: (text) => (/^\d{4}$/.test(text) ? null : 'Four digits') },
  {
    name: 'country',
    label: 'Country code',
    whole: true,
    problem: (text) => (/^[A-Za-z]{2}$/.test(text) ? null : 'Two letters'),
  },
  { name: 'amount_from', label: `From ${CURRENCY}`, problem: amountProblem },
  { name: 'amount_to', label: `To ${CURRENCY}`, problem: amountProblem },
  { name: 'card_id', label: 'Card', whole: true },
  { name: 'customer_id', label: 'Customer', whole: true },
  ...DAY_FILTERS,
];

const COLUMNS: readonly Column<Use>[] = [
  ...USE_COLUMNS.slice(0, -1),
  { title: 'Card', cell: ({ card_id }) => <IdLink id={card_id} /> },
  ...USE_COLUMNS.slice(-1),
];

/** What was done with all cards. */
export function CardUsesPage() {
  const mode = useMode();
  const livemode = useLivemode();
  const { days, isZoneKnown } = useDays();
  const { status, type, merchant, mcc, country, card_id, customer_id, ...filters } = useFilters();
  const minor = (text: string | undefined) => (text ? (toMinorOrZero(text, CURRENCY) ?? undefined) : undefined);
  const wanted = {
    status,
    type,
    merchant,
    mcc,
    country: country?.toUpperCase(),
    card_id,
    customer_id,
    amount_gte: minor(filters.amount_from),
    amount_lte: minor(filters.amount_to),
    ...days,
  };
  const list = usePages(
    [mode, 'card-transactions', wanted],
    (cursor) => bodyOf(dashboardApi.GET('/card-transactions', { params: { query: { livemode, ...wanted, cursor } } })),
    { enabled: isZoneKnown, live: ['card'] },
  );
  const isFiltered = isNarrowed(wanted);
  return (
    <>
      <PageHead title="Card transactions" />
      <CardsTabs />
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Card transactions"
        list={list}
        keyOf={({ id }) => id}
        empty={isFiltered ? 'No card transaction matches.' : <NothingYet />}
        columns={COLUMNS}
      />
    </>
  );
}

function NothingYet() {
  const mode = useMode();
  return (
    <Empty title="No card was used yet.">
      {mode === 'test' && (
        <AnchorLink to="/$mode/sandbox" params={{ mode }}>
          Use a card in the sandbox
        </AnchorLink>
      )}
    </Empty>
  );
}

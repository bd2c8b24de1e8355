import { bodyOf } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, flagOf, isNarrowed, REVIEW_FILTER, useDays } from '../../ui/list-filters';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { Waiting } from '../approvals/waiting';
import { type Refund, REFUND_COLUMNS } from './refund-columns';

const STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'cancelled',
] as const satisfies readonly Refund['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  REVIEW_FILTER,
  { name: 'payment_id', label: 'Payment', whole: true },
  { name: 'reference', label: 'Reference', whole: true },
  ...DAY_FILTERS,
];

export function RefundsPage() {
  const mode = useMode();
  const api = useApi();
  const { days, isZoneKnown } = useDays();
  const { status, needs_review: review, payment_id, reference } = useFilters();
  const wanted = { status, payment_id, reference, needs_review: flagOf(review), ...days };
  const list = usePages(
    [mode, 'refunds', wanted],
    (cursor) => bodyOf(api.GET('/api/v1/refunds', { params: { query: { ...wanted, cursor } } })),
    { enabled: isZoneKnown },
  );
  const isFiltered = isNarrowed(wanted);
  return (
    <>
      <PageHead title="Refunds">
        <AnchorLink to="/$mode/payments" params={{ mode }}>
          Payments
        </AnchorLink>
      </PageHead>
      <Waiting />
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Refunds"
        list={list}
        keyOf={({ id }) => id}
        empty={isFiltered ? 'No refund matches.' : 'No refunds yet. A payment that was paid has Refund on its page.'}
        columns={REFUND_COLUMNS}
      />
    </>
  );
}

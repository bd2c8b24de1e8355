import { bodyOf } from '../../api/public-api';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField, useFilters } from '../../ui/filters';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { dayStartIn } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { useTimeZone } from '../../ui/use-time-zone';
import { type Refund, REFUND_COLUMNS } from './refund-columns';

const STATUSES = ['pending', 'processing', 'successful', 'failed'] as const satisfies readonly Refund['status'][];

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
  { name: 'payment_id', label: 'Payment', whole: true },
  { name: 'reference', label: 'Reference', whole: true },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

export function RefundsPage() {
  const mode = useMode();
  const api = useApi();
  const timeZone = useTimeZone();
  const { status, needs_review: review, payment_id, reference, from, to } = useFilters();
  const wanted = {
    status,
    payment_id,
    reference,
    needs_review: review === undefined ? undefined : review === 'true',
    created_gte: dayStartIn(timeZone ?? 'UTC', from),
    created_lt: dayStartIn(timeZone ?? 'UTC', to, 1),
  };
  const list = usePages(
    [mode, 'refunds', wanted],
    (cursor) => bodyOf(api.GET('/api/v1/refunds', { params: { query: { ...wanted, cursor } } })),
    { enabled: timeZone !== undefined },
  );
  const isFiltered = Object.values(wanted).some((value) => value !== undefined);
  return (
    <>
      <PageHead title="Refunds">
        <AnchorLink to="/$mode/payments" params={{ mode }}>
          Payments
        </AnchorLink>
      </PageHead>
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

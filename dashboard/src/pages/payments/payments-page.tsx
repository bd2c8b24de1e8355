import { Button, Modal } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, flagOf, isNarrowed, REVIEW_FILTER, useDays } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { CURRENCIES, moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { PaymentForm } from './payment-form';

const STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'expired',
  'cancelled',
  'reversed',
] as const satisfies readonly Schemas['Payment']['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  REVIEW_FILTER,
  { name: 'currency', label: 'Currency', options: CURRENCIES },
  { name: 'reference', label: 'Reference', whole: true },
  ...DAY_FILTERS,
];

function usePayments() {
  const mode = useMode();
  const api = useApi();
  const { days, isZoneKnown } = useDays();
  const { status, needs_review: review, currency, reference } = useFilters();
  const wanted = {
    status,
    reference,
    currency: CURRENCIES.find((known) => known === currency),
    needs_review: flagOf(review),
    ...days,
  };
  const list = usePages(
    [mode, 'payments', wanted],
    (cursor) => bodyOf(api.GET('/api/v1/payments', { params: { query: { ...wanted, cursor } } })),
    { enabled: isZoneKnown, live: ['payment', 'refund'] },
  );
  return { list, isFiltered: isNarrowed(wanted) };
}

export function PaymentsPage() {
  const mode = useMode();
  const { hasScope } = useMay();
  const [creating, { open, close }] = useNewForm();
  const { list, isFiltered } = usePayments();
  return (
    <>
      <PageHead title="Payments">
        <AnchorLink to="/$mode/refunds" params={{ mode }}>
          Refunds
        </AnchorLink>
        {hasScope('payments:write') && <Button onClick={open}>Ask for a payment</Button>}
      </PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Payments"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty={
          isFiltered
            ? 'No payment matches.'
            : 'No payments yet. A payment is money that comes in through a checkout page: Ask for a payment.'
        }
        columns={[
          { title: 'Payment', cell: ({ id }) => <IdLink id={id} />, place: 'what' },
          { title: 'Status', cell: (payment) => <State payment={payment} />, place: 'state' },
          {
            title: 'Amount',
            cell: ({ amount, currency }) => <span className="amount">{moneyText(amount, currency)}</span>,
            numeric: true,
            place: 'amount',
          },
          { title: 'For', cell: ({ description, reference }) => description ?? reference ?? '–', place: 'who' },
          { title: 'Gateway', cell: ({ gateway }) => gateway ?? '–' },
          {
            title: 'Sent back',
            cell: ({ amount_refunded: amount, currency }) => (amount > 0 ? moneyText(amount, currency) : '–'),
            numeric: true,
          },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
        ]}
      />
      <Modal opened={creating} onClose={close} title="Ask for a payment">
        <PaymentForm />
      </Modal>
    </>
  );
}

function State({ payment: { status, needs_review: needsReview } }: { payment: Schemas['Payment'] }) {
  return (
    <span className="marks">
      {needsReview && <NeedsReview />}
      <StatusBadge status={status} />
    </span>
  );
}

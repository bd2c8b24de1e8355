import type { Schemas } from '../../api/public-api';
import type { Column } from '../../ui/data-table';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { AwaitsApproval, NeedsReview, StatusBadge } from '../../ui/status-badge';
import { When } from '../../ui/when';

export type Refund = Schemas['Refund'];

/** How refunds are shown in a list. */
export const REFUND_COLUMNS: readonly Column<Refund>[] = [
  { title: 'Refund', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Payment', cell: ({ payment_id: id }) => <IdLink id={id} />, place: 'who' },
  {
    title: 'Status',
    cell: ({ status, approval, needs_review: needsReview }) => (
      <span className="marks">
        {needsReview && <NeedsReview />}
        {approval?.status === 'awaiting' ? <AwaitsApproval /> : <StatusBadge status={status} />}
      </span>
    ),
    place: 'state',
  },
  {
    title: 'Amount',
    cell: ({ amount, currency }) => <span className="amount">{moneyText(amount, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Fee', cell: ({ fee, currency }) => moneyText(fee, currency), numeric: true },
  { title: 'Reason', cell: ({ reason, failure }) => failure?.message ?? reason ?? '–', place: 'what' },
  { title: 'Transaction', cell: ({ transaction_id: id }) => <IdLink id={id} /> },
  { title: 'Asked', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
];

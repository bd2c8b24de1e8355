import type { Schemas } from '../../api/public-api';
import type { Column } from '../../ui/data-table';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';

export type Transaction = Schemas['Transaction'];

/** How transactions are shown in a list. */
export const TRANSACTION_COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Transaction', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Type', cell: (transaction) => <What transaction={transaction} />, place: 'what' },
  { title: 'Status', cell: (transaction) => <State transaction={transaction} />, place: 'state' },
  {
    title: 'Amount',
    cell: ({ amount_display, direction }) => `${direction === 'debit' ? '−' : '+'} ${amount_display}`,
    numeric: true,
    place: 'amount',
  },
  { title: 'For', cell: ({ recipient, reference }) => recipient ?? reference ?? '–', place: 'who' },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
];

/** Shown where somebody wants them. */
export const FURTHER_COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
  { title: 'Wallet', cell: ({ wallet_id }) => <IdLink id={wallet_id} /> },
  { title: 'Fee', cell: ({ fee, currency }) => moneyText(fee, currency), numeric: true },
  {
    title: 'Balance after',
    cell: ({ balance_after, currency }) => (balance_after === null ? '–' : moneyText(balance_after ?? 0, currency)),
    numeric: true,
  },
];

function What({ transaction: { id, type } }: { transaction: Transaction }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/transactions/$id" params={{ mode, id: id ?? '' }}>
      {type.replaceAll('_', ' ')}
    </AnchorLink>
  );
}

function State({ transaction: { status, needs_review: needsReview } }: { transaction: Transaction }) {
  return (
    <span className="marks">
      {needsReview && <NeedsReview />}
      <StatusBadge status={status} />
    </span>
  );
}

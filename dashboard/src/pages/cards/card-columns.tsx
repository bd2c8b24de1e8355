import type { Schemas } from '../../api/public-api';
import type { Column } from '../../ui/data-table';
import { AnchorLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { StatusBadge } from '../../ui/status-badge';
import { useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';

/** What lists show of cards. */
export const CARD_COLUMNS: readonly Column<Schemas['Card']>[] = [
  { title: 'Card', cell: (card) => <CardName card={card} />, place: 'what' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, place: 'state' },
  { title: 'Number', cell: ({ last4 }) => (last4 ? `•••• ${last4}` : '–') },
  { title: 'Holder', cell: ({ name_on_card: name }) => name, place: 'who' },
  {
    title: 'Available',
    cell: ({ balance, currency }) => <span className="amount">{moneyText(balance.available, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  {
    title: 'Held',
    cell: ({ balance, currency }) => <span className="amount">{moneyText(balance.held, currency)}</span>,
    numeric: true,
  },
  { title: 'Issued', cell: ({ created_at: at }) => <When at={at} />, place: 'time' },
];

function CardName({ card: { id, label, masked_number: number } }: { card: Schemas['Card'] }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/cards/$id" params={{ mode, id: id ?? '' }}>
      {label ?? number ?? id}
    </AnchorLink>
  );
}

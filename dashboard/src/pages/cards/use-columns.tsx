import type { Schemas } from '../../api/public-api';
import type { Column } from '../../ui/data-table';
import { AnchorLink, IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { StatusBadge } from '../../ui/status-badge';
import { useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { countryText } from './countries';
import { categoryGroup, categoryText } from './merchant-categories';

type Use = Schemas['CardTransaction'];

/** What a merchant did not ask for first. */
const NO_PURCHASE: Partial<Record<Use['type'], string>> = {
  clearing: 'Taken without asking',
  refund: 'Refund',
  fee: 'Fee of the issuer',
  dispute_credit: 'Credit of a dispute',
  dispute_reversal: 'Credit taken back',
};

/** What was done with cards, as lists show it. */
export const USE_COLUMNS: readonly Column<Use>[] = [
  { title: 'Merchant', cell: (use) => <Merchant use={use} />, place: 'what' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, place: 'state' },
  {
    title: 'Amount',
    cell: ({ amount, currency }) => <span className="amount">{moneyText(amount, currency)}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Category', cell: (use) => <Category use={use} />, place: 'who' },
  { title: 'At', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
  { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
];

function Merchant({ use: { id, type, merchant } }: { use: Use }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/card-transactions/$id" params={{ mode, id }}>
      {[NO_PURCHASE[type], merchant?.name].filter(Boolean).join(', ') || type.replaceAll('_', ' ')}
    </AnchorLink>
  );
}

/** What it was for, or why it was not; the code and the country's name are told where it is pointed at. */
function Category({ use: { merchant, decline_reason: declined } }: { use: Use }) {
  if (declined) return <>declined: {declined.replaceAll('_', ' ')}</>;
  if (!merchant) return <>–</>;
  return (
    <span title={`${categoryText(merchant.mcc)}, ${countryText(merchant.country)}`}>
      {categoryGroup(merchant.mcc)}, {merchant.country}
    </span>
  );
}

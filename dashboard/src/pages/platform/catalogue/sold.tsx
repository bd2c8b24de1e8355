import type { DashboardSchemas } from '../../../api/dashboard-api';
import type { FilterField } from '../../../ui/filters';
import { StatusBadge } from '../../../ui/status-badge';

export type Facts = DashboardSchemas['CatalogueFacts'];
type Asked = DashboardSchemas['Asked'];

/** Who is asked, in order. */
export const providersText = ({ providers }: Asked): string => providers.join(', ') || 'nobody';

/** Whether it can be bought now. */
export function Availability({ asked, isOnSale = true }: { asked: Asked; isOnSale?: boolean }) {
  return <StatusBadge status={isOnSale ? (asked.available ? 'available' : 'no provider') : 'not on sale'} />;
}

/** An amount, or from one to another, on one line each. */
export function Amounts({ texts }: { texts: readonly string[] }) {
  return texts.map((text, at) => (
    <span key={text}>
      {at > 0 && ' to '}
      <span className="amount">{text}</span>
    </span>
  ));
}

/** Filters that plans and billers share. */
export const saleFields = (kind: string, kinds: readonly string[], countries: readonly string[]): FilterField[] => [
  { name: 'q', label: 'Name or code' },
  { name: 'kind', label: kind, options: kinds },
  { name: 'country', label: 'Country', options: countries },
  { name: 'sale', label: 'On sale', options: ['yes', 'no'] },
];

type Words = Readonly<Record<string, string | undefined>>;

/** What the address asks for, as both routes take it. */
export const queryOf = ({ q, kind, country, sale }: Words, livemode: boolean) => ({
  livemode,
  q: q || undefined,
  kind: kind || undefined,
  country: country || undefined,
  on_sale: sale === 'yes' ? true : sale === 'no' ? false : undefined,
});

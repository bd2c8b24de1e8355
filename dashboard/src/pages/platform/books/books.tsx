/** An amount that the service has made a text of, with the one minus of these pages, on one line. */
export function Display({ text }: { text: string }) {
  return <span className="amount">{text.replace('-', '−')}</span>;
}

/** What ledger accounts are for, by the start of their name. */
const PURPOSES: Readonly<Record<string, string>> = {
  wallet: 'money of customers in wallets',
  card: 'money of customers on cards',
  fees: 'what customers paid beside amounts',
  commissions: 'what customers got off',
  margins: 'between a price and its cost',
  treasury: 'our bank',
  opening: 'money that operators brought in',
  payment_differences: 'paid too much or too little',
  fx_position: 'what conversions left',
  provider_float: 'our money at a provider',
  gateway: 'what a gateway collected for us',
  deposits: 'what a bank collected for us',
  card_issuer: 'what an issuer paid to merchants',
  card_debts: 'what accounts owe for cards',
  in_transit: 'under way between cells',
  sandbox_source: 'where test money comes from',
};

export const purposeOf = (name: string): string => PURPOSES[name.split(':')[0]!] ?? '–';

import type { Locator } from 'playwright-core';
import type { Visitor } from './dashboard-visitor';

/** Something that a page sends, and of which there must be one afterwards. */
export interface Form {
  readonly what: string;
  readonly route: string;
  readonly open: () => Promise<void>;
  readonly button: () => Locator;
  /** How much of it there is. */
  readonly count: () => Promise<number>;
}

interface Sender {
  readonly ada: Visitor;
  /** A wallet with money of NGN. */
  readonly shop: string;
  /** A payment that was paid. */
  readonly paid: string;
}

let batches = 0;

/** Forms that move money out of an account, or back. `sender` is known when they are opened. */
export function moneyForms(sender: () => Sender): Form[] {
  const ada = () => sender().ada;
  const sizeOf = async (path: string): Promise<number> => (await ada().call('GET', `/test/v4/${path}`)).data.length;
  const submit = (): Locator => ada().dialog().locator('button[type=submit]');
  const openDialog = async (page: string, button: string): Promise<void> => {
    await ada().see(page);
    await ada().press(button);
  };
  return [
    {
      what: 'a payout',
      route: '**/v4/payouts',
      button: () => ada().page.getByRole('button', { name: /^Send NGN/ }),
      count: () => sizeOf('payouts?limit=100'),
      open: async () => {
        await openDialog('/test/payouts', 'New payout');
        await ada().dialog().getByRole('combobox', { name: 'Bank' }).selectOption('058');
        await ada().dialog().getByRole('combobox', { name: 'From' }).selectOption(sender().shop);
        await ada().fill({ 'Account number': '0123456789', Amount: '100' }, ada().dialog());
        await ada().press('Check it', ada().dialog());
      },
    },
    {
      what: 'a customer',
      route: '**/v4/customers',
      button: submit,
      count: () => sizeOf('customers?limit=100'),
      open: () => openDialog('/test/cards/customers', 'New customer'),
    },
    {
      what: 'a dispute',
      route: '**/v4/card-transactions/*/disputes',
      button: submit,
      count: () => sizeOf('disputes?limit=100'),
      open: async () => {
        const cards = (await ada().call('GET', '/test/v4/cards?status=active&limit=100')).data;
        const play = { kind: 'clearing', amount: 100 };
        const { id } = await ada().call('POST', `/test/v4/sandbox/cards/${cards.at(-1).id}/simulate`, play);
        await openDialog(`/test/card-transactions/${id}`, 'Dispute');
        await ada().fill({ 'What happened': 'It never came.' }, ada().dialog());
      },
    },
    {
      what: 'a batch',
      route: '**/v4/batches',
      button: () => ada().button('Start the batch'),
      count: async () =>
        (await ada().call('GET', '/test/v4/batches?limit=100')).data.filter(({ dry_run }: any) => !dry_run).length,
      open: async () => {
        await ada().see('/test/batches/new');
        const { data } = await ada().call('GET', '/test/v4/wallets?currency=NGN&limit=100');
        const { shop } = sender();
        const row = `again-${++batches},${shop},${data.find(({ id }: { id: string }) => id !== shop).id},1000`;
        await ada().page.getByLabel('What each row is').selectOption('transfer');
        // Answered at once: nobody works on others here.
        await ada().page.locator('select[name=on_error]').selectOption('all_or_nothing');
        await ada().page.getByRole('textbox', { name: 'CSV' }).fill(`reference,from_wallet,to_wallet,amount\n${row}`);
        await ada().press('Check it');
        await ada().button('Start the batch').waitFor();
      },
    },
    {
      what: 'a transfer',
      route: '**/v4/wallets/transfer',
      button: submit,
      count: () => sizeOf('wallets/transfers?limit=100'),
      open: async () => {
        await openDialog(`/test/wallets/${sender().shop}`, 'Transfer');
        await ada().fill({ Amount: '10' }, ada().dialog());
      },
    },
    {
      what: 'a conversion',
      route: '**/v4/conversions',
      button: () => ada().button('Convert it'),
      count: () => sizeOf('conversions?limit=100'),
      open: async () => {
        await openDialog('/test/conversions', 'Convert');
        await ada().dialog().getByRole('combobox', { name: 'Sell from' }).selectOption(sender().shop);
        await ada().fill({ Amount: '2,000' }, ada().dialog());
        await ada().press('Ask for a quote', ada().dialog());
      },
    },
    {
      what: 'a refund',
      route: '**/api/v1/payments/*/refunds',
      button: () => ada().button('Refund'),
      count: async () => (await ada().call('GET', '/test/api/v1/refunds')).data.length,
      open: async () => {
        await ada().see(`/test/payments/${sender().paid}`);
        await ada().fill({ 'Refund (NGN)': '10' });
      },
    },
    {
      what: 'an account number',
      route: '**/v4/virtual-accounts',
      open: () => openDialog('/test/virtual-accounts', 'New account number'),
      button: submit,
      count: () => sizeOf('virtual-accounts?limit=100'),
    },
  ];
}

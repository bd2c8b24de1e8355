import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser } from './support/browser';
import { fillAccount, PASSWORD, Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const FOR_ALL = [
  'Home',
  'Transactions',
  'Wallets',
  'Cards',
  'Payments',
  'Payouts',
  'Batches',
  'Beneficiaries',
  'Virtual accounts',
  'Conversions',
  'Reports',
  'Webhooks',
  'Signature checker',
  'Events',
  'Team',
  'Security',
];
/** Said here a second time, so that a slip in the navigation is seen. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  owner: [...FOR_ALL, 'API keys', 'Request log', 'Sandbox', 'Checkout page', 'Audit log'],
  developer: [...FOR_ALL, 'API keys', 'Request log', 'Sandbox'],
  finance: [...FOR_ALL, 'Audit log'],
  support: [...FOR_ALL, 'Request log'],
};

/** What changes something, by page: its buttons, and what unfolds to one. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  '': ['Send test money'],
  transactions: [],
  'transactions/one': ['Ask the provider again', 'Cancel it', 'Settle'],
  wallets: ['New wallet'],
  'wallets/one': ['Transfer', 'Settings', 'Freeze', 'Close'],
  cards: ['Issue a card'],
  'cards/one': ['Rename', 'Freeze', 'Terminate', 'Reveal', 'Load the card', 'Take back', 'Remove', 'Set limit', 'Add'],
  'cards/customers': ['New customer'],
  'cards/transactions': [],
  'cards/disputes': [],
  payments: ['Ask for a payment'],
  'payments/one': [],
  refunds: [],
  payouts: ['New payout'],
  batches: [],
  beneficiaries: ['New beneficiary'],
  'virtual-accounts': ['New account number'],
  conversions: ['Convert'],
  reports: [],
  keys: ['New key', 'Roll', 'Revoke'],
  webhooks: ['New endpoint'],
  'webhooks/one': [
    'Edit',
    'Enable',
    'Enable and send what it missed',
    'Show secret',
    'Rotate secret',
    'Delete',
    'Replay events',
    'Count them',
  ],
  'deliveries/one': ['Send again'],
  events: [],
  requests: [],
  sandbox: ['Reset the sandbox', 'Credit', 'Advance', 'Set', 'Settle', 'Trigger', 'Simulate', 'Complete', 'Run'],
  team: ['Invite', 'Rename', 'Remove', 'Send again', 'Withdraw'],
  branding: ['Save', 'Choose a file'],
  'audit-log': [],
};
const ONLY_READS =
  /^(Filters|any|Find|Columns|Views|Load more|Copy( .+)?|The same as a table|Group the errors|Try again|New report|(GET|POST|PATCH|PUT|DELETE) \/.*)$/;

describeInBrowser('roles at the dashboard, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let owner: Visitor;
  /** Pages of one thing each, by the list that they belong to. */
  let details: Map<string, string>;

  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
    browser = await openBrowser();
    owner = await Visitor.of(browser, duka.url);
    await owner.signUp('ada@example.com');
    const pages = [...(await fillAccount(owner)), `deliveries/${await newDelivery()}`];
    details = new Map(pages.map((page) => [page.split('/')[0]!, page]));
    const spending_controls = { limits: [{ amount: 10_000, interval: 'daily' }] };
    await owner.call('PATCH', `/test/v4/${details.get('cards')}`, { spending_controls });
    // What no relay has read yet is not missed, and another test's transaction may hold the relay up.
    await until(async () => (await owner.call('GET', `/test/v4/${details.get('webhooks')}/missed`)).count > 0);
  });

  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
  });

  async function newDelivery(): Promise<string> {
    const { id } = await owner.call('POST', '/test/v4/webhooks', { url: 'http://127.0.0.1:9/other', events: ['*'] });
    return (await owner.call('POST', `/test/v4/webhooks/${id}/test`)).id;
  }

  async function join(role: string): Promise<Visitor> {
    await owner.call('POST', '/auth/step-up', { password: PASSWORD });
    const { invite_url: link } = await owner.call('POST', '/team', { name: role, email: `${role}@example.com`, role });
    const visitor = await Visitor.of(browser, duka.url);
    await visitor.join(link);
    return visitor;
  }

  /** What the page offers that is not known to change nothing, each once. */
  async function writesOf(visitor: Visitor, page: string, mode = 'test'): Promise<string[]> {
    const path = `/${mode}/${page.endsWith('/one') ? details.get(page.split('/')[0]!) : page}`;
    await (visitor === owner ? visitor.see(path) : visitor.go(path));
    const names: string[] = await visitor.page
      .locator('#main')
      .locator('button, summary:not(.step summary)')
      .evaluateAll((all: any[]) => all.map((one) => one.textContent.trim() || one.getAttribute('aria-label')));
    return [...new Set(names)].filter((name) => !ONLY_READS.test(name));
  }

  const sorted = (words: readonly string[] = []) => [...words].sort();

  it('an owner is offered all but the platform', async () => {
    expect(sorted(await owner.pagesOffered())).toEqual(sorted(OFFERED.owner));
    for (const [page, writes] of Object.entries(WRITES))
      expect([page, sorted(await writesOf(owner, page))]).toEqual([page, sorted(writes)]);
  });

  it.each(['finance', 'support'])('%s is offered what it reads, and nothing that changes anything', async (role) => {
    const visitor = await join(role);
    expect(sorted(await visitor.pagesOffered())).toEqual(sorted(OFFERED[role]));
    for (const page of Object.keys(WRITES)) {
      expect([page, await writesOf(visitor, page)]).toEqual([page, []]);
      expect([
        page,
        await visitor.page.locator('#main').locator('form:not([role=search]), [aria-label^="Role of"]').count(),
      ]).toEqual([page, 0]);
      expect(
        await visitor.page
          .locator('#main')
          .getByRole('link', { name: /API key/ })
          .count(),
      ).toBe(0);
    }
    expect(visitor.faults.errors).toEqual([]);
    await visitor.close();
  });

  it('a developer has the whole sandbox, and of what is live only webhooks', async () => {
    await duka.enableLive((await owner.call('GET', '/me')).account.id);
    const visitor = await join('developer');
    expect(sorted(await visitor.pagesOffered())).toEqual(sorted(OFFERED.developer));
    for (const page of ['wallets', 'keys', 'webhooks']) expect(await writesOf(visitor, page)).toEqual(WRITES[page]);
    await visitor.see('/live');
    expect(sorted(await visitor.pagesOffered())).toEqual(
      sorted(OFFERED.developer!.filter((page) => page !== 'Sandbox')),
    );
    for (const page of ['', 'wallets', 'cards', 'payments', 'keys'])
      expect([page, await writesOf(visitor, page, 'live')]).toEqual([page, []]);
    expect(await writesOf(visitor, 'webhooks', 'live')).toEqual(WRITES.webhooks);
    await visitor.close();
  });
});

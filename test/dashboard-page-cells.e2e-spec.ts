import type { Browser, Locator } from 'playwright-core';
import { decodeId } from '../src/core/http/ids';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { ThreeCells } from './support/cells';
import { Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { Shopper } from './support/shopper';

const EMAIL = 'olu@example.com';
/** More than a number holds to the last digit. */
const MUCH = '9007199254740993';

describeInBrowser('the pages of an operator over three cells, in a browser', () => {
  let cells: ThreeCells;
  let browser: Browser;
  let olu: Visitor;
  let purchase: string;

  beforeAll(async () => {
    cells = await ThreeCells.start();
    browser = await openBrowser();
    olu = await Visitor.of(browser, cells.of.a.url);
    await olu.signUp(EMAIL);
    await cells.of.a.setOperator(EMAIL, true);
    await (await cells.of.a.account('Shop of a')).api.wallet(10_050);
    await cells.of.c.account('Shop of c');
    const shopper = await Shopper.in(cells.of.b);
    await cells.of.b.asOwner(`UPDATE accounts SET name = 'Shop of b' WHERE id = $1`, [shopper.owner.accountId]);
    ({ id: purchase } = (await shopper.steer('outcome=timeout; then=never')).body);
    // As hours of questions without an answer would.
    const id = decodeId('txn', purchase);
    await cells.of.b.asOwner(`UPDATE purchases SET review = 'no answer' WHERE id = $1`, [id]);
    await cells.of.b.asOwner('UPDATE transactions SET needs_review = true WHERE id = $1', [id]);
  });

  afterAll(async () => {
    await browser?.close();
    await cells?.stop();
  });

  afterEach(() => expect(olu.faults.errors.splice(0)).toEqual([]));

  const row = (table: string, text: string): Locator =>
    olu.page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text }).first();
  const valuesOf = async (table: string, text: string): Promise<string[]> => {
    await row(table, text).waitFor();
    return (await row(table, text).getByRole('cell').allInnerTexts()).map((value) => value.trim());
  };
  const choice = (): Locator => olu.page.getByLabel('Cell', { exact: true });

  it('shows where reviews wait, and what all cells have together', async () => {
    await olu.see('/test/cells?of=test');
    expect(await valuesOf('Cells', 'yours')).toEqual([
      'a, yours, control cell',
      'answers',
      '1,280',
      '0 to review',
      '–',
      'in order',
    ]);
    expect((await valuesOf('Cells', '1,536')).slice(0, 4)).toEqual(['b', 'answers', '1,536', '1 to review']);
    const amounts = async (cell: string) => (await valuesOf('NGN by cell', cell)).slice(1);
    const sums = ['NGN 1,100.50', 'NGN −1,100.50', 'NGN 0.00', 'NGN 0.00'];
    expect(await amounts('Together')).toEqual(sums);
    expect(await valuesOf('NGN by cell', 'NGN 1,000.00')).toEqual([
      'b',
      'NGN 1,000.00',
      'NGN −1,000.00',
      'NGN 0.00',
      'NGN 0.00',
    ]);
    const sides = `INSERT INTO ledger_accounts (account_id, id, name, currency, livemode, available) VALUES
      ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'treasury', 'KES', true, ${MUCH})`;
    const [a, b] = [cells.of.a, cells.of.b] as [Duka, Duka];
    for (const duka of [a, b]) await duka.asOwner(sides);
    await olu.see('/test/cells');
    for (const duka of [a, b]) await duka.asOwner(`DELETE FROM ledger_accounts WHERE currency = 'KES' AND livemode`);
    expect((await valuesOf('KES by cell', 'Together')).slice(2, 3)).toEqual(['KES 180,143,985,094,819.86']);
    expect(await seriousFindings(olu.page)).toEqual([]);
    await olu.page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(olu.page)).toBe(0);
    await olu.page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('leads to the cell where work waits, and changes are made there', async () => {
    await olu.click(row('Cells', '1,536').getByRole('link', { name: '1 to review' }));
    await olu.at(/\/reviews\?cell=b$/);
    await olu.click(row('Reviews', 'Shop of b').getByRole('link'));
    await olu.at(/\/reviews\/txn_\w+\?.*cell=b/);
    await olu.page.reload();
    await olu.page.getByText('Of this amount one person decides. In the cell b.').waitFor();
    await olu.page.getByRole('radio', { name: /^not delivered/ }).check();
    await olu.fill({ Reason: 'Their support says so.' });
    await olu.press('Decide');
    await olu.prove();
    await olu.told('It is decided.');
    const [{ status }] = (await cells.of.b.asOwner('SELECT status FROM transactions WHERE id = $1', [
      decodeId('txn', purchase),
    ])) as [{ status: string }];
    expect(status).toBe('failed');
  });

  it('keeps the cell that is chosen, and what was read of another apart', async () => {
    await olu.see('/test/accounts');
    await row('Accounts', 'Shop of a').waitFor();
    await choice().selectOption('b');
    await olu.at(/\/accounts\?cell=b$/);
    await row('Accounts', 'Shop of b').waitFor();
    expect(await row('Accounts', 'Shop of a').count()).toBe(0);
    await olu.page.reload();
    await row('Accounts', 'Shop of b').waitFor();
    expect(await choice().inputValue()).toBe('b');
    await olu.click(olu.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Books' }));
    await olu.at(/\/books\?cell=b$/);
    await olu.press('Verify the books');
    await olu.told('The books are being verified.');
    const counted = (duka: Duka) => duka.asOwner('SELECT count(*)::int AS count FROM ledger_verifications');
    expect([await counted(cells.of.a), await counted(cells.of.b)]).toEqual([[{ count: 0 }], [{ count: 1 }]]);
    await choice().selectOption('a');
    await olu.page.getByText('Nobody has verified the books yet.').waitFor();
  });

  it('finds accounts of all cells; to open one goes to its cell', async () => {
    await olu.see('/test/accounts?q=shop%20of');
    await olu.click(olu.page.getByRole('navigation', { name: 'Accounts of' }).getByText('All cells'));
    await olu.at(/cells=all/);
    const chosen = olu.page.getByRole('navigation', { name: 'Accounts of' }).locator('[aria-current]');
    expect(await chosen.allInnerTexts()).toEqual(['All cells']);
    for (const name of ['a', 'b', 'c']) expect((await valuesOf('Accounts', `Shop of ${name}`))[1]).toBe(name);
    await olu.click(row('Accounts', 'Shop of b').getByRole('link'));
    await olu.at(/\/accounts\/acct_\w+\?cell=b$/);
    await olu.page.getByRole('heading', { level: 1, name: 'Shop of b' }).waitFor();
    // Of one thing another cell knows nothing: the switch leads to the list.
    await choice().selectOption('c');
    await olu.at(/\/accounts\?cell=c$/);
    await row('Accounts', 'Shop of c').waitFor();
  });

  it('says which cell is away, and that sums and what was found are without it', async () => {
    await cells.of.c.app.close();
    await olu.see('/test/cells?of=test');
    await olu.page.getByText('Without c: this cell does not answer.').waitFor();
    expect((await valuesOf('Cells', 'away')).slice(0, 2)).toEqual(['c', 'away']);
    expect((await valuesOf('NGN by cell', 'Together'))[1]).toBe('NGN 1,100.50');
    await olu.see('/test/accounts?q=shop%20of&cells=all');
    await olu.page.getByText('Without c: this cell does not answer.').waitFor();
    await row('Accounts', 'Shop of b').waitFor();
    expect(await row('Accounts', 'Shop of c').count()).toBe(0);
    expect(await choice().locator('option').allInnerTexts()).toEqual(['Cell a, yours', 'Cell b', 'Cell c, away']);
    await cells.restart('c');
    await olu.see('/test/accounts?cell=c');
    await row('Accounts', 'Shop of c').waitFor();
  });
});

import { Client } from 'pg';
import { atOnce } from '../src/core/database/checks';
import { CARD_CHECKS, CARD_TRANSACTION_CHECKS } from '../src/modules/cards/card-checks';
import { expectBooksToBalance, IN_PIECES } from './support/books';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

let duka: Duka;
let owner: Client;

/** Of a card that has one of each: open, cleared in part, refunded, voided, declined, a fee; and of one that owes. */
beforeAll(async () => {
  duka = await Duka.start();
  const network = await CardNetwork.in(duka, 10_000);
  const [, partly, refunded, voided] = await Promise.all(
    [100, 200, 300, 400].map((amount) => network.done('authorization', { amount })),
  );
  await network.step('clearing', partly.id, 50);
  await network.step('clearing', refunded.id);
  await network.step('refund', refunded.id);
  await network.step('void', voided.id);
  await network.done('decline', { amount: 5 });
  await network.done('fee', { amount: 5 });
  const overdrawn = await CardNetwork.in(duka, 1_000);
  const { id } = await overdrawn.done('authorization', { amount: 400 });
  await overdrawn.step('clearing', id, 5_000);
  owner = new Client({ connectionString: duka.env.DATABASE_URL });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await expectBooksToBalance(duka.env.DATABASE_URL!, IN_PIECES);
  await duka.stop();
});

/** What breaks each check. */
const BREAKS: Readonly<Record<string, string>> = {
  card_transactions_equal_entries: `UPDATE card_transactions SET cleared = 49 WHERE cleared = 50`,
  open_authorizations_equal_held: `UPDATE card_transactions SET released = 1 WHERE status = 'authorized'`,
  card_issuer_got_what_was_cleared: `UPDATE card_transactions SET cleared = 49 WHERE cleared = 50`,
  card_transactions_equal_steps: `DELETE FROM card_clearings WHERE kind = 'refund'`,
  card_transactions_have_the_status_of_their_sums: `UPDATE card_transactions SET status = 'settled' WHERE status = 'refunded'`,
  card_fees_have_records: `DELETE FROM transactions WHERE type = 'card_fee'`,
  card_transactions_are_announced: `DELETE FROM events WHERE type = 'card.transaction.voided'`,
};

/** Of cards, those about what they owe. */
const DEBT_BREAKS: Readonly<Record<string, string>> = {
  cards_equal_their_movements: `UPDATE cards SET debt = debt + 1 WHERE debt > 0`,
  cards_in_debt_are_empty: `UPDATE ledger_accounts SET available = 1 WHERE id IN (SELECT id FROM cards WHERE debt > 0)`,
  debts_of_cards_equal_ledger: `UPDATE cards SET debt = debt + 1 WHERE debt > 0`,
  cards_are_announced: `DELETE FROM events WHERE type = 'card.overdrawn'`,
};

/** Without what the table itself refuses. */
const TIER_BREAKS = [`kyc_tier = 1`, `kyc_tier = 4`, `kyc_tier = -1`].map(
  (wrong) => `ALTER TABLE customers DROP CONSTRAINT customers_kyc_tier; UPDATE customers SET ${wrong}`,
);

/** What an overdrawn card transaction says of who paid it. */
const SHARES = ['over', 'from_wallet', 'from_debt', 'debt_paid'];

it.each(SHARES)('what is said of %s is proven', async (column) => {
  const { violations } = CARD_TRANSACTION_CHECKS.find(({ name }) => name === 'card_transactions_equal_entries')!;
  await owner.query(
    `BEGIN; UPDATE card_transactions SET ${column} = ${column} + 1, amount = amount + 1 WHERE over > 0`,
  );
  const { rows } = await owner.query(atOnce(violations));
  await owner.query('ROLLBACK');
  expect(rows.length).toBeGreaterThan(0);
});

it.each(Object.entries(DEBT_BREAKS))('%s is quiet, and sees what is wrong with a debt', async (check, sql) => {
  const { violations } = CARD_CHECKS.find(({ name }) => name === check)!;
  expect((await owner.query(atOnce(violations))).rows).toEqual([]);
  await owner.query(`BEGIN; ${sql}`);
  const { rows } = await owner.query(atOnce(violations));
  await owner.query('ROLLBACK');
  expect(rows.length).toBeGreaterThan(0);
});

it.each(TIER_BREAKS)('a tier that somebody cannot have is seen: %s', async (sql) => {
  const { violations } = CARD_CHECKS.find(({ name }) => name === 'verified_customers_have_a_tier')!;
  expect((await owner.query(atOnce(violations))).rows).toEqual([]);
  await owner.query(`BEGIN; ${sql}`);
  const { rows } = await owner.query(atOnce(violations));
  await owner.query('ROLLBACK');
  expect(rows.length).toBeGreaterThan(0);
});

it('each check of the books has a break to be tried with', () => {
  expect(Object.keys(BREAKS)).toEqual(CARD_TRANSACTION_CHECKS.map(({ name }) => name));
});

it.each(CARD_TRANSACTION_CHECKS)('$name is quiet, and sees what it is for', async ({ name, violations }) => {
  expect((await owner.query(atOnce(violations))).rows).toEqual([]);
  await owner.query(`BEGIN; ${BREAKS[name]!}`);
  const { rows } = await owner.query(atOnce(violations));
  await owner.query('ROLLBACK');
  expect(rows.length).toBeGreaterThan(0);
});

import { Client } from 'pg';
import { atOnce } from '../src/core/database/checks';
import { CARD_TRANSACTION_CHECKS } from '../src/modules/cards/card-checks';
import { expectBooksToBalance, IN_PIECES } from './support/books';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

let duka: Duka;
let owner: Client;

/** Of a card that has one of each: open, cleared in part, refunded, voided, declined, a fee. */
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

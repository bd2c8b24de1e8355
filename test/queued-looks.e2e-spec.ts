import { DataSource } from 'typeorm';
import { ReadPipeline } from '../src/core/database/pipeline';
import { Duka } from './support/duka';
import { Shopper } from './support/shopper';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

test('credits look for queued purchases by one prepared statement for those of the same moment', async () => {
  const shoppers = await Promise.all(Array.from({ length: 12 }, () => Shopper.in(duka)));
  const order = {
    amount: 150_000,
    on_insufficient_funds: 'queue',
    deliver_by: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const queued = await Promise.all(shoppers.map((shopper) => shopper.buy(order)));
  expect(queued.map(({ status, body }) => [status, body.status])).toEqual(queued.map(() => [202, 'pending']));
  const planned = jest.spyOn(duka.get<DataSource>(DataSource), 'query');
  const prepared = jest.spyOn(duka.get<ReadPipeline>(ReadPipeline), 'query');
  await Promise.all(shoppers.map((shopper) => shopper.fund(100_000)));
  const looks = prepared.mock.calls.filter(([{ name }]) => name === 'select_payable_purchases').length;
  expect(
    planned.mock.calls.filter(
      ([text, params]) => /WHERE queued/.test(text) && /account_id = /.test(text) && params!.length > 1,
    ),
  ).toEqual([]);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(shoppers.length);
  for (const [i, shopper] of shoppers.entries())
    while ((await shopper.get(queued[i]!.body.id)).status !== 'successful');

  // In the plan of somebody who has many purchases of which nothing is known yet, as in the first minutes of a service.
  const { text } = prepared.mock.calls.find(([{ name }]) => name === 'select_payable_purchases')![0];
  await duka.asOwner(
    `INSERT INTO purchases SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'wallet_id', '${NOWHERE}'))).*
       FROM purchases p, generate_series(1, 800)`,
  );
  const plan = (await duka.asOwner(`EXPLAIN (GENERIC_PLAN) ${text}`)).map((row) => row['QUERY PLAN']).join('\n');
  await duka.asOwner(`DELETE FROM purchases WHERE wallet_id = '${NOWHERE}'`);
  expect(plan).toMatch(
    /CTE p[^]* on purchases_queued_by_account [^]*Index Cond: \(account_id = ANY [^]* ledger_accounts a/,
  );
});

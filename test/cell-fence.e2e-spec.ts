import { Injectable } from '@nestjs/common';
import { OnHook } from '../src/core/extension/decorators';
import { HookRuns } from '../src/core/extension/hook-jobs';
import { ServiceUnavailable } from '../src/core/errors/domain-error';
import { decodeId, newIdOf, slotNumber, slotOf } from '../src/core/http/ids';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { RequestLog } from '../src/core/request-log/request-log';
import { CatalogueService } from '../src/modules/bills/catalogue.service';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import { CellCredits, type CreditOrder } from '../src/modules/wallets/cell-credits.service';
import { DeliveryRecords } from '../src/modules/webhooks/delivery/delivery-records.service';
import { selectDue } from '../src/providers/requeries';
import { createTestDatabase } from './support/database';
import { Duka } from './support/duka';
import { extendWith } from './support/extension-probe';
import { fence } from './support/fence';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { relayNow } from './support/webhooks';
import { becomeCell, CELL_SECRET } from './support/other-cell';
import { FUNDS, Shopper } from './support/shopper';

let asked = 0;

@Injectable()
class Probe {
  @OnHook('svc_before_payment', { id: 'test.gate' })
  count(): undefined {
    asked++;
  }

  @OnHook('svc_payment_refused', { id: 'test.refused', operations: ['airtime_purchase'] })
  giveBack(): void {}

  @OnHook('svc_after_payment', { id: 'test.after', operations: ['airtime_purchase'] })
  after(): void {}
}

/** A cell without workers: what recurs happens when a test says so. */
let duka: Duka;
let moving: Shopper;
let staying: Shopper;
let lift: () => Promise<void>;

beforeAll(async () => {
  extendWith(Probe);
  const database = await createTestDatabase();
  await becomeCell(database, 'own');
  duka = await Duka.start({ CELL_SECRET, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, { database });
});
afterAll(() => duka.stop());

const later = (): string => new Date(Date.now() + 3_600_000).toISOString();
const slot = ({ account }: Shopper): string => slotOf(decodeId('acct', account.id)!);

beforeEach(async () => {
  moving = await Shopper.in(duka);
  do staying = await Shopper.in(duka);
  while (slot(staying) === slot(moving));
  lift = async () => {};
  asked = 0;
});
afterEach(() => lift());

/** From here on writes of the one account are refused. */
const stop = async (): Promise<void> => {
  lift = await fence(duka.env.DATABASE_URL!, moving.account);
};

it('asks no gate while nobody could be told that the payment was refused', async () => {
  await stop();
  expect((await moving.buy()).status).toBe(503);
  expect(asked).toBe(0);
  expect((await staying.buy()).status).toBe(201);
  expect(asked).toBe(1);
});

/** Of the one that stays, and of the one that moves. */
const ofBoth = <T>(of: (shopper: Shopper) => Promise<T>): Promise<[T, T]> => Promise.all([of(staying), of(moving)]);
const idOf = (shopper: Shopper): string => shopper.owner.accountId;
const run = (job: string): Promise<void> => duka.get<RecurringJobs>(RecurringJobs).run(job);

it('has observers of others told', async () => {
  const tellings = (shopper: Shopper) =>
    duka.asOwner('SELECT status, attempts FROM hook_jobs WHERE account_id = $1', [idOf(shopper)]);
  await ofBoth((shopper) => shopper.buy());
  await stop();
  expect(await duka.get<HookRuns>(HookRuns).run({ handler: 'test.after', livemode: false })).toBe(true);
  await until(async () => (await tellings(staying))[0]?.status === 'done');
  expect(await tellings(moving)).toEqual([{ status: 'waiting', attempts: 0 }]);
});

it('has others looked at that are due, and their keys forgotten', async () => {
  const due = `UPDATE purchases SET next_check_at = now() - interval '1 second' * CASE WHEN account_id = $1 THEN 9 ELSE 5 END
    WHERE account_id IN ($1, $2)`;
  const ids = [idOf(moving), idOf(staying)];
  const bought = await ofBoth((shopper) => shopper.steer('outcome=timeout'));
  expect(bought.map(({ body }) => body.status)).toEqual(['processing', 'processing']);
  await ofBoth(({ account, wallet }) => account.api.post(`/v4/wallets/${wallet}/freeze`, {}, { key: 'once' }));
  await duka.asOwner(due, ids);
  await duka.asOwner(`UPDATE claims SET created_at = now() - interval '31 days' WHERE account_id IN ($1, $2)`, ids);
  await stop();
  const longest = await duka.asOwner(selectDue('purchases'), [null, 1]);
  expect(longest.map(({ accountId }) => accountId)).toEqual([idOf(staying)]);
  await run('idempotency.purge');
  const keys = (shopper: Shopper) =>
    duka.asOwner(`SELECT 1 FROM claims WHERE account_id = $1 AND value = 'once'`, [idOf(shopper)]);
  expect((await ofBoth(keys)).map(({ length }) => length)).toEqual([0, 1]);
});

it('has webhooks of others sent, and what came of them written', async () => {
  const records = duka.get<DeliveryRecords>(DeliveryRecords);
  const receivers = new Map<Shopper, Receiver>();
  for (const shopper of [staying, moving])
    receivers.set(shopper, await Receiver.of(duka, shopper.account, { events: ['wallet.credited'] }));
  const due = async (): Promise<void> => {
    await ofBoth((shopper) => shopper.fund(100));
    await relayNow(duka);
  };
  const claim = (shopper: Shopper) =>
    records.claim({ ...shopper.owner, endpointId: receivers.get(shopper)!.id, places: 5, since: new Date(0) });
  await due();
  const claimed = (await ofBoth(claim)).flat();
  expect(claimed).toHaveLength(2);
  await due();
  await stop();
  expect((await ofBoth(claim)).map(({ length }) => length)).toEqual([1, 0]);
  const exchange = { httpStatus: 200, durationMs: 1, requestHeaders: null, responseHeaders: null, responseBody: null };
  const attempted = { ...exchange, code: 'ok', retryAfterSeconds: null, control: null } as const;
  const recorded = await Promise.allSettled(
    claimed.map((one) =>
      records.record({ claimed: one, attempted, at: new Date(), status: 'delivered', nextAttemptAt: null }),
    ),
  );
  expect(recorded.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const states = await ofBoth(async (shopper) =>
    (await receivers.get(shopper)!.deliveries()).map(({ status }) => status),
  );
  expect(states).toEqual([
    ['delivered', 'pending'],
    ['pending', 'pending'],
  ]);
  for (const receiver of receivers.values()) await receiver.close();
});

it('has freezes of others end', async () => {
  const over = `frozen_until = date_trunc('second', now()) - interval '1 minute' * CASE WHEN %s = $1 THEN 2 ELSE 1 END`;
  const ids = [idOf(moving), idOf(staying)];
  await ofBoth(({ account, wallet }) => account.api.post(`/v4/wallets/${wallet}/freeze`, { until: later() }));
  await duka.asOwner(
    `UPDATE ledger_accounts SET ${over.replace('%s', 'account_id')}
      WHERE account_id IN ($1, $2) AND frozen_until IS NOT NULL`,
    ids,
  );
  await duka.asOwner(
    `UPDATE accounts SET unfreezing_due = true, freeze_direction = 'debit', ${over.replace('%s', 'id')} WHERE id IN ($1, $2)`,
    ids,
  );
  await stop();
  await run('wallets.end_freezes');
  const told = (shopper: Shopper) =>
    duka.asOwner(
      `SELECT (SELECT status FROM ledger_accounts WHERE id = $2) AS wallet, unfreezing_due FROM accounts WHERE id = $1`,
      [idOf(shopper), decodeId('wal', shopper.wallet)],
    );
  expect(await ofBoth(told)).toEqual([
    [{ wallet: 'active', unfreezing_due: false }],
    [{ wallet: 'frozen', unfreezing_due: true }],
  ]);
});

it('has purchases of others go that waited', async () => {
  const order = { amount: 2 * FUNDS, on_insufficient_funds: 'queue', deliver_by: later() };
  const bought = (await moving.buy(order)).body.id;
  const others = (await staying.buy(order)).body.id;
  const waking = jest.spyOn(duka.get<QueuedPurchases>(QueuedPurchases), 'wake').mockResolvedValue();
  await ofBoth((shopper) => shopper.fund(2 * FUNDS));
  waking.mockRestore();
  await stop();
  await run('purchases.pay_queued');
  await until(async () => (await staying.get(others)).status === 'successful');
  expect((await moving.get(bought)).status).toBe('pending');
});

/** What a job deletes, as if it ran 40 days later. */
async function runLater(job: string): Promise<void> {
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 40 * 86_400_000);
  await run(job).finally(() => now.mockRestore());
}
const countOf = (table: string) => async (shopper: Shopper) => {
  const count = `SELECT count(*)::int AS rows FROM ${table} WHERE account_id = $1`;
  return (await duka.asOwner(count, [idOf(shopper)]))[0]!.rows;
};

it('has quotes of others forgotten that nothing came of, however many', async () => {
  await ofBoth(({ account }) =>
    account.api.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 1_000 }),
  );
  await duka.asOwner(
    `INSERT INTO quotes SELECT r.* FROM quotes q CROSS JOIN generate_series(1, 1500) n,
       jsonb_populate_record(NULL::quotes, to_jsonb(q)
         || jsonb_build_object('id', '01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))) r
      WHERE q.account_id = $1`,
    [idOf(staying)],
  );
  expect(await ofBoth(countOf('quotes'))).toEqual([1_501, 1]);
  await stop();
  await runLater('quotes.forget');
  expect(await ofBoth(countOf('quotes'))).toEqual([0, 1]);
});

it('has answers of others forgotten', async () => {
  await ofBoth(({ account }) => account.api.post('/v4/quotes', {}));
  await duka.get<RequestLog>(RequestLog).flush();
  expect(await ofBoth(countOf('request_exchanges'))).toEqual([1, 1]);
  await stop();
  await runLater('request_log.forget_answers');
  expect(await ofBoth(countOf('request_exchanges'))).toEqual([0, 1]);
});

it('has others told of what concerns all, and the one that moves not', async () => {
  const [biller] = await duka.asOwner('SELECT code, enabled FROM billers ORDER BY code LIMIT 1');
  await stop();
  await duka.get<CatalogueService>(CatalogueService).setEnabled(biller!.code as string, !biller!.enabled);
  const told = async (shopper: Shopper) =>
    (await shopper.account.api.get('/v4/events?type=biller.status_changed')).body.data.length;
  expect(await ofBoth(told)).toEqual([1, 0]);
});

it('does not say of a wallet that there is none once its slot has moved', async () => {
  const credits = duka.get<CellCredits>(CellCredits);
  const toWalletId = newIdOf(idOf(moving));
  const order: CreditOrder = {
    transferId: newIdOf(idOf(staying)),
    livemode: false,
    fromWalletId: newIdOf(idOf(staying)),
    toWalletId,
    creditTransactionId: newIdOf(idOf(moving)),
    amount: 100n,
    currency: 'NGN',
    reference: null,
    narration: null,
  };
  expect([await credits.credit(order), await credits.find(toWalletId)]).toEqual([
    { refusal: 'account_not_found' },
    null,
  ]);
  const keep = (sign: '+' | '-'): Promise<unknown> =>
    duka.asOwner(`UPDATE cells SET slots = slots ${sign} int4multirange(int4range($1, $1, '[]')) WHERE name = 'own'`, [
      slotNumber(slot(moving)),
    ]);
  // Without a new epoch: this process goes on as if it had not heard of it.
  await keep('-');
  await expect(credits.credit(order)).rejects.toThrow(ServiceUnavailable);
  await expect(credits.find(toWalletId)).rejects.toThrow(ServiceUnavailable);
  await keep('+');
});

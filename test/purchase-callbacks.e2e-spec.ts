import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { DataSource, EntityManager } from 'typeorm';
import { decodeId, newId } from '../src/core/http/ids';
import { PurchaseRequeries } from '../src/modules/purchases/purchase-requeries';
import { attemptWrite, PurchaseStore } from '../src/modules/purchases/purchase-store';
import type { FindResult } from '../src/modules/purchases/purchases.provider';
import { ReviewService } from '../src/modules/purchases/review.service';
import { nextAttempt } from '../src/modules/purchases/running';
import { SandboxCalls } from '../src/modules/purchases/sandbox/calls';
import { SandboxOperator } from '../src/modules/purchases/sandbox-operator.service';
import type { CallbackRequest } from '../src/providers/answers';
import { REQUERIES_QUEUE } from '../src/providers/requeries';
import { SandboxSignature } from '../src/providers/sandbox-signature';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';
import { reviewer } from './support/reviewers';
import { Shopper } from './support/shopper';

const DAY_MS = 24 * 3_600_000;
const AMOUNT = 10_000;
const BANK = { code: '058', account_number: '0234500001' };
const PROCESSING = 'outcome=processing';
const DELIVERED: FindResult = { outcome: 'delivered', providerReference: 'p' };
const REVERSED: FindResult = { outcome: 'reversed', code: 'returned', message: 'The bank returned it.' };
const REFUSED: FindResult = {
  outcome: 'not_delivered',
  about: 'order',
  code: 'declined',
  message: 'No.',
  recovery: 'none',
  retryElsewhere: false,
};

let duka: Duka;
let shopper: Shopper;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  shopper = await Shopper.in(duka);
});
afterEach(() => jest.restoreAllMocks());

const operator = () => duka.get<SandboxOperator>(SandboxOperator);
const rows = (text: string, values: unknown[]): Promise<any[]> => duka.get<DataSource>(DataSource).query(text, values);

async function pay(scenario?: string): Promise<any> {
  const headers: Record<string, string> = scenario === undefined ? {} : { 'x-sandbox-scenario': scenario };
  const body = { amount: AMOUNT, bank: BANK, wallet_id: shopper.wallet, allow_duplicate: true };
  return (await shopper.account.api.post('/v4/payouts', body, { headers })).body;
}

/** References under which the purchase was ordered, one after the other. */
const referencesOf = async (id: string): Promise<string[]> =>
  (await rows('SELECT id FROM purchase_attempts WHERE purchase_id = $1 ORDER BY number', [decodeId('txn', id)])).map(
    ({ id: reference }) => reference,
  );

const signed = (reference: string, says = 'delivered', provider = 'sandbox'): CallbackRequest =>
  duka.get<SandboxCalls>(SandboxCalls).callback(provider, reference, says);

const call = async ({ body, headers }: CallbackRequest, provider = 'sandbox'): Promise<number> =>
  (
    await fetch(`${duka.url}/callbacks/purchases/${provider}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    })
  ).status;

/** A genuine callback about the purchase's last attempt. */
const tell = async (id: string, says?: string): Promise<number> => call(signed((await referencesOf(id)).at(-1)!, says));

/** From now on the operator says so when it is asked. */
const answering = (found: FindResult) => jest.spyOn(operator(), 'find').mockResolvedValue(found);

/** How often it was asked about this order; purchases of the tests before may be asked about meanwhile. */
const asksAbout = (reference: string, find: jest.SpyInstance): number =>
  find.mock.calls.filter(([, order]) => order.reference === reference).length;

const callbacksOf = async (id: string): Promise<number> =>
  (await rows('SELECT FROM purchase_callbacks WHERE purchase_id = $1', [decodeId('txn', id)])).length;

const reached = (id: string, status: string) => until(async () => (await shopper.get(id)).status === status);
const reviewed = (id: string) => until(async () => (await shopper.get(id)).needs_review);
/** Nobody has to look at it before later. */
const looked = (id: string, spy: jest.SpyInstance) =>
  until(async () => {
    const [{ soon }] = await rows(
      `SELECT next_check_at < now() + interval '2 minutes' AS soon FROM purchases WHERE id = $1`,
      [decodeId('txn', id)],
    );
    return spy.mock.calls.length > 0 && soon !== true;
  });
const keyOf = (id: string) => ({ ...shopper.owner, id: decodeId('txn', id)! });

describe('a callback', () => {
  it('has a running purchase settled by what the operator answers, whatever it says itself', async () => {
    const { id, total } = await pay(PROCESSING);
    const before = await shopper.balance();
    answering(DELIVERED);
    expect(await tell(id, 'failed')).toBe(200);
    await reached(id, 'successful');
    expect(await shopper.balance()).toMatchObject({ available: before.available, held: before.held - total });
    expect(await shopper.kindsOf(id)).toEqual(expect.arrayContaining(['provider.callback', 'provider.requery']));
  });

  it('gives money back once that a bank returns after a success', async () => {
    const before = await shopper.balance();
    const { id } = await pay();
    answering(REVERSED);
    const callback = signed((await referencesOf(id)).at(-1)!, 'reversed');
    expect(await Promise.all(Array.from({ length: 8 }, () => call(callback)))).toEqual(Array(8).fill(200));
    await reached(id, 'reversed');
    await tell(id, 'reversed');
    await duka.get<PurchaseRequeries>(PurchaseRequeries).look(keyOf(id));
    expect(await shopper.balance()).toEqual(before);
    expect(await shopper.eventsOf(id)).toEqual([
      'transaction.processing',
      'transaction.successful',
      'transaction.reversed',
    ]);
    expect(await callbacksOf(id)).toBe(9);
  });

  it.each([
    ['a success that is denied', undefined, REFUSED, 'successful'],
    ['a failure that was delivered', 'outcome=failed', DELIVERED, 'failed'],
  ] as const)('calls a person, and moves nothing, for %s', async (_, scenario, found, status) => {
    const { id } = await pay(scenario);
    const before = await shopper.balance();
    answering(found);
    await tell(id);
    await reviewed(id);
    expect((await shopper.get(id)).status).toBe(status);
    expect(await shopper.balance()).toEqual(before);
    await tell(id);
    await until(
      async () =>
        (await rows(`SELECT FROM purchases WHERE id = $1 AND next_check_at IS NULL`, [keyOf(id).id])).length === 1,
    );
    expect((await shopper.eventsOf(id)).filter((type) => type === 'transaction.needs_review')).toHaveLength(1);
  });

  it('calls a person for a reversal after which the delivery shows up', async () => {
    const { id } = await pay();
    const found = answering(REVERSED);
    await tell(id, 'reversed');
    await reached(id, 'reversed');
    const before = await shopper.balance();
    found.mockResolvedValue(DELIVERED);
    await tell(id);
    await reviewed(id);
    expect([(await shopper.get(id)).status, await shopper.balance()]).toEqual(['reversed', before]);
  });

  it('calls a person when it tells of a provider that had refused before another was asked', async () => {
    const { id } = await pay('outcome=refused_once');
    const [first] = await referencesOf(id);
    const before = await shopper.balance();
    const found = answering(DELIVERED);
    expect(await call(signed(first!))).toBe(200);
    await reviewed(id);
    expect(await shopper.balance()).toEqual(before);
    expect(new Set(found.mock.calls.map(([provider]) => provider))).toEqual(new Set(['sandbox', 'sandbox_backup']));
  });

  describe('of a provider that had refused, and delivered after all', () => {
    /** The last provider is at it; the one before tells that it has delivered. */
    async function twice(): Promise<{ id: string; before: object; answer: (found: FindResult) => Promise<unknown> }> {
      jest
        .spyOn(operator(), 'sell')
        .mockImplementation(async (provider) =>
          provider === 'sandbox'
            ? { outcome: 'not_delivered', code: 'x', message: 'x', recovery: 'none', retryElsewhere: true }
            : { outcome: 'accepted' },
        );
      const { id } = await pay();
      const before = await shopper.balance();
      let last: FindResult = { outcome: 'accepted' };
      jest.spyOn(operator(), 'find').mockImplementation(async (name) => (name === 'sandbox' ? DELIVERED : last));
      expect(await call(signed((await referencesOf(id))[0]!))).toBe(200);
      await reviewed(id);
      const answer = (found: FindResult) => {
        last = found;
        return duka.get<PurchaseRequeries>(PurchaseRequeries).look(keyOf(id));
      };
      return { id, before, answer };
    }

    it('gives no money back because the last one has not', async () => {
      const { id, before, answer } = await twice();
      for (const found of [
        REFUSED,
        { ...REFUSED, retryElsewhere: true },
        { outcome: 'not_known' },
        REVERSED,
      ] as const) {
        await answer(found);
        expect(await shopper.get(id)).toMatchObject({ status: 'processing', needs_review: true });
      }
      expect(await shopper.balance()).toEqual(before);
    });

    it('is paid for once when the last one has, too, and stays for a person to see', async () => {
      const { id, answer } = await twice();
      await answer(DELIVERED);
      expect(await shopper.get(id)).toMatchObject({ status: 'successful', needs_review: true });
      expect((await shopper.balance()).held).toBe(0);
    });
  });

  it('of a payout that came back to a wallet that was closed meanwhile is for a person', async () => {
    const { id } = await pay();
    const { api } = shopper.account;
    const other = await api.wallet();
    const { available } = await shopper.balance();
    await api.post('/v4/wallets/transfer', { from_wallet: shopper.wallet, to_wallet: other, amount: available });
    expect((await api.post(`/v4/wallets/${shopper.wallet}/close`)).status).toBe(200);
    answering(REVERSED);
    await tell(id, 'reversed');
    await reviewed(id);
    expect((await shopper.get(id)).status).toBe('successful');
    const due = 'SELECT FROM purchases WHERE id = $1 AND next_check_at IS NOT NULL';
    expect(await rows(due, [keyOf(id).id])).toEqual([]);
    const resolve = (outcome: 'reversed' | 'unchanged') =>
      duka
        .get<ReviewService>(ReviewService)
        .resolve(keyOf(id), { outcome, person: reviewer('ada'), note: 'The bank says so.' });
    await expect(resolve('reversed')).rejects.toMatchObject({ details: { code: 'wallet_closed' } });
    await resolve('unchanged');
    expect(await shopper.get(id)).toMatchObject({ status: 'successful', needs_review: false });
  });

  it('is looked into once more a day later, where the books of the operator lag behind it', async () => {
    const { body } = await shopper.buy();
    const found = answering(DELIVERED);
    await tell(body.id, 'reversed');
    await looked(body.id, found);
    expect((await shopper.get(body.id)).status).toBe('successful');
    found.mockResolvedValue(REVERSED);
    await shopper.pass(DAY_MS);
    expect((await shopper.get(body.id)).status).toBe('reversed');
  });

  it('of an operator that is away is kept, and it is asked until there is an answer', async () => {
    const { id } = await pay('outcome=failed');
    const found = jest.spyOn(operator(), 'find').mockRejectedValue(new Error('away'));
    expect(await tell(id)).toBe(200);
    // Only what is put off before the clock moves is due by its new time.
    await until(
      async () => (await rows('SELECT FROM purchases WHERE id = $1 AND checks > 0', [keyOf(id).id])).length > 0,
    );
    found.mockResolvedValue(DELIVERED);
    await shopper.pass(60_000);
    await reviewed(id);
  });

  it('that came while a look was on its way is looked into after that', async () => {
    const { id } = await pay();
    const store = duka.get<PurchaseStore>(PurchaseStore);
    const before = await store.load(keyOf(id));
    const [reference] = await referencesOf(id);
    await store.makeDue((await store.findAttempt(reference!, 'sandbox', false))!, 'reversed');
    // The look that had asked before the callback came.
    await store.rest(before, null);
    const [{ next_check_at: due }] = await rows('SELECT next_check_at FROM purchases WHERE id = $1', [keyOf(id).id]);
    expect(due).not.toBeNull();
    answering(REVERSED);
    await shopper.pass(1_000);
    await reached(id, 'reversed');
  });
});

describe('a callback at the same time', () => {
  it('as the next provider is asked is not about that one', async () => {
    const { id } = await pay(PROCESSING);
    const store = duka.get<PurchaseStore>(PurchaseStore);
    const before = await store.load(keyOf(id));
    const next = nextAttempt({ ...before, purchase: { ...before.purchase, route: ['sandbox_backup'] } }, new Date());
    const reading = jest.spyOn(EntityManager.prototype, 'findOne');
    // The attempt was read, the purchase was not yet.
    reading.mockImplementationOnce(async function (this: EntityManager, ...about) {
      const attempt = await this.findOne(...(about as Parameters<EntityManager['findOne']>));
      await store.step(before, next, [attemptWrite(next.attempt)]);
      return attempt;
    });
    const seen = await store.load(keyOf(id));
    expect([seen.attempt!.number, seen.purchase.attempts, seen.transaction.providerAttempts]).toEqual([1, 1, 1]);
    const after = await store.load(keyOf(id));
    expect([after.attempt!.number, after.purchase.attempts, after.transaction.providerAttempts]).toEqual([2, 2, 2]);
  });

  it('as its like, our own requeries and the caller settles once', async () => {
    const before = await shopper.balance();
    const { id } = await pay();
    answering(REVERSED);
    const requeries = duka.get<PurchaseRequeries>(PurchaseRequeries);
    await Promise.all([
      ...Array.from({ length: 4 }, () => tell(id, 'reversed')),
      ...Array.from({ length: 4 }, () => requeries.requeryNow(shopper.owner, keyOf(id).id)),
    ]);
    await reached(id, 'reversed');
    expect(await shopper.balance()).toEqual(before);
  });

  it('as the caller asks settles a running purchase once', async () => {
    const { id } = await pay(PROCESSING);
    answering(DELIVERED);
    const ask = () => shopper.account.api.post(`/v4/transactions/${id}/requery`);
    await Promise.all([tell(id), ask(), tell(id), ask(), tell(id)]);
    await reached(id, 'successful');
    expect(await shopper.eventsOf(id)).toEqual(['transaction.processing', 'transaction.successful']);
  });

  it('as our request is answered that it is under way settles once, and at once', async () => {
    const told = Promise.withResolvers<string>();
    const looking = Promise.withResolvers<void>();
    jest.spyOn(operator(), 'sell').mockImplementation(async (_, { reference }) => {
      told.resolve(reference);
      await looking.promise;
      return { outcome: 'accepted' };
    });
    let isAsked = false;
    const find = answering(DELIVERED).mockImplementation(async (_, { reference }) => {
      if (isAsked || reference !== (await told.promise)) return DELIVERED;
      isAsked = true;
      looking.resolve();
      // The first answer is written before what was found is.
      await until(async () => {
        const [attempt] = await rows('SELECT outcome FROM purchase_attempts WHERE id = $1', [await told.promise]);
        return attempt.outcome === 'accepted';
      });
      return DELIVERED;
    });
    const paying = pay();
    expect(await call(signed(await told.promise))).toBe(200);
    const { id } = await paying;
    await reached(id, 'successful');
    expect(await shopper.eventsOf(id)).toEqual(['transaction.processing', 'transaction.successful']);
    expect(asksAbout(await told.promise, find)).toBe(2);
  });

  it('as our request is still under way settles once', async () => {
    const before = await shopper.balance();
    const sell = operator().sell.bind(operator());
    let answer = (): void => undefined;
    const asked = new Promise<string>((begun) => {
      jest.spyOn(operator(), 'sell').mockImplementation(async (provider, order) => {
        const result = await sell(provider, order);
        begun(order.reference);
        await new Promise<void>((resolve) => (answer = resolve));
        return result;
      });
    });
    const paying = pay();
    const reference = await asked;
    expect(await call(signed(reference))).toBe(200);
    const [{ purchase_id: purchase }] = await rows('SELECT purchase_id FROM purchase_attempts WHERE id = $1', [
      reference,
    ]);
    await until(
      async () =>
        (await rows(`SELECT FROM transactions WHERE id = $1 AND status = 'successful'`, [purchase])).length === 1,
    );
    answer();
    const { id, total } = await paying;
    expect(await shopper.eventsOf(id)).toEqual(['transaction.processing', 'transaction.successful']);
    expect(await shopper.balance()).toMatchObject({ available: before.available - total, held: 0 });
  });
});

describe('nothing comes of a callback', () => {
  it('that is forged', async () => {
    const { id } = await pay(PROCESSING);
    const reference = (await referencesOf(id)).at(-1)!;
    const find = jest.spyOn(operator(), 'find');
    const right = signed(reference);
    const forged: CallbackRequest[] = [
      { ...right, headers: { 'content-type': 'application/json' } },
      { ...right, headers: { ...right.headers, 'x-sandbox-signature': '0'.repeat(64) } },
      { ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) },
      signed(reference, 'delivered', 'sandbox_backup'),
    ];
    for (const one of forged) expect(await call(one)).toBe(401);
    expect([await callbacksOf(id), asksAbout(reference!, find)]).toEqual([0, 0]);
  });

  it('of another provider than the order was sent to, or about no order of ours', async () => {
    const { id } = await pay(PROCESSING);
    const [reference] = await referencesOf(id);
    const find = jest.spyOn(operator(), 'find');
    expect(await call(signed(reference!, 'delivered', 'sandbox_backup'), 'sandbox_backup')).toBe(200);
    for (const unknown of [newId(), 'order-17', '', "'; DROP TABLE purchases"])
      expect(await call(signed(unknown))).toBe(200);
    expect([await callbacksOf(id), asksAbout(reference!, find)]).toEqual([0, 0]);
    expect((await shopper.get(id)).status).toBe('processing');
  });

  it('that is signed and makes no sense', async () => {
    const side = new SandboxSignature('duka/sandbox-operators/v1', duka.env);
    const nonsense = [17, [], 'word', { reference: { $ne: null } }, { reference: ['a'] }, { reference: 1e300 }];
    for (const one of nonsense) expect([200, 401]).toContain(await call(side.sign(one as object, 'sandbox')));
    const long = side.sign({ reference: 'a'.repeat(50_000), event: '\0' }, 'sandbox');
    expect(await call(long)).toBe(200);
    expect(await rows('SELECT FROM purchase_callbacks c WHERE c.account_id = $1', [shopper.owner.accountId])).toEqual(
      [],
    );
  });

  it('of test mode about an order of live mode', async () => {
    const { id } = await pay(PROCESSING);
    const [reference] = await referencesOf(id);
    const store = duka.get<PurchaseStore>(PurchaseStore);
    expect(await store.findAttempt(reference!, 'sandbox', true)).toBeNull();
    expect(await store.findAttempt(reference!, 'sandbox', false)).not.toBeNull();
  });

  it('at the address of a provider that makes none', async () => {
    expect(await call(signed(newId()), 'nobody')).toBe(404);
    expect(await call(signed(newId()), 'sandbox_card')).toBe(404);
  });
});

describe('the operator of the sandbox', () => {
  const TAKEN_BACK = 'outcome=delivered; then=reversed; delay=48h';
  const says = async (id: string) =>
    (await rows('SELECT says FROM purchase_callbacks WHERE purchase_id = $1', [keyOf(id).id])).map((row) => row.says);

  it.each([
    ['once', ['reversed']],
    ['twice', ['reversed', 'reversed']],
    ['contradicted', ['delivered']],
    ['lost', []],
    ['forged', []],
  ])('calls back as it is told: %s', async (callback, told) => {
    const { body } = await shopper.steer(`${TAKEN_BACK}; callback=${callback}`);
    expect([body.status, body.next_check_at]).toEqual(['successful', null]);
    await shopper.pass(2 * DAY_MS);
    expect(await says(body.id)).toEqual(told);
    // Airtime that nobody tells of is not asked about again.
    expect((await shopper.get(body.id)).status).toBe(told.length > 0 ? 'reversed' : 'successful');
  });

  it('is waited for by a clock that is moved while a worker asks it', async () => {
    const { id } = await pay(PROCESSING);
    let answer: (found: FindResult) => void = () => {};
    const [own] = await referencesOf(id);
    const find = jest.spyOn(operator(), 'find').mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const others = jest.spyOn(duka.get<Queue>(getQueueToken(REQUERIES_QUEUE)), 'getActive');
    await tell(id);
    await until(async () => asksAbout(own!, find) === 1);
    let isMoved = false;
    const moving = shopper.pass(1_000).then(() => (isMoved = true));
    await Promise.race([moving, until(async () => others.mock.calls.length > 1)]);
    expect(isMoved).toBe(false);
    answer(DELIVERED);
    await moving;
    expect((await shopper.get(id)).status).toBe('successful');
  });

  it('calls back about a running purchase', async () => {
    const { body } = await shopper.steer('outcome=timeout; then=failed; delay=1h; callback=once');
    await shopper.pass(3_600_000);
    expect([(await shopper.get(body.id)).status, await says(body.id)]).toEqual(['failed', ['failed']]);
  });
});

describe('a payout that nobody tells of', () => {
  it('is asked about a day and three days after its success, and never again', async () => {
    const { id } = await pay();
    const [own] = await referencesOf(id);
    const find = jest.spyOn(operator(), 'find');
    const looks: number[] = [];
    for (const ms of [DAY_MS - 60_000, 120_000, DAY_MS, DAY_MS, 30 * DAY_MS]) {
      await shopper.pass(ms);
      looks.push(asksAbout(own!, find));
    }
    expect(looks).toEqual([0, 1, 1, 2, 2]);
    expect(await shopper.get(id)).toMatchObject({ status: 'successful', next_check_at: null, needs_review: false });
  });

  it('is given back when the bank returned it meanwhile', async () => {
    const before = await shopper.balance();
    const { id } = await pay('outcome=delivered; then=reversed; delay=48h; callback=lost');
    await shopper.pass(DAY_MS + 1_000);
    expect((await shopper.get(id)).status).toBe('successful');
    await shopper.pass(2 * DAY_MS);
    expect([(await shopper.get(id)).status, await shopper.balance()]).toEqual(['reversed', before]);
  });

  it('leaves airtime alone', async () => {
    const { body } = await shopper.buy();
    expect(await shopper.get(body.id)).toMatchObject({ status: 'successful', next_check_at: null });
  });

  it('is looked at when its provider wants it, also after somebody asked before', async () => {
    const { body } = await shopper.steer('outcome=delivered; then=reversed; delay=2h');
    await duka.get<PurchaseRequeries>(PurchaseRequeries).look(keyOf(body.id));
    await shopper.pass(2 * 3_600_000);
    expect((await shopper.get(body.id)).status).toBe('reversed');
  });
});

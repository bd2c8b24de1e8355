import { isNativeError } from 'node:util/types';
import type {
  Accepted,
  Delivered,
  FindResult,
  NotDelivered,
  Order,
  OrderCallback,
  ProviderResult,
} from '../../src/modules/purchases/purchases.provider';
import { asOrderCallback } from '../../src/modules/purchases/provider-client';
import type { CallbackRequest } from '../../src/providers/answers';
import type { Deed, Rig } from './rig';

type Result = ProviderResult | FindResult;
export type Rule = (rig: Rig) => Promise<void>;

/** What every provider keeps to. `provider-contract.spec.ts` has a provider for each rule that breaks it. */
export const RULES = {
  'says what it delivered': async (rig) => {
    const order = rig.order('delivers');
    const { deliveredAmount = order.amount } = expectDelivered(await buy(rig, order));
    expect(deliveredAmount).toBe(order.amount);
    expectSales(rig, order, 1);
  },

  'says how much arrived, where it is a part': async (rig) => {
    if (!rig.partly) return;
    const { order, arrives } = rig.partly();
    for (const result of [await buy(rig, order), await find(rig, order)])
      expect(expectDelivered(result).deliveredAmount).toBe(arrives);
    expect(arrives).toBeLessThan(order.amount);
  },

  'says that it did not deliver, and why': async (rig) => {
    const order = rig.order('refuses');
    expectRefused(await buy(rig, order));
    expectSales(rig, order, 0);
  },

  'stops waiting for an answer when it is told to, and claims nothing': async (rig) => {
    expect(outcomeOf(await asked(rig, 'purchase', rig.order('stays_silent')))).toBe('unknown');
  },

  'stops reading an answer that never ends, and claims nothing': async (rig) => {
    expect(outcomeOf(await asked(rig, 'purchase', rig.order('drips')))).toBe('unknown');
  },

  'claims nothing after nonsense': async (rig) => {
    for (const order of orders(rig, 'talks_nonsense'))
      expect(outcomeOf(await asked(rig, 'purchase', order))).toBe('unknown');
  },

  'sells once for one reference, and says the same each time': async (rig) => {
    const order = rig.order('delivers');
    const first = expectDelivered(await buy(rig, order));
    const repeated = await Promise.all([buy(rig, order), buy(rig, structuredClone(order))]);
    for (const result of repeated) expect(factsOf(expectDelivered(result))).toEqual(factsOf(first));
    expectSales(rig, order, 1);
    expect(expectDelivered(await buy(rig, rig.order('delivers'))).providerReference).not.toBe(first.providerReference);
  },

  'refuses one reference for one reason': async (rig) => {
    const order = rig.order('refuses');
    const { code } = expectRefused(await buy(rig, order));
    expect(expectRefused(await buy(rig, order)).code).toBe(code);
    expectSales(rig, order, 0);
  },

  'finds what it delivered': async (rig) => {
    const order = rig.order('delivers');
    const sold = expectDelivered(await buy(rig, order));
    expect(factsOf(expectDelivered(await find(rig, order)))).toEqual(factsOf(sold));
    expectSales(rig, order, 1);
  },

  'finds no sale where it refused': async (rig) => {
    const order = rig.order('refuses');
    const { code } = expectRefused(await buy(rig, order));
    const found = await find(rig, order);
    if (found.outcome === 'not_known') return;
    expect(expectRefused(found).code).toBe(code);
    expect(found).toMatchObject({ about: 'order' });
  },

  'concludes nothing at a requery from words about our account': async (rig) => {
    for (const order of orders(rig, 'locks_us_out')) {
      await asked(rig, 'purchase', order);
      expect(outcomeOf(await find(rig, order).catch((error: unknown) => new Thrown(error)))).toBe('unknown');
    }
  },

  'finds what was sold while nobody heard the answer': async (rig) => {
    for (const order of [rig.order('stays_silent'), rig.order('drips'), ...orders(rig, 'talks_nonsense')]) {
      await asked(rig, 'purchase', order);
      expectDelivered(await find(rig, order));
      expectSales(rig, order, 1);
    }
  },

  'knows no reference that it was never asked for': async (rig) => {
    expect(await find(rig, rig.order('stays_silent'))).toEqual({ outcome: 'not_known' });
  },

  'stops waiting at a requery when it is told to, and claims nothing': async (rig) => {
    const order = rig.order('goes_dark');
    await asked(rig, 'purchase', order);
    expect(outcomeOf(await asked(rig, 'find', order))).toBe('unknown');
  },

  'claims nothing after nonsense at a requery': async (rig) => {
    for (const order of orders(rig, 'loses_its_mind')) {
      await asked(rig, 'purchase', order);
      expect(outcomeOf(await asked(rig, 'find', order))).toBe('unknown');
    }
  },

  'asks for the amount to the minor unit, and says what left our float for it': async (rig) => {
    if (!rig.booked) return;
    const order = rig.order('delivers');
    const { cost, deliveredAmount = order.amount } = expectDelivered(await buy(rig, order));
    const { asked: amount, taken = cost ?? deliveredAmount } = rig.booked(order.reference);
    expect([amount, cost ?? deliveredAmount]).toEqual([order.amount, taken]);
  },

  'asks once more when its token ends, and sells once': async (rig) => {
    if (!rig.expireTokens) return;
    await buy(rig, rig.order('delivers'));
    rig.expireTokens();
    const order = rig.order('delivers');
    expectDelivered(await buy(rig, order));
    rig.expireTokens();
    expectDelivered(await find(rig, order));
    expectSales(rig, order, 1);
  },

  'says that it waits while an order is under way, and how it ended': async ({ later, ...rig }) => {
    for (const how of later?.endings ?? []) {
      const order = later!.order();
      const { providerReference } = expectAccepted(await buy(rig, order));
      expectAccepted(await find(rig, order));
      await later!.end(order.reference, how === 'reversed' ? 'delivered' : how);
      if (how !== 'failed') {
        const sold = expectDelivered(await find(rig, order));
        expect(providerReference ?? sold.providerReference).toBe(sold.providerReference);
      }
      if (how === 'reversed') await later!.end(order.reference, how);
      if (how !== 'delivered') expectOver(await find(rig, order));
    }
  },

  'knows its own callback, which order it is about, and the same when it comes again': async (rig) => {
    if (!rig.callbacks) return;
    const order = rig.order('delivers');
    await buy(rig, order);
    for (let i = 0; i < 2; i++) await expectGenuine(rig, order);
  },

  'knows a callback that comes before the answer': async (rig) => {
    if (!rig.callbacks) return;
    const order = rig.order('delivers');
    await expectGenuine(rig, order);
    expectDelivered(await buy(rig, order));
    expectSales(rig, order, 1);
  },

  'knows its own callback about no order of ours': async (rig) => {
    if (!rig.callbacks) return;
    expect(await heard(rig, rig.callbacks.own(null))).toEqual({ outcome: 'other' });
  },

  'takes no callback that was changed, or that nobody signed': async (rig) => {
    if (!rig.callbacks) return;
    const own = rig.callbacks.own(rig.order('delivers').reference);
    const { body, headers, query = {} } = own;
    const changed = (all: CallbackRequest['headers'], change: (value: string) => string) =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [name, SAFE.has(name) ? value : change(value!)]));
    const proving = (change: (value: string) => string): CallbackRequest => ({
      body,
      headers: changed(headers, change),
      query: changed(query, change),
    });
    const forged = [
      { body, headers: {} },
      proving((value) => value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')),
      proving(() => 'é'),
      ...(rig.callbacks.isUnsigned
        ? []
        : [
            { ...own, body: Buffer.concat([body, Buffer.from(' ')]) },
            { ...own, body: Buffer.alloc(0) },
          ]),
    ];
    for (const one of forged) expect(await heard(rig, one)).toEqual({ outcome: 'forged' });
  },

  'takes no callback that another provider signed': async (rig) => {
    if (!rig.callbacks) return;
    const foreign = rig.callbacks.foreign(rig.order('delivers').reference);
    expect(await heard(rig, foreign)).toEqual({ outcome: 'forged' });
  },
} satisfies Record<string, Rule>;

/** What the service makes of a callback. One that the provider throws at is forged. */
async function heard({ provider }: Rig, callback: CallbackRequest): Promise<OrderCallback> {
  try {
    return asOrderCallback(await provider.verify!(callback));
  } catch {
    return { outcome: 'forged' };
  }
}

const expectGenuine = async (rig: Rig, { reference }: Order): Promise<void> =>
  expect(await heard(rig, rig.callbacks!.own(reference))).toMatchObject({ outcome: 'genuine', reference });

/** Headers that prove nothing. */
const SAFE = new Set(['content-type']);

const PATIENCE_MS = 5_000;

const neverStopped = (): AbortSignal => new AbortController().signal;
const buy = (rig: Rig, order: Order) => bounded(rig, rig.provider.purchase(order, neverStopped()));
const find = (rig: Rig, order: Order) => bounded(rig, rig.provider.find(order, neverStopped()));

const orders = (rig: Rig, deed: Deed): Order[] =>
  Array.from({ length: rig.kindsOfNonsense ?? 1 }, () => rig.order(deed));

/** Asks, and withdraws the question as soon as the other side is at its deed. */
async function asked(rig: Rig, what: 'purchase' | 'find', order: Order): Promise<Result | Thrown> {
  const stop = new AbortController();
  const answer: Promise<Result | Thrown> = rig.provider[what](order, stop.signal).catch(
    (error: unknown) => new Thrown(error),
  );
  await bounded(rig, Promise.race([answer, rig.begun?.(order.reference) ?? answer]));
  stop.abort(new Error('took too long'));
  return bounded(rig, answer);
}

class Thrown {
  constructor(readonly error: unknown) {}
}

/** A provider that throws an error has answered `unknown`. */
function outcomeOf(answer: Result | Thrown): Result['outcome'] {
  if (answer instanceof Thrown) {
    // Not instanceof: jest gives its tests an Error class of their own, and fetch throws that of Node.
    expect(isNativeError(answer.error)).toBe(true);
    return 'unknown';
  }
  if (answer.outcome === 'unknown') expect(answer.code).toMatch(WORD);
  return answer.outcome;
}

async function bounded<T>({ patienceMs = PATIENCE_MS }: Rig, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the provider hangs: no answer within ${patienceMs} ms`)), patienceMs);
  });
  return Promise.race([answer, hangs]).finally(() => clearTimeout(timer));
}

const WORD = /^[a-z][a-z0-9_]*$/;
const RECOVERIES = ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'];

function expectDelivered(result: Result): Delivered {
  expect(result).toMatchObject({ outcome: 'delivered', providerReference: expect.stringMatching(/\S/) });
  const { details = {}, secrets = {} } = result as Delivered;
  expect(details).not.toHaveProperty('delivered_amount');
  for (const facts of [details, secrets]) {
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    for (const name of Object.keys(facts)) expect(name).toMatch(WORD);
  }
  return result as Delivered;
}

/** What a delivery says, without when it is to be looked at again. */
const factsOf = ({ providerReference, deliveredAmount, details = {}, secrets = {} }: Delivered) => ({
  providerReference,
  deliveredAmount,
  details,
  secrets,
});

function expectRefused(result: Result): NotDelivered {
  const form = {
    outcome: 'not_delivered',
    code: expect.stringMatching(WORD),
    message: expect.stringMatching(/\S/),
    retryElsewhere: expect.any(Boolean),
  };
  expect(result).toMatchObject(form);
  expect(RECOVERIES).toContain((result as NotDelivered).recovery);
  return result as NotDelivered;
}

function expectAccepted(result: Result): Accepted {
  expect(result).toMatchObject({ outcome: 'accepted' });
  return result as Accepted;
}

/** The money goes back to whoever paid. */
function expectOver(found: FindResult): void {
  expect(['not_delivered', 'reversed']).toContain(found.outcome);
  if (found.outcome === 'not_delivered') expect(found).toMatchObject({ about: 'order' });
}

function expectSales({ sales }: Rig, { reference }: Order, times: number): void {
  if (sales) expect(sales(reference)).toBe(times);
}

import { isNativeError } from 'node:util/types';
import {
  asCallbackResult,
  asQueryResult,
  asRefundFound,
  asRefundResult,
  asStartResult,
} from '../../src/modules/payments/gateway-client';
import { sumOf } from '../../src/modules/payments/credit';
import type {
  CallbackRequest,
  Gateway,
  GatewayOrder,
  GivenBack,
  QueryResult,
  Received,
  RefundFound,
  RefundOrder,
  RefundResult,
  StartResult,
} from '../../src/modules/payments/gateway';

/** What the other side does about one order. */
export type GatewayDeed =
  /** Opens it and takes the money. */
  | 'pays'
  /** Opens it and waits for the payer. */
  | 'waits'
  /** Opens it; the payer is declined. */
  | 'declines'
  /** Opens it, takes the money and gives it back. */
  | 'gives_back'
  /** Opens it, takes the money and gives a part of it back. */
  | 'gives_back_a_part'
  /** Opens it and takes the money. Asked to give a part back, it declines. */
  | 'keeps_the_money'
  /** Opens no order, and says so in a way that leaves no doubt. */
  | 'refuses'
  /** Opens it. Asked about it, it says that our account is suspended, and nothing about the order. */
  | 'locks_us_out'
  /** Nothing of its answers ever arrives. */
  | 'stays_silent'
  /** What it answers makes no sense. */
  | 'talks_nonsense';

/** A gateway whose other side is in the hands of the test. */
export interface GatewayRig {
  readonly gateway: Gateway;
  /** A new order, about which the other side will do as told. Nobody was asked yet. */
  readonly order: (deed: GatewayDeed) => GatewayOrder;
  /** A new refund of a part of what such an order is paid with. Only of gateways that refund. */
  readonly refund?: (order: GatewayOrder) => RefundOrder;
  /** A callback that the other side signed. */
  readonly callback: (order: GatewayOrder) => CallbackRequest;
  /** A callback that it signed, about nothing of ours. Absent: it makes none. */
  readonly otherCallback?: () => CallbackRequest;
  /** What the other side has in its books of a payment, in minor units: what it asked the payer for, and keeps of it. Absent: nobody can look. */
  readonly booked?: (reference: string) => { readonly asked: bigint; readonly kept: bigint };
  /** A secret stands in its headers, and nothing there is about its body: who has the one may send any other. */
  readonly isUnsigned?: true;
  /** How many orders the other side opened for the reference. Absent: nobody counts. */
  readonly opened?: (reference: string) => number;
  /** Deeds that the other side cannot do. */
  readonly cannot?: readonly GatewayDeed[];
  /** How many kinds of nonsense there are: one order after another gets the next. 1 when absent. */
  readonly kindsOfNonsense?: number;
  /** After this time a gateway counts as hanging. 5,000 when absent. */
  readonly patienceMs?: number;
  readonly close?: () => Promise<void>;
}

export type GatewayRule = (rig: GatewayRig) => Promise<void>;

const WORD = /^[a-z][a-z0-9_]*$/;
const never = (): AbortSignal => new AbortController().signal;
const start = (rig: GatewayRig, order: GatewayOrder) => bounded(rig, rig.gateway.start(order, never()));
const query = (rig: GatewayRig, order: GatewayOrder) => bounded(rig, rig.gateway.query(order, never()));
const refunds = (rig: GatewayRig): rig is GatewayRig & Required<Pick<GatewayRig, 'refund'>> => rig.refund !== undefined;
const refund = (rig: GatewayRig, order: RefundOrder) => bounded(rig, rig.gateway.refund!(order, never()));
const findRefund = (rig: GatewayRig, order: RefundOrder) => bounded(rig, rig.gateway.findRefund!(order, never()));
const can = ({ cannot = [] }: GatewayRig, deed: GatewayDeed) => !cannot.includes(deed);

/** What every gateway keeps to. `gateway-contract.spec.ts` has a gateway for each rule that breaks it. */
export const GATEWAY_RULES = {
  'opens an order and says how the payer goes on': async (rig) => {
    const started = await start(rig, rig.order('waits'));
    expect(started).toMatchObject({ outcome: 'started', gatewayReference: expect.stringMatching(/\S/) });
    // What the service could not read it would not take.
    expect(asStartResult(started).outcome).toBe('started');
  },

  'opens one order for one reference, and says the same each time': async (rig) => {
    const order = rig.order('waits');
    const first = await start(rig, order);
    for (const again of await Promise.all([start(rig, order), start(rig, structuredClone(order))]))
      expect(again).toEqual(first);
    if (rig.opened) expect(rig.opened(order.reference)).toBe(1);
    expect(await start(rig, rig.order('waits'))).not.toMatchObject({
      gatewayReference: (first as { gatewayReference: string }).gatewayReference,
    });
  },

  'says that it opened nothing, and why': async (rig) => {
    if (!can(rig, 'refuses')) return;
    expect(await start(rig, rig.order('refuses'))).toMatchObject({
      outcome: 'not_started',
      code: expect.stringMatching(WORD),
      message: expect.stringMatching(/\S/),
    });
  },

  'says what arrived: the amount, the currency and its own reference': async (rig) => {
    const order = rig.order('pays');
    await start(rig, order);
    const found = await query(rig, order);
    expect(found).toMatchObject({
      outcome: 'successful',
      amount: order.amount,
      currency: order.currency,
      gatewayReference: expect.stringMatching(/\S/),
    });
    expect(await query(rig, order)).toEqual(found);
  },

  'asks for the amount to the minor unit, and says what it keeps of it': async (rig) => {
    if (!rig.booked) return;
    const order = rig.order('pays');
    await start(rig, order);
    const { fee = 0n } = asQueryResult(await query(rig, order)) as Received;
    expect(rig.booked(order.reference)).toEqual({ asked: order.amount, kept: fee });
  },

  'says that nothing was paid yet': async (rig) => {
    const order = rig.order('waits');
    await start(rig, order);
    expect(['awaiting', 'processing']).toContain((await query(rig, order)).outcome);
  },

  'says that a payment failed, and why': async (rig) => {
    const order = rig.order('declines');
    await start(rig, order);
    expect(await query(rig, order)).toMatchObject({
      outcome: 'failed',
      about: 'order',
      code: expect.stringMatching(WORD),
      message: expect.stringMatching(/\S/),
    });
  },

  'concludes nothing from words about our account': async (rig) => {
    if (!can(rig, 'locks_us_out')) return;
    const order = rig.order('locks_us_out');
    await start(rig, order);
    expect(outcomeOf(await bounded(rig, caught(rig.gateway.query(order, never()))), asQueryResult)).toBe('unknown');
  },

  'says that the money went back': async (rig) => {
    const order = rig.order('gives_back');
    await start(rig, order);
    const found = await query(rig, order);
    expect(found).toMatchObject({
      outcome: 'reversed',
      code: expect.stringMatching(WORD),
      amount: order.amount,
      currency: order.currency,
    });
    expect(sumOf((asQueryResult(found) as GivenBack).reversals)).toBe(order.amount);
  },

  'says how much of it went back, each part by a reference of its own': async (rig) => {
    const order = rig.order('gives_back_a_part');
    await start(rig, order);
    const found = await query(rig, order);
    const { outcome, amount, reversals } = asQueryResult(found) as GivenBack;
    expect(outcome).toBe('reversed');
    expect([amount, sumOf(reversals) > 0n && sumOf(reversals) < order.amount]).toEqual([order.amount, true]);
    expect(await query(rig, order)).toEqual(found);
  },

  'can both refund and say what became of a refund, or neither': async (rig) => {
    expect([rig.gateway.refund !== undefined, rig.gateway.findRefund !== undefined]).toEqual(
      Array(2).fill(refunds(rig)),
    );
  },

  'gives money back once for one reference, and tells of it as what went back': async (rig) => {
    if (!refunds(rig)) return;
    const order = rig.order('pays');
    await start(rig, order);
    const [wanted, other] = [rig.refund(order), rig.refund(order)];
    const first = await refund(rig, wanted);
    expect(asRefundResult(first)).toMatchObject({ outcome: 'refunded', amount: wanted.amount });
    expect(await refund(rig, structuredClone(wanted))).toEqual(first);
    expect(await findRefund(rig, wanted)).toEqual(first);
    const second = await refund(rig, other);
    const { reversals } = asQueryResult(await query(rig, order)) as GivenBack;
    expect(new Set(reversals.map(({ gatewayReference }) => gatewayReference))).toEqual(
      new Set([first, second].map((one) => (one as { gatewayReference: string }).gatewayReference)),
    );
    expect(sumOf(reversals)).toBe(wanted.amount + other.amount);
  },

  'says that it gives no money back, and why': async (rig) => {
    if (!refunds(rig)) return;
    const order = rig.order('keeps_the_money');
    await start(rig, order);
    const wanted = rig.refund(order);
    const declined = {
      outcome: 'not_refunded',
      about: 'order',
      code: expect.stringMatching(WORD),
      message: expect.stringMatching(/\S/),
    };
    expect([await refund(rig, wanted), await findRefund(rig, wanted)]).toEqual([
      expect.objectContaining(declined),
      expect.objectContaining(declined),
    ]);
  },

  'knows no refund that it was never asked for': async (rig) => {
    if (!refunds(rig)) return;
    const order = rig.order('pays');
    await start(rig, order);
    expect(await findRefund(rig, rig.refund(order))).toEqual({ outcome: 'not_known' });
  },

  'claims nothing about a refund after nonsense or silence': async (rig) => {
    if (!refunds(rig) || !can(rig, 'talks_nonsense')) return;
    for (let kind = 0; kind < (rig.kindsOfNonsense ?? 1); kind++) {
      const wanted = rig.refund(rig.order('talks_nonsense'));
      const asked = rig.gateway.refund!(wanted, never());
      expect(outcomeOf(await bounded(rig, caught(asked)), asRefundResult)).toBe('unknown');
      const found = rig.gateway.findRefund!(wanted, never());
      expect(outcomeOf(await bounded(rig, caught(found)), asRefundFound)).toBe('unknown');
    }
    const stop = new AbortController();
    const silent = caught(rig.gateway.refund!(rig.refund(rig.order('stays_silent')), stop.signal));
    setImmediate(() => stop.abort(new Error('took too long')));
    expect(outcomeOf(await bounded(rig, silent), asRefundResult)).toBe('unknown');
  },

  'knows no order that was never opened': async (rig) => {
    expect(await query(rig, rig.order('pays'))).toEqual({ outcome: 'not_known' });
  },

  'stops waiting when it is told to, and claims nothing': async (rig) => {
    if (!can(rig, 'stays_silent')) return;
    for (const what of ['start', 'query'] as const)
      expect(await withdrawn(rig, what, rig.order('stays_silent'))).toBe('unknown');
  },

  'claims nothing after nonsense': async (rig) => {
    if (!can(rig, 'talks_nonsense')) return;
    for (let kind = 0; kind < (rig.kindsOfNonsense ?? 1); kind++) {
      const order = rig.order('talks_nonsense');
      expect(outcomeOf(await bounded(rig, caught(rig.gateway.start(order, never()))), asStartResult)).toBe('unknown');
      expect(outcomeOf(await bounded(rig, caught(rig.gateway.query(order, never()))), asQueryResult)).toBe('unknown');
    }
  },

  'knows its own callback before the answer, and the same when it comes again': async (rig) => {
    const order = rig.order('pays');
    const genuine = { outcome: 'genuine', reference: order.reference };
    const hear = async () => asCallbackResult(await rig.gateway.verify(rig.callback(order)));
    expect(await hear()).toMatchObject(genuine);
    await start(rig, order);
    for (let i = 0; i < 2; i++) expect(await hear()).toMatchObject(genuine);
  },

  'knows its own callback about no order of ours': async (rig) => {
    if (!rig.otherCallback) return;
    expect(asCallbackResult(await rig.gateway.verify(rig.otherCallback()))).toEqual({ outcome: 'other' });
  },

  'takes no callback that was changed, or that nobody signed': async (rig) => {
    const { body, headers } = rig.callback(rig.order('pays'));
    const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'content-type'));
    const twisted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name === 'content-type' ? value : `${value?.slice(0, -1)}${value?.endsWith('0') ? '1' : '0'}`,
      ]),
    );
    const junk = Object.fromEntries(Object.keys(headers).map((name) => [name, 'é']));
    const changed = rig.isUnsigned ? [] : [{ body: Buffer.concat([body, Buffer.from(' ')]), headers }];
    const forged = [
      ...changed,
      { body: Buffer.alloc(0), headers },
      ...[unsigned, twisted, junk].map((one) => ({ body, headers: one })),
    ];
    for (const one of forged)
      expect(asCallbackResult(await caught(Promise.resolve().then(() => rig.gateway.verify(one))))).toEqual({
        outcome: 'forged',
      });
  },
} satisfies Record<string, GatewayRule>;

class Thrown {
  constructor(readonly error: unknown) {}
}

const caught = <T>(answer: Promise<T>): Promise<T | Thrown> => answer.catch((error: unknown) => new Thrown(error));

/** A gateway that throws an error has answered `unknown`. */
function outcomeOf(
  answer: unknown,
  read: (value: unknown) => StartResult | QueryResult | RefundResult | RefundFound,
): string {
  if (!(answer instanceof Thrown)) return read(answer).outcome;
  expect(isNativeError(answer.error)).toBe(true);
  return 'unknown';
}

/** Asks, and withdraws the question a moment later. */
async function withdrawn(rig: GatewayRig, what: 'start' | 'query', order: GatewayOrder): Promise<string> {
  const stop = new AbortController();
  const answer = caught<StartResult | QueryResult>(rig.gateway[what](order, stop.signal));
  setImmediate(() => stop.abort(new Error('took too long')));
  return outcomeOf(await bounded(rig, answer), what === 'start' ? asStartResult : asQueryResult);
}

async function bounded<T>({ patienceMs = 5_000 }: GatewayRig, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the gateway hangs: no answer within ${patienceMs} ms`)), patienceMs);
  });
  return Promise.race([answer, hangs]).finally(() => clearTimeout(timer));
}

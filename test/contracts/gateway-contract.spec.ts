import { createHmac, timingSafeEqual } from 'node:crypto';
import { newId } from '../../src/core/http/ids';
import type {
  CallbackRequest,
  CallbackResult,
  Gateway,
  GatewayOrder,
  GivenBack,
  QueryResult,
  RefundFound,
  RefundOrder,
  RefundResult,
  StartResult,
} from '../../src/modules/payments/gateway';
import { gatewayContract } from './gateway-contract';
import { GATEWAY_RULES, type GatewayDeed, type GatewayRig, type GatewayRule } from './gateway-rules';

const sign = (body: Buffer): Buffer => createHmac('sha256', 'secret').update(body).digest();

/** The other side, without a network between. */
class Side {
  readonly deeds = new Map<string, GatewayDeed>();
  readonly orders = new Map<string, { id: string; times: number; asked: bigint }>();
  readonly refunds = new Map<string, { id: string; amount: bigint; order: string }>();
}

/** Passes the whole contract. */
class RightGateway implements Gateway {
  constructor(private readonly side: Side) {}

  async start({ reference, amount }: GatewayOrder, signal: AbortSignal): Promise<StartResult> {
    const deed = this.side.deeds.get(reference);
    if (deed === 'stays_silent') return silence(signal);
    if (deed === 'talks_nonsense') return { outcome: 'unknown', code: 'nonsense' };
    if (deed === 'refuses') return { outcome: 'not_started', code: 'too_much', message: 'No.' };
    const order = this.side.orders.get(reference) ?? { id: newId(), times: 1, asked: amount };
    this.side.orders.set(reference, order);
    return { outcome: 'started', gatewayReference: order.id, pageUrl: 'https://pay.example' };
  }

  async query({ reference, amount, currency }: GatewayOrder, signal: AbortSignal): Promise<QueryResult> {
    const deed = this.side.deeds.get(reference);
    if (deed === 'stays_silent') return silence(signal);
    if (deed === 'talks_nonsense') return { outcome: 'unknown', code: 'nonsense' };
    const order = this.side.orders.get(reference);
    if (order === undefined) return { outcome: 'not_known' };
    if (deed === 'waits') return { outcome: 'awaiting' };
    if (deed === 'locks_us_out') return { outcome: 'unknown', code: 'account_suspended' };
    if (deed === 'declines')
      return { outcome: 'failed', about: 'order', code: 'declined', message: 'No.', recovery: 'none' };
    const back = (part: bigint): QueryResult => ({
      outcome: 'reversed',
      code: 'refunded',
      message: 'Back.',
      gatewayReference: order.id,
      amount,
      currency,
      reversals: [{ gatewayReference: `${order.id}_r`, amount: part }],
    });
    const given = [...this.side.refunds.values()].filter((one) => one.order === reference);
    if (given.length > 0)
      return {
        ...(back(1n) as GivenBack),
        reversals: given.map((one) => ({ gatewayReference: one.id, amount: one.amount })),
      };
    if (deed === 'gives_back') return back(amount);
    if (deed === 'gives_back_a_part') return back(amount / 2n);
    return { outcome: 'successful', gatewayReference: order.id, amount, currency, fee: FEE };
  }

  async refund({ reference, amount, payment }: RefundOrder, signal: AbortSignal): Promise<RefundResult> {
    const deed = this.side.deeds.get(payment.reference);
    if (deed === 'stays_silent') return silence(signal);
    if (deed === 'talks_nonsense') return { outcome: 'unknown', code: 'nonsense' };
    if (deed === 'keeps_the_money') return DECLINED;
    const refund = this.side.refunds.get(reference) ?? { id: newId(), amount, order: payment.reference };
    this.side.refunds.set(reference, refund);
    return { outcome: 'refunded', gatewayReference: refund.id, amount: refund.amount };
  }

  async findRefund({ reference, payment }: RefundOrder): Promise<RefundFound> {
    const deed = this.side.deeds.get(payment.reference);
    if (deed === 'talks_nonsense') return { outcome: 'unknown', code: 'nonsense' };
    if (deed === 'keeps_the_money') return DECLINED;
    const refund = this.side.refunds.get(reference);
    return refund === undefined
      ? { outcome: 'not_known' }
      : { outcome: 'refunded', gatewayReference: refund.id, amount: refund.amount };
  }

  verify({
    body,
    headers: { signature = '' },
  }: {
    body: Buffer;
    headers: Readonly<Record<string, string | undefined>>;
  }): CallbackResult {
    const given = Buffer.from(signature, 'hex');
    if (given.length !== 32 || !timingSafeEqual(given, sign(body))) return { outcome: 'forged' };
    return body.length === 0 ? { outcome: 'other' } : { outcome: 'genuine', reference: body.toString() };
  }
}

/** What is left to it of every payment. */
const FEE = 7n;

const DECLINED: RefundResult = {
  outcome: 'not_refunded',
  about: 'order',
  code: 'declined',
  message: 'No.',
  recovery: 'none',
};

const silence = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

type Make = (right: RightGateway, side: Side) => Partial<Gateway>;

function rigOf(change: Make = () => ({})): GatewayRig {
  const side = new Side();
  const right = new RightGateway(side);
  const asIs: Gateway = {
    start: (...asked) => right.start(...asked),
    query: (...asked) => right.query(...asked),
    verify: (callback) => right.verify(callback),
    refund: (...asked) => right.refund(...asked),
    findRefund: (order) => right.findRefund(order),
  };
  const order = (deed: GatewayDeed): GatewayOrder => {
    const reference = newId();
    side.deeds.set(reference, deed);
    return {
      reference,
      accountId: newId(),
      livemode: true,
      paymentId: newId(),
      amount: 5_025n,
      currency: 'NGN',
      description: null,
      customer: null,
      options: {},
      returnUrl: 'https://duka.example/return',
      expiresAt: new Date(),
    };
  };
  return {
    gateway: { ...asIs, ...change(right, side) },
    order,
    refund: (payment) => ({
      reference: newId(),
      payment,
      paymentReference: 'p',
      amount: 1_000n,
      currency: 'NGN',
      reason: null,
    }),
    opened: (reference) => side.orders.get(reference)?.times ?? 0,
    patienceMs: 200,
    callback: ({ reference }) => signed(reference),
    otherCallback: () => signed(''),
    booked: (reference) => ({ asked: side.orders.get(reference)!.asked, kept: FEE }),
  };
}

const signed = (text: string): CallbackRequest => ({
  body: Buffer.from(text),
  headers: { 'content-type': 'text/plain', signature: sign(Buffer.from(text)).toString('hex') },
});

const ignoring = new AbortController().signal;
const start =
  (change: (result: StartResult) => unknown): Make =>
  (right) => ({ start: async (...asked) => change(await right.start(...asked)) as StartResult });
const query =
  (change: (result: QueryResult) => unknown): Make =>
  (right) => ({ query: async (...asked) => change(await right.query(...asked)) as QueryResult });
const refund =
  (change: (result: RefundResult) => unknown): Make =>
  (right) => ({ refund: async (...asked) => change(await right.refund(...asked)) as RefundResult });
const findRefund =
  (change: (result: RefundFound) => unknown): Make =>
  (right) => ({ findRefund: async (asked) => change(await right.findRefund(asked)) as RefundFound });
const FAILED: QueryResult = { outcome: 'failed', about: 'order', code: 'x', message: 'x', recovery: 'none' };
const unless = (outcome: string, otherwise: object) => (result: QueryResult | RefundFound) =>
  result.outcome === outcome ? otherwise : result;

/** Mistakes that adapters make, under the rule that shows them. */
const WRONG: Record<keyof typeof GATEWAY_RULES, Record<string, Make>> = {
  'opens an order and says how the payer goes on': {
    'keeps its reference to itself': start((result) => ({ ...result, gatewayReference: '' })),
    'sends the payer to an open line': start((result) => ({ ...result, pageUrl: 'http://pay.example' })),
    'sends the payer nowhere': start((result) => ({ ...result, pageUrl: undefined })),
  },
  'opens one order for one reference, and says the same each time': {
    'opens another one each time': start((result) => ({ ...result, gatewayReference: newId() })),
    'has one reference for all': start((result) => ({ ...result, gatewayReference: 'g' })),
  },
  'says that it opened nothing, and why': {
    'throws at a refusal': start((result) => {
      if (result.outcome === 'not_started') throw new Error('barred');
      return result;
    }),
    'gives the reason as it is': start((result) => ({ ...result, code: 'ERR 17' })),
  },
  'says what arrived: the amount, the currency and its own reference': {
    'says what was asked for in another unit': query((result) => ({ ...result, amount: 50n })),
    'keeps the currency to itself': query((result) => ({ ...result, currency: undefined })),
    'has another reference each time': query((result) => ({ ...result, gatewayReference: newId() })),
  },
  'asks for the amount to the minor unit, and says what it keeps of it': {
    'asks for whole naira': (right) => ({
      start: (order, signal) => right.start({ ...order, amount: (order.amount / 100n) * 100n }, signal),
    }),
    'keeps to itself what it keeps': query((result) => ({ ...result, fee: undefined })),
  },
  'says that nothing was paid yet': {
    'takes it for a failure': query(unless('awaiting', { outcome: 'failed', code: 'x', message: 'x' })),
  },
  'says that a payment failed, and why': {
    'does not dare to': query(unless('failed', { outcome: 'unknown', code: 'x' })),
  },
  'concludes nothing from words about our account': { 'takes them for a failure': query(unless('unknown', FAILED)) },
  'says that the money went back': { 'takes it for a success': query(unless('reversed', { outcome: 'successful' })) },
  'says how much of it went back, each part by a reference of its own': {
    'takes a part for the whole': query((result) =>
      result.outcome === 'reversed'
        ? { ...result, reversals: [{ gatewayReference: 'r', amount: result.amount }] }
        : result,
    ),
    'says only that something went back': query((result) =>
      result.outcome === 'reversed' ? { ...result, reversals: undefined } : result,
    ),
    'has another reference each time': query((result) =>
      result.outcome === 'reversed' ? { ...result, reversals: [{ gatewayReference: newId(), amount: 1n }] } : result,
    ),
  },
  'can both refund and say what became of a refund, or neither': {
    'cannot say what became of it': () => ({ findRefund: undefined }),
  },
  'gives money back once for one reference, and tells of it as what went back': {
    'gives it back each time': (right) => ({
      refund: ({ reference: _, ...order }, signal) => right.refund({ ...order, reference: newId() }, signal),
    }),
    'says another amount': refund((result) => ({ ...result, amount: 1n })),
    'keeps its reference to itself': refund((result) => ({ ...result, gatewayReference: '' })),
    'tells of it under another name': query((result) =>
      result.outcome === 'reversed'
        ? { ...result, reversals: result.reversals.map((one, i) => ({ ...one, gatewayReference: `other${i}` })) }
        : result,
    ),
  },
  'says that it gives no money back, and why': {
    'does not dare to': refund(unless('not_refunded', { outcome: 'unknown', code: 'x' })),
    'forgets it': findRefund(unless('not_refunded', { outcome: 'not_known' })),
  },
  'knows no refund that it was never asked for': {
    'takes it for a refusal': findRefund(unless('not_known', { ...DECLINED })),
  },
  'claims nothing about a refund after nonsense or silence': {
    'takes nonsense for a refusal': refund(unless('unknown', { ...DECLINED })),
    'takes nonsense for none': findRefund(unless('unknown', { outcome: 'not_known' })),
    'ignores the signal': (right) => ({ refund: (order) => right.refund(order, ignoring) }),
  },
  'knows no order that was never opened': {
    'takes it for a failure': query(unless('not_known', { outcome: 'failed', code: 'x', message: 'x' })),
  },
  'stops waiting when it is told to, and claims nothing': {
    'ignores the signal': (right) => ({ query: (order) => right.query(order, ignoring) }),
    'takes a time-out for a failure': (right) => ({ query: (...asked) => right.query(...asked).catch(() => FAILED) }),
  },
  'claims nothing after nonsense': { 'takes nonsense for a failure': query(unless('unknown', FAILED)) },
  'knows its own callback before the answer, and the same when it comes again': {
    'knows nothing': () => ({ verify: () => ({ outcome: 'forged' }) }),
    'knows only orders that it has heard of': (right, side) => ({
      verify: (callback) => (side.orders.has(callback.body.toString()) ? right.verify(callback) : { outcome: 'other' }),
    }),
    'calls a repetition a duplicate': (right) => {
      const seen = new Set<string>();
      return {
        verify: (callback) => {
          const isNew = seen.size < seen.add(callback.body.toString()).size;
          return isNew ? right.verify(callback) : { outcome: 'other' };
        },
      };
    },
  },
  'knows its own callback about no order of ours': {
    'takes it for a forged one': (right) => ({
      verify: (callback) => {
        const heard = right.verify(callback);
        return heard.outcome === 'other' ? { outcome: 'forged' } : heard;
      },
    }),
  },
  'takes no callback that was changed, or that nobody signed': {
    'believes everybody': () => ({ verify: ({ body }) => ({ outcome: 'genuine', reference: body.toString() }) }),
    'signs the trimmed text': (right) => ({
      verify: ({ body, headers }) => right.verify({ body: Buffer.from(body.toString().trim()), headers }),
    }),
  },
};

gatewayContract('that does everything right', () => rigOf());

describe('a gateway that is wrong is found out', () => {
  const mistakes = Object.entries(WRONG).flatMap(([rule, gateways]) =>
    Object.entries(gateways).map(([mistake, change]) => [mistake, rule, change] as const),
  );

  it.each(mistakes)('it %s: not every gateway %s', async (_, rule, change) => {
    await expect((GATEWAY_RULES as Record<string, GatewayRule>)[rule]!(rigOf(change))).rejects.toThrow(
      /expect\(|hangs|barred/,
    );
  });

  it('by each rule', () => {
    expect(Object.keys(WRONG)).toEqual(Object.keys(GATEWAY_RULES));
  });
});

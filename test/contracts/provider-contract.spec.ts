import { newId } from '../../src/core/http/ids';
import type { Delivered, FindResult, Provider, ProviderResult } from '../../src/modules/purchases/purchases.provider';
import { providerContract } from './provider-contract';
import { delivered, REFUSAL, RightProvider, rigOf, type Shop } from './right-provider';
import { type Rule, RULES } from './rules';

const ignoring = new AbortController().signal;
const silence = new Promise<never>(() => undefined);

type Wrong = (shop: Shop) => Provider;

/** A right provider but for one method. */
const wrong =
  (change: (right: RightProvider, shop: Shop) => Partial<Provider>): Wrong =>
  (shop) => {
    const right = new RightProvider(shop);
    const asIs: Provider = {
      purchase: (...asked) => right.purchase(...asked),
      find: (...asked) => right.find(...asked),
      verify: (callback) => right.verify(callback),
    };
    return { ...asIs, ...change(right, shop) };
  };

/** Mistakes that adapters make, under the rule that shows them. */
const WRONG: Record<keyof typeof RULES, Record<string, Wrong>> = {
  'says what it delivered': {
    'keeps the reference to itself': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), providerReference: '' }),
    })),
    'tells facts that are no JSON': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), details: { at: new Date() } }),
    })),
    'tells what arrived in another unit': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), deliveredAmount: 50n }) as ProviderResult,
    })),
    'tells what arrived as a fact': wrong((right) => ({
      purchase: async (...asked) =>
        ({ ...(await right.purchase(...asked)), details: { delivered_amount: 5_025 } }) as unknown as ProviderResult,
    })),
    'tells facts in camelCase': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), details: { deliveredAmount: 1 } }),
    })),
    'never dares to say it': wrong(() => ({ purchase: async () => ({ outcome: 'unknown', code: 'who_knows' }) })),
  },
  'says how much arrived, where it is a part': {
    'takes a part for the whole': wrong((right) => ({
      purchase: async (order, signal) =>
        ({ ...(await right.purchase(order, signal)), deliveredAmount: order.amount }) as ProviderResult,
    })),
    'forgets it when it is asked again': wrong((right) => ({
      find: async (...asked) =>
        ({ ...(await right.find(...asked)), deliveredAmount: undefined }) as unknown as FindResult,
    })),
  },
  'says that it did not deliver, and why': {
    'takes any answer for a delivery': wrong((_, shop) => ({
      purchase: async (order, signal) => delivered(await shop.sell(order, signal)),
    })),
    'throws at a refusal': wrong((right) => ({
      purchase: async (...asked) => orThrow(await right.purchase(...asked)),
    })),
    'gives the reason of the other side as it is': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), code: 'ERR 17: barred' }),
    })),
    'does not say who can help': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), recovery: 'call_us' as never }),
    })),
  },
  'stops waiting for an answer when it is told to, and claims nothing': {
    'ignores the signal': wrong((right) => ({ purchase: (order) => right.purchase(order, ignoring) })),
    'takes a time-out for a refusal': wrong((right) => ({
      purchase: (...asked) => right.purchase(...asked).catch(() => REFUSAL),
    })),
    'throws what is no error': wrong((right) => ({
      purchase: (...asked) => right.purchase(...asked).catch(() => Promise.reject('timeout' as unknown as Error)),
    })),
  },
  'stops reading an answer that never ends, and claims nothing': {
    'ignores the signal once the answer has begun': wrong((right, shop) => ({
      purchase: (order, signal) =>
        right.purchase(order, shop.deeds.get(order.reference) === 'drips' ? ignoring : signal),
    })),
    'takes what it has read for a delivery': wrong((right) => ({
      purchase: (...asked) => right.purchase(...asked).catch(() => delivered('half')),
    })),
  },
  'claims nothing after nonsense': {
    'takes nonsense for a refusal': wrong((right) => ({
      purchase: async (...asked) => unlessUnknown(await right.purchase(...asked), REFUSAL),
    })),
    'takes nonsense for a delivery': wrong((right) => ({
      purchase: async (...asked) => unlessUnknown(await right.purchase(...asked), delivered('200 OK')),
    })),
  },
  'sells once for one reference, and says the same each time': {
    'makes up a reference of its own': wrong((right, shop) => ({
      purchase: async (order, signal) => {
        const reference = newId();
        shop.deeds.set(reference, shop.deeds.get(order.reference)!);
        return right.purchase({ ...order, reference }, signal);
      },
    })),
    'sells again': wrong((right, shop) => ({
      purchase: (order, signal) => {
        const sale = shop.sold.get(order.reference);
        if (sale) sale.times++;
        return right.purchase(order, signal);
      },
    })),
    'says something else the second time': wrong((right, shop) => ({
      purchase: async (order, signal) => {
        const isKnown = shop.sold.has(order.reference);
        return { ...(await right.purchase(order, signal)), ...(isKnown && { secrets: { tokens: ['another'] } }) };
      },
    })),
    'gives every sale the same reference': wrong((right) => ({
      purchase: async (...asked) => ({ ...(await right.purchase(...asked)), providerReference: 'OK' }),
    })),
  },
  'refuses one reference for one reason': {
    'calls a repetition a duplicate': wrong((right, shop) => ({
      purchase: async (order, signal) =>
        shop.refused.has(order.reference) ? { ...REFUSAL, code: 'duplicate' } : right.purchase(order, signal),
    })),
  },
  'finds what it delivered': {
    'answers with another reference': wrong((right) => ({
      find: async (...asked) => ({ ...(await right.find(...asked)), providerReference: 'requery' }),
    })),
    'finds another token': wrong((right) => ({
      find: async (...asked) => ({ ...(await right.find(...asked)), secrets: { tokens: ['another'] } }),
    })),
    'forgets the facts': wrong((right) => ({
      find: async (...asked) => ({ ...(await right.find(...asked)), details: undefined }),
    })),
    'sells when it is asked': wrong((right) => ({
      find: async (...asked) => aboutOrder(await right.purchase(...asked)),
      purchase: async () => delivered('later'),
    })),
  },
  'finds no sale where it refused': {
    'finds deliveries only': wrong((right) => ({
      find: async (...asked) =>
        ({ ...(await right.find(...asked)), outcome: 'delivered', providerReference: '1' }) as FindResult,
    })),
    'does not say that it speaks of the order': wrong((right) => ({
      find: async (...asked) => ({ ...(await right.find(...asked)), about: undefined }) as unknown as FindResult,
    })),
    'finds another reason': wrong((right) => ({
      find: async (...asked) => ({ ...(await right.find(...asked)), code: 'declined' }) as FindResult,
    })),
  },
  'concludes nothing at a requery from words about our account': {
    'reads a requery like a first answer': wrong((right, shop) => ({
      find: async ({ reference }, signal) =>
        aboutOrder(right.read(await shop.recall(reference, signal)) as ProviderResult),
    })),
    'takes them for an order that never arrived': wrong((right) => ({
      find: async (...asked) => unlessUnknown(await right.find(...asked), { outcome: 'not_known' }),
    })),
  },
  'finds what was sold while nobody heard the answer': {
    'knows only what it heard itself': (shop) => {
      const right = new RightProvider(shop);
      const heard = new Map<string, ProviderResult>();
      const purchase: Provider['purchase'] = async (order, signal) => {
        const result = await right.purchase(order, signal);
        heard.set(order.reference, result);
        return result;
      };
      return {
        purchase,
        find: async ({ reference }) =>
          heard.has(reference) ? aboutOrder(heard.get(reference)!) : { outcome: 'not_known' },
      };
    },
  },
  'knows no reference that it was never asked for': {
    'takes it for a refusal': wrong((right) => ({
      find: async (...asked) => unlessNotKnown(await right.find(...asked), { ...REFUSAL, about: 'order' }),
    })),
    'takes it for an answer that may still come': wrong((right) => ({
      find: async (...asked) => unlessNotKnown(await right.find(...asked), { outcome: 'unknown', code: 'pending' }),
    })),
  },
  'stops waiting at a requery when it is told to, and claims nothing': {
    'ignores the signal': wrong((right) => ({ find: (order) => right.find(order, ignoring) })),
    'takes a time-out for an unknown reference': wrong((right) => ({
      find: (...asked) => right.find(...asked).catch(() => ({ outcome: 'not_known' })),
    })),
  },
  'claims nothing after nonsense at a requery': {
    'takes nonsense for an unknown reference': wrong((right) => ({
      find: async (...asked) => unlessUnknown(await right.find(...asked), { outcome: 'not_known' }),
    })),
    'waits for ever': wrong((right, shop) => ({
      find: (order, signal) =>
        shop.deeds.get(order.reference) === 'loses_its_mind' ? silence : right.find(order, signal),
    })),
  },
  'asks for the amount to the minor unit, and says what left our float for it': {
    'asks for whole naira': wrong((right) => ({
      purchase: (order, signal) => right.purchase({ ...order, amount: (order.amount / 100n) * 100n }, signal),
    })),
    'takes the price for what it cost': wrong((right) => ({
      purchase: async (...asked) => {
        const result = await right.purchase(...asked);
        return { ...result, cost: (result as Delivered).deliveredAmount } as ProviderResult;
      },
    })),
  },
  'asks once more when its token ends, and sells once': {
    'takes a token that ended for a refusal': wrong((right, shop) => ({
      purchase: async (order, signal) =>
        shop.sold.size > 0 && !shop.isSignedIn ? REFUSAL : right.purchase(order, signal),
    })),
    'takes a token that ended for an order that is not there': wrong((right, shop) => ({
      find: async (order, signal) => (shop.isSignedIn ? right.find(order, signal) : { outcome: 'not_known' }),
    })),
    'asks once more, under a new reference': wrong((right, shop) => ({
      purchase: async (order, signal) => {
        if (shop.sold.size > 0 && !shop.isSignedIn) await right.purchase(order, signal);
        const sale = shop.sold.get(order.reference);
        if (sale) sale.times++;
        return right.purchase(order, signal);
      },
    })),
  },
  'says that it waits while an order is under way, and how it ended': {
    'takes what is under way for delivered': wrong((right) => ({
      purchase: async (...asked) => unlessAccepted(await right.purchase(...asked), delivered('soon')),
    })),
    'takes what is under way for unknown, which breakers count': wrong((right) => ({
      purchase: async (...asked) =>
        unlessAccepted(await right.purchase(...asked), { outcome: 'unknown', code: 'pending' }),
    })),
    'takes what is under way for an order that is not there': wrong((right) => ({
      find: async (...asked) => unlessAccepted(await right.find(...asked), { outcome: 'not_known' }),
    })),
    'waits for ever for what failed': wrong((right) => ({
      find: async (...asked) => {
        const found = await right.find(...asked);
        return found.outcome === 'not_delivered' ? { outcome: 'accepted' } : found;
      },
    })),
    'does not see that it was taken back': wrong((right) => ({
      find: async (...asked) => {
        const found = await right.find(...asked);
        return found.outcome === 'reversed' ? delivered('long ago') : found;
      },
    })),
  },
  'knows its own callback, which order it is about, and the same when it comes again': {
    'calls a repetition a duplicate': wrong((right) => {
      const seen = new Set<string>();
      return {
        verify: (callback) => {
          const isNew = seen.size < seen.add(callback.body.toString()).size;
          return isNew ? right.verify(callback) : { outcome: 'other' };
        },
      };
    }),
    'names the order as the other side does': wrong((right, shop) => ({
      verify: (callback) => {
        const heard = right.verify(callback);
        if (heard.outcome !== 'genuine') return heard;
        return { ...heard, reference: shop.sold.get(heard.reference)?.id ?? heard.reference };
      },
    })),
  },
  'knows a callback that comes before the answer': {
    'knows only orders that it has heard of': wrong((right, shop) => ({
      verify: (callback) => {
        const heard = right.verify(callback);
        return heard.outcome === 'genuine' && !shop.sold.has(heard.reference) ? { outcome: 'other' } : heard;
      },
    })),
  },
  'knows its own callback about no order of ours': {
    'takes it for a forged one': wrong((right) => ({
      verify: (callback) => {
        const heard = right.verify(callback);
        return heard.outcome === 'other' ? { outcome: 'forged' } : heard;
      },
    })),
  },
  'takes no callback that was changed, or that nobody signed': {
    'looks only whether there is a signature': wrong((right) => ({
      verify: ({ body, headers }) => (headers.signature ? right.about(body) : { outcome: 'forged' }),
    })),
    'lets pass what nobody signed': wrong((right) => ({
      verify: (callback) => (callback.headers.signature ? right.verify(callback) : right.about(callback.body)),
    })),
  },
  'takes no callback that another provider signed': {
    'does not mind whose signature it is': wrong((right) => ({
      verify: (callback) => {
        const heard = right.verify(callback);
        const isSigned = /^[0-9a-f]{64}$/.test(callback.headers.signature ?? '');
        return heard.outcome === 'forged' && isSigned ? right.about(callback.body) : heard;
      },
    })),
  },
};

function orThrow(result: ProviderResult): ProviderResult {
  if (result.outcome === 'not_delivered') throw new Error(result.message);
  return result;
}

const aboutOrder = (result: ProviderResult): FindResult =>
  result.outcome === 'not_delivered' ? { ...result, about: 'order' } : result;

const unlessUnknown = <T extends FindResult | ProviderResult>(result: T, claim: T): T =>
  result.outcome === 'unknown' ? claim : result;
const unlessAccepted = <T extends FindResult | ProviderResult>(result: T, claim: T): T =>
  result.outcome === 'accepted' ? claim : result;
const unlessNotKnown = (result: FindResult, claim: FindResult): FindResult =>
  result.outcome === 'not_known' ? claim : result;

providerContract('that does everything right', () => rigOf((shop) => new RightProvider(shop)));

describe('a provider that is wrong is found out', () => {
  const mistakes = Object.entries(WRONG).flatMap(([rule, providers]) =>
    Object.entries(providers).map(([mistake, provider]) => [mistake, rule, provider] as const),
  );

  it.each(mistakes)('it %s: not every provider %s', async (_, rule, provider) => {
    await expect((RULES as Record<string, Rule>)[rule]!(rigOf(provider))).rejects.toThrow(/expect\(|hangs|barred/);
  });

  it('by each rule', () => {
    expect(Object.keys(WRONG)).toEqual(Object.keys(RULES));
  });
});

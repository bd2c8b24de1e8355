import fc from 'fast-check';
import {
  declineStepOf,
  isCounted,
  refusalOf,
  type Spent,
  startOf,
  type SummedInterval,
} from './authorizations.service';
import { type Controls, LIMIT_INTERVALS, type LimitInterval } from './card.entity';

it('counts only declines for want of money', () => {
  expect(
    ['insufficient_funds', 'card_frozen', 'spending_limit', 'mcc_blocked', 'merchant_declined'].filter(isCounted),
  ).toEqual(['insufficient_funds']);
});

it.each([
  [{ warnAt: 2, terminateAt: 4 }, [null, 'warn', null, 'terminate', 'terminate']],
  [{ warnAt: 2, terminateAt: null }, [null, 'warn', null, null, null]],
  [{ warnAt: null, terminateAt: 3 }, [null, null, 'terminate', 'terminate', 'terminate']],
  [{ warnAt: 3, terminateAt: 3 }, [null, 'warn', 'terminate', 'terminate', 'terminate']],
  [{ warnAt: null, terminateAt: null }, [null, null, null, null, null]],
])('%j', (policy, steps) => {
  expect([1, 2, 3, 4, 5].map((declines) => declineStepOf(policy, declines))).toEqual(steps);
});

it('warns once, and before it terminates', () => {
  const threshold = fc.option(fc.integer({ min: 1, max: 20 }), { nil: null });
  fc.assert(
    fc.property(threshold, threshold, (warnAt, terminateAt) => {
      const steps = Array.from({ length: 25 }, (_, i) => declineStepOf({ warnAt, terminateAt }, i + 1));
      const isWarned = warnAt !== null && terminateAt !== 1;
      expect(steps.filter((step) => step === 'warn')).toHaveLength(isWarned ? 1 : 0);
      expect(steps.indexOf('warn')).toBeLessThan(
        steps.includes('terminate') ? steps.indexOf('terminate') : steps.length,
      );
    }),
  );
});

const OPEN: Controls = { limits: [], allowed_mccs: [], blocked_mccs: [], allowed_countries: [], blocked_countries: [] };
const NOTHING: Spent = { daily: 0n, weekly: 0n, monthly: 0n, all_time: 0n };
const SUMMED = ['daily', 'weekly', 'monthly', 'all_time'] as const;

const ask = (amount: bigint, mcc = '5411', country = 'NG') => ({ amount, merchant: { mcc, country } });

describe('startOf', () => {
  it.each<[SummedInterval, string, string]>([
    ['daily', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['daily', '2026-03-01T23:59:59.999Z', '2026-03-01T00:00:00.000Z'],
    ['weekly', '2026-03-01T12:00:00.000Z', '2026-02-23T00:00:00.000Z'],
    ['weekly', '2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['weekly', '2026-01-01T00:00:00.000Z', '2025-12-29T00:00:00.000Z'],
    ['monthly', '2028-02-29T12:00:00.000Z', '2028-02-01T00:00:00.000Z'],
    ['all_time', '2026-03-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ])('%s at %s: %s', (interval, now, start) => {
    expect(startOf(interval, new Date(now)).toISOString()).toBe(start);
  });

  it('is never after now, and the same for every moment of the interval', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SUMMED),
        fc.date({ min: new Date('1970-01-05'), max: new Date('2200-01-01'), noInvalidDate: true }),
        (interval, now) => {
          const start = startOf(interval, now);
          expect(start.getTime()).toBeLessThanOrEqual(now.getTime());
          expect(startOf(interval, start)).toEqual(start);
        },
      ),
    );
  });
});

describe('refusalOf', () => {
  it('allows what nothing speaks against', () => {
    expect(refusalOf(ask(1_000_000n), OPEN, NOTHING)).toBeNull();
  });

  it.each<[string, Partial<Controls>, string | null]>([
    ['a blocked category', { blocked_mccs: ['5411'] }, 'mcc_blocked'],
    ['another blocked category', { blocked_mccs: ['7995'] }, null],
    ['an allowed category', { allowed_mccs: ['5411'] }, null],
    ['a category that is not allowed', { allowed_mccs: ['5812'] }, 'mcc_blocked'],
    ['a category both allowed and blocked', { allowed_mccs: ['5411'], blocked_mccs: ['5411'] }, 'mcc_blocked'],
    ['a blocked country', { blocked_countries: ['NG'] }, 'country_blocked'],
    ['a country that is not allowed', { allowed_countries: ['GB', 'US'] }, 'country_blocked'],
    ['an allowed country', { allowed_countries: ['NG'] }, null],
    ['country before category', { blocked_countries: ['NG'], blocked_mccs: ['5411'] }, 'country_blocked'],
    ['a limit that is met', { limits: [{ amount: 100, interval: 'per_authorization' }] }, null],
    ['a limit that is passed', { limits: [{ amount: 99, interval: 'per_authorization' }] }, 'spending_limit'],
    [
      'the narrowest of several limits',
      {
        limits: [
          { amount: 500, interval: 'daily' },
          { amount: 99, interval: 'monthly' },
        ],
      },
      'spending_limit',
    ],
  ])('%s', (_, controls, reason) => {
    expect(refusalOf(ask(100n), { ...OPEN, ...controls }, NOTHING)).toBe(reason);
  });

  it('adds what the interval has seen', () => {
    const spent = { ...NOTHING, weekly: 400n };
    expect(refusalOf(ask(100n), { ...OPEN, limits: [{ amount: 500, interval: 'weekly' }] }, spent)).toBeNull();
    expect(refusalOf(ask(101n), { ...OPEN, limits: [{ amount: 500, interval: 'weekly' }] }, spent)).toBe(
      'spending_limit',
    );
    expect(refusalOf(ask(101n), { ...OPEN, limits: [{ amount: 500, interval: 'daily' }] }, spent)).toBeNull();
  });

  it('lets no sequence of authorizations pass a limit, and refuses none that stays below all', () => {
    const limit = fc.record({
      amount: fc.integer({ min: 1, max: 400 }),
      interval: fc.constantFrom(...LIMIT_INTERVALS),
    });
    const purchase = fc.record({ amount: fc.integer({ min: 1, max: 300 }), hours: fc.integer({ min: 0, max: 300 }) });
    fc.assert(
      fc.property(fc.array(limit, { maxLength: 4 }), fc.array(purchase, { maxLength: 40 }), (limits, purchases) => {
        const accepted: { at: Date; amount: bigint }[] = [];
        let at = new Date('2026-01-28T09:00:00Z');
        for (const { amount, hours } of purchases) {
          at = new Date(at.getTime() + hours * 3_600_000);
          const since = (interval: SummedInterval) =>
            accepted.filter((one) => one.at >= startOf(interval, at)).reduce((sum, one) => sum + one.amount, 0n);
          const spent = Object.fromEntries(SUMMED.map((interval) => [interval, since(interval)])) as unknown as Spent;
          const refusal = refusalOf(ask(BigInt(amount)), { ...OPEN, limits }, spent);
          const isWithin = (l: { amount: number; interval: LimitInterval }) =>
            BigInt(amount) + (l.interval === 'per_authorization' ? 0n : spent[l.interval]) <= BigInt(l.amount);
          expect(refusal === null).toBe(limits.every(isWithin));
          if (refusal === null) accepted.push({ at, amount: BigInt(amount) });
        }
        // Whatever was refused on the way: no calendar interval holds more than its limit.
        for (const { amount, interval } of limits) {
          if (interval === 'per_authorization') continue;
          const sums = Map.groupBy(accepted, (one) => startOf(interval, one.at).getTime());
          for (const group of sums.values())
            expect(group.reduce((sum, one) => sum + one.amount, 0n)).toBeLessThanOrEqual(BigInt(amount));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

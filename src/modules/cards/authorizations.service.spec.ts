import fc from 'fast-check';
import { declineStepOf, isCounted } from './authorizations.service';

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

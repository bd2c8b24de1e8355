import fc from 'fast-check';
import {
  CARD_TRANSACTION_STATUSES,
  CARD_TRANSACTION_TRANSITIONS,
  heldOf,
  STEP_KINDS,
  type StepKind,
  stepOf,
  type Sums,
} from './card-transaction.entity';

const FRESH: Sums = {
  status: 'authorized',
  declineReason: null,
  amount: 100n,
  cleared: 0n,
  over: 0n,
  released: 0n,
  refunded: 0n,
};

/** The state after some steps; the last one's refusal when it was refused. */
function walk(...steps: [StepKind, bigint | null][]): string {
  let sums = FRESH;
  for (const [kind, amount] of steps) {
    const step = stepOf(sums, kind, amount);
    if ('refused' in step) return 'left' in step ? `${step.refused} ${step.left}` : step.refused;
    sums = step.after;
  }
  return `${sums.status} ${heldOf(sums)}`;
}

it.each<[string, [StepKind, bigint | null][]]>([
  ['settled 0', [['clearing', null]]],
  ['settled 60', [['clearing', 40n]]],
  [
    'settled 0',
    [
      ['clearing', 40n],
      ['clearing', 60n],
    ],
  ],
  [
    'settled 0',
    [
      ['clearing', 40n],
      ['clearing', 61n],
    ],
  ],
  [
    'settled 0',
    [
      ['clearing', null],
      ['clearing', 1n],
    ],
  ],
  [
    'wrong_state',
    [
      ['clearing', null],
      ['clearing', null],
    ],
  ],
  [
    'too_much 141',
    [
      ['clearing', 40n],
      ['clearing', 101n],
      ['refund', 142n],
    ],
  ],
  [
    'settled 0',
    [
      ['void', null],
      ['clearing', 120n],
    ],
  ],
  [
    'settled 0',
    [
      ['clearing', null],
      ['refund', null],
      ['clearing', 5n],
    ],
  ],
  ['voided 0', [['void', null]]],
  ['authorized 70', [['void', 30n]]],
  [
    'settled 0',
    [
      ['void', 30n],
      ['clearing', null],
    ],
  ],
  [
    'settled 0',
    [
      ['clearing', 40n],
      ['void', null],
    ],
  ],
  [
    'settled 0',
    [
      ['clearing', 40n],
      ['expiry', null],
    ],
  ],
  ['expired 0', [['expiry', null]]],
  [
    'settled 0',
    [
      ['expiry', null],
      ['clearing', 1n],
    ],
  ],
  [
    'wrong_state',
    [
      ['expiry', null],
      ['clearing', null],
    ],
  ],
  [
    'wrong_state',
    [
      ['void', null],
      ['expiry', null],
    ],
  ],
  ['wrong_state', [['refund', 1n]]],
  [
    'settled 0',
    [
      ['clearing', null],
      ['refund', 99n],
    ],
  ],
  [
    'refunded 0',
    [
      ['clearing', null],
      ['refund', 99n],
      ['refund', null],
    ],
  ],
  [
    'too_much 1',
    [
      ['clearing', null],
      ['refund', 99n],
      ['refund', 2n],
    ],
  ],
  [
    'wrong_state',
    [
      ['clearing', null],
      ['refund', null],
      ['refund', 1n],
    ],
  ],
  [
    'settled 60',
    [
      ['clearing', 40n],
      ['refund', null],
    ],
  ],
  [
    'wrong_state',
    [
      ['clearing', 40n],
      ['refund', null],
      ['refund', 1n],
    ],
  ],
  [
    'refunded 0',
    [
      ['clearing', 40n],
      ['refund', null],
      ['void', null],
    ],
  ],
])('%s after %j', (end, steps) => {
  expect(walk(...steps)).toBe(end);
});

/** Told again, from the sums alone; who released the money cannot be seen in them. */
function statusOf(sums: Sums): string {
  const isOpen = heldOf(sums) > 0n;
  if (sums.cleared === 0n) return isOpen ? 'authorized' : sums.status === 'expired' ? 'expired' : 'voided';
  return !isOpen && sums.refunded === sums.cleared ? 'refunded' : 'settled';
}

it('keeps to its sums and to the table of transitions, whatever is asked', () => {
  const command = fc.record({
    kind: fc.constantFrom(...STEP_KINDS),
    amount: fc.option(fc.bigInt({ min: 1n, max: 120n }), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
      let sums = FRESH;
      for (const { kind, amount } of commands) {
        const step = stepOf(sums, kind, amount);
        if ('refused' in step) continue;
        const held = kind === 'refund' ? 0n : heldOf(sums) - heldOf(step.after);
        expect(step.over).toBe(kind === 'clearing' ? step.amount - held : 0n);
        expect(CARD_TRANSACTION_TRANSITIONS[sums.status]).toContain(step.after.status);
        sums = step.after;
        expect(heldOf(sums)).toBeGreaterThanOrEqual(0n);
        expect(sums.refunded).toBeLessThanOrEqual(sums.cleared);
        expect(sums.status).toBe(statusOf(sums));
      }
    }),
    { numRuns: 5_000 },
  );
});

it('a clearing comes in any state, and of what was declined nothing is held', () => {
  for (const status of CARD_TRANSACTION_STATUSES) {
    const declineReason = status === 'declined' ? 'card_frozen' : null;
    const sums = status === 'authorized' || status === 'declined' ? FRESH : { ...FRESH, released: 100n };
    const step = stepOf({ ...sums, status, declineReason }, 'clearing', 7n);
    const isHeld = status === 'authorized';
    expect(step).toMatchObject({ amount: 7n, over: isHeld ? 0n : 7n, after: { status: 'settled', cleared: 7n } });
    expect(heldOf((step as { after: Sums }).after)).toBe(isHeld ? 93n : 0n);
  }
});

it('leaves nothing else to do in a final state', () => {
  for (const status of ['voided', 'expired', 'declined', 'refunded'] as const) {
    for (const kind of STEP_KINDS.filter((one) => one !== 'clearing'))
      expect(stepOf({ ...FRESH, status }, kind, 1n)).toEqual({ refused: 'wrong_state' });
  }
});

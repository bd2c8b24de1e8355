import { durationMs } from '../../../core/clock/clock';
import { endingOf, needsMemory, parseScenario, planOf } from './plan';
import { SCENARIOS } from './scenarios';

const phone = (tail: string) => ({ scenario: null, item: { phone: `+2348000042${tail}` } });
const header = (scenario: string, item = {}) => ({ scenario, item });
const [first, second] = SCENARIOS.providers as [string, string];

describe('a phone number', () => {
  it.each(SCENARIOS.phones.outcomes.map((row) => [row.code, row] as const))(
    '%s',
    (code, { answer, later, delay = '0s' }) => {
      const ownMs = durationMs(delay)!;
      expect(planOf(first, phone(`1${code}`))).toMatchObject({ plan: { answer, later }, delayMs: ownMs });
      const { plan, delayMs } = planOf(first, phone(`2${code}`));
      expect(delayMs).toBe(ownMs + 20_000);
      expect(plan).toMatchObject(later ? { answer, later } : { answer: 'processing', later: answer });
      expect(planOf(first, phone(`3${code}`)).delayMs).toBe(ownMs + 300_000);
    },
  );

  it.each([
    '+234800004210',
    '+23480000421021',
    '+2348030042108',
    '+2348000042008',
    '+2348000042408',
    '+2348000042101',
    '08000042108',
  ])('is delivered to when it means nothing: %s', (other) =>
    expect(planOf(first, { scenario: null, item: { phone: other } })).toEqual({
      plan: { answer: 'delivered' },
      isSellable: true,
      delayMs: 0,
    }),
  );

  it('is no number without a phone', () => {
    for (const item of [{}, { phone: null }, { phone: 8 }])
      expect(planOf(first, { scenario: null, item }).plan.answer).toBe('delivered');
  });

  it('fails over from the first provider to the second', () => {
    expect(planOf(first, phone('105')).plan).toMatchObject({ answer: 'failed', refusal: 'operator_unavailable' });
    expect(planOf(second, phone('105')).plan).toEqual({ answer: 'delivered' });
    expect(planOf(second, phone('104')).plan).toMatchObject({ answer: 'failed' });
  });

  it('cannot be sold to by anybody when the floats are empty', () => {
    for (const provider of SCENARIOS.providers) expect(planOf(provider, phone('115')).isSellable).toBe(false);
  });

  it('needs a memory only when time or a tester decides', () => {
    const remembered = SCENARIOS.phones.outcomes
      .filter(({ code }) => needsMemory(planOf(first, phone(`1${code}`)).plan))
      .map(({ code }) => code);
    expect(remembered).toEqual(['07', '08', '09', '10', '11', '12', '16', '17', '18']);
    expect(SCENARIOS.phones.outcomes.every(({ code }) => needsMemory(planOf(first, phone(`2${code}`)).plan))).toBe(
      true,
    );
  });
});

describe('the header', () => {
  it.each([
    ['outcome=delivered', { answer: 'delivered' }, 0],
    ['outcome=delivered;then=reversed;delay=2h', { answer: 'delivered', later: 'reversed' }, 7_200_000],
    ['outcome=failed', { answer: 'failed', refusal: 'declined' }, 0],
    [' outcome = failed ; code = odd_thing ; ', { answer: 'failed', refusal: 'odd_thing' }, 0],
    ['outcome=timeout; then=delivered; delay=3s', { answer: 'timeout', later: 'delivered' }, 3_000],
    ['outcome=timeout', { answer: 'timeout', later: 'delivered' }, 0],
    ['outcome=error', { answer: 'error', later: 'failed' }, 0],
    ['outcome=error; then=never', { answer: 'error', later: 'never' }, 0],
    ['outcome=garbage', { answer: 'garbage', later: 'delivered' }, 0],
    ['outcome=processing', { answer: 'processing', later: 'settled' }, 0],
    [
      'outcome=processing; then=failed; code=invalid_recipient; delay=5m',
      { answer: 'processing', later: 'failed', refusal: 'invalid_recipient' },
      300_000,
    ],
    ['outcome=refused_once', { answer: 'failed', refusal: 'operator_unavailable', refusedBy: [first] }, 0],
  ] as const)('%s', (text, behaviour, delayMs) => {
    const read = parseScenario(text);
    expect(read.delayMs).toBe(delayMs);
    expect(read.behaviour).toEqual(behaviour);
  });

  it('overrides the number', () => {
    expect(planOf(first, header('outcome=delivered', phone('102').item)).plan.answer).toBe('delivered');
    expect(planOf(first, header('outcome=failed', phone('100').item)).plan.answer).toBe('failed');
    expect(planOf(first, header('outcome=delivered', phone('115').item)).isSellable).toBe(true);
  });

  it('delays what would be the last word', () => {
    const { plan } = planOf(first, header('outcome=failed; code=recipient_barred; delay=20s'));
    expect(plan).toMatchObject({ answer: 'processing', refusal: 'recipient_barred', isDelayed: true });
    expect(endingOf(plan)).toBe('failed');
  });

  it.each([
    ['', /outcome must be one of/],
    ['outcome=delivered; callback=once', /callback tells how it ends/],
    ['outcome=processing; callback=once', /callback tells how it ends/],
    ['outcome=timeout; then=never; callback=twice', /callback tells how it ends/],
    ['outcome=timeout; callback=often', /callback must be one of once, twice, lost, forged, contradicted/],
    ['then=delivered', /outcome must be one of/],
    ['outcome=lost', /outcome must be one of delivered, failed/],
    ['outcome', /name=value/],
    ['outcome=failed,code=x', /outcome must be one of/],
    ['colour=red', /name=value, with the names outcome, then, delay, code, callback/],
    ['constructor=x', /name=value/],
    ['outcome=failed; outcome=delivered', /outcome is there twice/],
    ['outcome=failed; then=delivered', /after outcome=failed, then may be nothing/],
    ['outcome=timeout; then=settled', /after outcome=timeout, then may be delivered, failed, reversed, never/],
    ['outcome=delivered; then=settled', /then may be reversed/],
    ['outcome=delivered; delay=3', /delay must be a time/],
    ['outcome=delivered; delay=8761h', /at most a year/],
    ['outcome=failed; code=Odd', /snake_case/],
    ['outcome=delivered; code=odd', /reason of a refusal/],
    ['outcome=error; then=delivered; code=odd', /reason of a refusal/],
    [`outcome=failed; code=${'x'.repeat(200)}`, /at most 200 characters/],
  ])('"%s" cannot be read', (text, says) => {
    expect(() => parseScenario(text)).toThrow(says);
    expect(() => planOf(first, header(text))).toThrow(says);
  });
});

it('is a table without gaps', () => {
  const { phones, header: grammar, refusals } = SCENARIOS;
  const unique = (values: string[]) => new Set(values).size === values.length;
  expect(unique(phones.outcomes.map(({ code }) => code)) && unique(phones.delays.map(({ digit }) => digit))).toBe(true);
  const named = [...phones.outcomes, ...grammar.outcomes].map(({ refusal }) => refusal ?? 'declined');
  expect(named.filter((code) => !(code in refusals))).toEqual([]);
  expect(() => parseScenario(grammar.example)).not.toThrow();
});

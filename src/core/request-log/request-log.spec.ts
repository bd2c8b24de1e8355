import { redactedJson } from './request-log';

const kept = (content: unknown): unknown => JSON.parse(redactedJson(content) ?? 'null');

describe('what is kept of a body', () => {
  it('is the body', () =>
    expect(kept({ amount: 5, phone: '+2348031234567', metadata: { order: '1001' } })).toEqual({
      amount: 5,
      phone: '+2348031234567',
      metadata: { order: '1001' },
    }));

  it.each([undefined, null, {}, 'text'])('is nothing of %j', (content) => expect(redactedJson(content)).toBeNull());

  it('has no field that holds a secret, however deep', () =>
    expect(kept({ a: [{ Password: 'hunter2', pin: 1, identity: { type: 'bvn', number: '1' } }], cvv: null })).toEqual({
      a: [{ Password: '[redacted]', pin: '[redacted]', identity: '[redacted]' }],
      cvv: null,
    }));

  it('has no key and no card number in any text', () =>
    expect(
      redactedJson({
        narration: 'sk_test_AbCdEfGhIjKl whsec_AAAAAAAAAAAA 4111111111111111 5500005555555559.',
        other: '4111111111111112',
      }),
    ).toBe('{"narration":"sk_test_[redacted] whsec_[redacted] [redacted] [redacted].","other":"4111111111111112"}'));

  it('is cut', () => expect(redactedJson({ a: 'é'.repeat(10_000) })).toHaveLength(4_096));
});

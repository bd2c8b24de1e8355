import { keptHeaders, redactedAnswer, redactedJson } from './kept';

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

describe('what is kept of headers', () => {
  const SENT = {
    authorization: 'Bearer sk_live_AbCdEfGhIjKl',
    cookie: 'session=abc',
    'proxy-authorization': 'Basic YWRhOnNlc2FtZQ==',
    'x-api-key': 'k',
    'webhook-signature': 'v1,abc',
    'set-cookie': ['session=abc'],
    'x-forwarded-for': '10.0.0.1',
    'content-type': 'application/json',
    'idempotency-key': 'order 4111111111111111',
  };

  it('is what is listed, and scrubbed', () =>
    expect(keptHeaders(SENT, 'request')).toEqual({
      'content-type': 'application/json',
      'idempotency-key': 'order [redacted]',
    }));

  it('is nothing secret of an answer', () =>
    expect(keptHeaders(SENT, 'answer')).toEqual({ 'content-type': 'application/json' }));
});

describe('what is kept of an answer', () => {
  it('is its problem, with its code and without what it repeats of secrets', () =>
    expect(
      JSON.parse(
        redactedAnswer(
          JSON.stringify({
            code: 'validation_failed',
            detail: 'BVN 22212345678 is not known',
            provider: { code: '51', token: 'abc' },
            identity: { type: 'bvn' },
          }),
        ),
      ),
    ).toEqual({
      code: 'validation_failed',
      detail: 'BVN [redacted] is not known',
      provider: { code: '51', token: '[redacted]' },
      identity: '[redacted]',
    }));
});

it('numbers of recipients are kept, and cards that are numbers are not', () =>
  expect(
    kept({
      meter_number: '45012345678',
      note: '45012345678',
      card: 4111111111111111,
      id: 22212345678,
      amount: 12345678901,
    }),
  ).toEqual({
    meter_number: '45012345678',
    note: '[redacted]',
    card: '[redacted]',
    id: '[redacted]',
    amount: 12345678901,
  }));

it('names of fields say no secret either', () =>
  expect(kept({ a: [{ 'card 4111111111111111': 1, b: 'c' }] })).toEqual({ a: [{ 'card [redacted]': 1, b: 'c' }] }));

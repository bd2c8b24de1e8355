import { isSecretName, scrubText } from './scrubbed';

describe('a text that is kept', () => {
  it.each([
    ['a card number', 'paid with 4111111111111111', 'paid with [redacted]'],
    ['a card as people write it', 'card 4111 1111 1111 1111, thanks', 'card [redacted], thanks'],
    ['a card with what follows it', '4111-1111-1111-1111 12', '[redacted]'],
    ['a card of fifteen digits', '3782 822463 10005', '[redacted]'],
    ['a key', 'sk_live_AbCdEfGhIjKl', 'sk_live_[redacted]'],
    ['the key of an endpoint', 'whsec_AAAAAAAAAAAA', 'whsec_[redacted]'],
    ['a bearer', 'Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
    ['a signed token', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.sig', '[redacted]'],
    ['a password', 'my password is hunter2', 'my password is [redacted]'],
    ['a password after a colon', 'password: hunter2', 'password: [redacted]'],
    ['a PIN', 'PIN: 1234', 'PIN: [redacted]'],
    ['a PIN in a sentence', 'the pin is 4321.', 'the pin is [redacted].'],
    ['a meter token', '1234 5678 9012 3456 7890', '[redacted]'],
    ['a meter token with lines', '1234-5678-9012-3456-7890', '[redacted]'],
    ['a BVN', 'BVN 22212345678 does not match', 'BVN [redacted] does not match'],
    ['a NIN', '70123456789', '[redacted]'],
  ])('has not %s', (_, text, kept) => expect(scrubText(text)).toBe(kept));

  it.each([
    '+2348031234567',
    '08031234567',
    '0123456789',
    'NGN 1,250.50',
    '4111111111111112',
    'The PIN is wrong.',
    'txn_01kabcdefghjkmnpqrstvwxyz0',
    '0192a3b4-5c6d-7e8f-9012-345678901234',
    '2026-11-25T17:38:18.000Z',
  ])('is %s as it is', (text) => expect(scrubText(text)).toBe(text));

  it('has numbers of recipients where they are asked for', () =>
    expect([scrubText('45012345678', 'of recipients'), scrubText('4111111111111111', 'of recipients')]).toEqual([
      '45012345678',
      '[redacted]',
    ]));
});

it.each([
  'password',
  'newPassword',
  'meter_token',
  'mainToken',
  'PIN',
  'x-api-key',
  'bvn',
  'NIN',
  'id_no',
  'cvv2_cvv',
  'dob',
])('what is called %s is secret', (name) => expect(isSecretName(name)).toBe(true));

it.each(['amount', 'keyboard', 'spinner', 'phone', 'narration'])('what is called %s is not', (name) =>
  expect(isSecretName(name)).toBe(false),
);

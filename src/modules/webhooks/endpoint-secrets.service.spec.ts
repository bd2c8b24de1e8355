import { createSecretKey, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { formatSecret, newKey, parseSecret } from './endpoint-secrets.service';
import { signatureOf } from './delivery/webhook-sender.service';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

/** What a receiver does, at the moment of the message. */
function verify(secret: string, { id, timestamp, body, signature }: typeof MESSAGE & { signature: string }): unknown {
  jest.useFakeTimers({ now: timestamp * 1_000 });
  try {
    return new Webhook(secret).verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    });
  } finally {
    jest.useRealTimers();
  }
}

const accepts = (secret: string, message: Parameters<typeof verify>[1]): boolean => {
  try {
    verify(secret, message);
    return true;
  } catch {
    return false;
  }
};

/** `text` with one bit of one character changed: still one line of ASCII. */
const tampered = (text: string, at: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

describe('signatureOf', () => {
  test('makes the signature that is published for this message', () => {
    expect(signatureOf(MESSAGE, [parseSecret(SECRET)!])).toBe(SIGNATURE);
  });

  test.each(['', '{}', '{"name":"Adéọlá 🇳🇬"}', `"${'x'.repeat(20_000)}"`])(
    'of %.20s is accepted by the public library',
    (body) => {
      const secret = formatSecret(newKey());
      const message = { ...MESSAGE, body: body || 'null' };
      expect(verify(secret, { ...message, signature: signatureOf(message, [parseSecret(secret)!]) })).toEqual(
        JSON.parse(message.body),
      );
    },
  );

  test('signs with every secret, so that each of them verifies', () => {
    const secrets = [newKey(), newKey()].map(formatSecret);
    const signature = signatureOf(
      MESSAGE,
      secrets.map((secret) => parseSecret(secret)!),
    );
    expect(signature.split(' ')).toHaveLength(2);
    for (const secret of secrets) expect(accepts(secret, { ...MESSAGE, signature })).toBe(true);
    expect(accepts(formatSecret(newKey()), { ...MESSAGE, signature })).toBe(false);
  });

  test('holds no longer when a byte of the message, its id or the signature is another', () => {
    const sent = { ...MESSAGE, signature: signatureOf(MESSAGE, [parseSecret(SECRET)!]) };
    expect(accepts(SECRET, sent)).toBe(true);
    for (const field of ['id', 'body', 'signature'] as const) {
      // The last character before the padding carries two bits that base64 does not use.
      const end = field === 'signature' ? sent[field].length - 2 : sent[field].length;
      for (let at = 0; at < end; at++) {
        expect([field, at, accepts(SECRET, { ...sent, [field]: tampered(sent[field], at) })]).toEqual([
          field,
          at,
          false,
        ]);
      }
    }
    expect(accepts(SECRET, { ...sent, timestamp: sent.timestamp + 1 })).toBe(false);
  });
});

const randomKey = (bytes: number) => createSecretKey(randomBytes(bytes));

describe('secrets', () => {
  test('come back as they were made', () => {
    for (const bytes of [24, 25, 26, 32, 64]) {
      const key = randomKey(bytes);
      expect(parseSecret(formatSecret(key))!.export()).toEqual(key.export());
    }
  });

  test.each([
    ['nothing', ''],
    ['no prefix', SECRET.slice(6)],
    ['another prefix', SECRET.replace('whsec', 'whsek')],
    ['only a prefix', 'whsec_'],
    ['too short a key', formatSecret(randomKey(23))],
    ['too long a key', formatSecret(randomKey(65))],
    ['a cut', SECRET.slice(0, -1)],
    ['base64 of URLs', `whsec_${'-_'.repeat(16)}`],
    ['white space', `${SECRET}\n`],
  ])('are not read from %s', (_, text) => {
    expect(parseSecret(text)).toBeNull();
  });
});

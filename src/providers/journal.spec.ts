import type { DataSource } from 'typeorm';
import { Env } from '../core/config/env';
import { Settings, secret } from '../core/config/settings';
import { SecretBox } from '../core/secrets/secret-box';
import { type Exchange, Journal } from './journal';

process.env.JOURNALTEST_KEY = 'k3y+/of=ours';
Settings.of('journaltest', { key: secret() });

const box = new SecretBox(Object.assign(new Env(), { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }));
const exchange: Exchange = {
  company: 'someone',
  asked: null,
  method: 'POST',
  path: '/pay',
  status: 200,
  fault: null,
  durationMs: 12,
  request: null,
  answer: null,
};

/** What of an exchange would be read again. */
async function kept(said: Partial<Exchange>): Promise<Pick<Exchange, 'path' | 'request' | 'answer'>> {
  let params: Buffer[] = [];
  const query = (_text: unknown, given: Buffer[]) => ((params = given), Promise.resolve([]));
  const journal = new Journal({ query } as unknown as DataSource, box);
  journal.note({ ...exchange, ...said });
  await journal.flush();
  // Arrays of one element in PostgreSQL's binary form: a box is what follows its header of 24 bytes.
  const [id, sealed] = [params[2]!.subarray(24), params.at(-1)!.subarray(24)];
  const uuid = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return JSON.parse(box.open(sealed, uuid)) as Pick<Exchange, 'path' | 'request' | 'answer'>;
}

describe('the journal', () => {
  it('keeps what was said', async () => {
    const said = { request: '{"amount":5,"phone":"+2348031234567"}', answer: '{"code":"000","status":"delivered"}' };
    expect(await kept(said)).toEqual({ path: '/pay', ...said });
  });

  it('keeps no field that is secret by its name', async () => {
    const answer = {
      mainToken: '1',
      customer_token: '2',
      purchased_code: 'Token : 3',
      cards: [{ Serial: '4', Pin: '5' }],
      authorization: { authorization_code: 'AUTH_6', last4: '7' },
      token: null,
    };
    expect(JSON.parse((await kept({ answer: JSON.stringify(answer) })).answer!)).toEqual({
      mainToken: '[redacted]',
      customer_token: '[redacted]',
      purchased_code: '[redacted]',
      cards: [{ Serial: '4', Pin: '[redacted]' }],
      authorization: { authorization_code: '[redacted]', last4: '7' },
      token: null,
    });
  });

  it('keeps no meter token and no card number in any text', async () => {
    const answer = JSON.stringify({
      message: 'use 2636-2054-4059 8275 7802 or 26362054405982757802, 4111111111111111',
    });
    expect((await kept({ answer })).answer).toBe('{"message":"use [redacted] or [redacted], [redacted]"}');
  });

  it('keeps no key of ours, wherever and however it is written', async () => {
    const said = await kept({
      path: '/a?k=k3y%2B%2Fof%3Dours',
      request: 'a=1&api_key=123456&key2=k3y%2B%2Fof%3Dours',
      answer: '<p>k3y+/of=ours is wrong</p>',
    });
    expect(said).toEqual({
      path: '/a?k=[redacted]',
      request: 'a=1&api_key=[redacted]&key2=[redacted]',
      answer: '<p>[redacted] is wrong</p>',
    });
  });
});

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

const SOMEBODY = '0199a0c4-0000-7000-8000-000000000002';

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

  it('keeps no part of a field of a form that is secret by its name', async () => {
    const request = 'individual%5Bdob%5D%5Byear%5D=1990&individual[dob][day]=21&amount=5';
    expect((await kept({ request })).request).toBe(
      'individual%5Bdob%5D%5Byear%5D=[redacted]&individual[dob][day]=[redacted]&amount=5',
    );
  });

  it('keeps what is no form and looks like one', async () => {
    const answer = '<a href="?100%=5&%E0%A4%A=6&token=7">Try again</a>';
    expect((await kept({ answer })).answer).toBe('<a href="?100%=5&%E0%A4%A=6&token=[redacted]');
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

  describe('of a question about who somebody is', () => {
    const asked = {
      product: 'identity',
      provider: 'p',
      accountId: SOMEBODY,
      livemode: true,
      id: SOMEBODY,
      call: 'verify',
    };
    const keptOf = (said: Partial<Exchange>) => kept({ asked: asked as Exchange['asked'], ...said });

    it('keeps neither number nor name, birth date or photo, and keeps the verdict', async () => {
      const { request, answer } = await keptOf({
        request: JSON.stringify({
          id_number: '12345678901',
          first_name: 'Ada',
          last_name: 'Obi',
          dob: '1990-04-21',
          signature: 'c2lnbmVk',
          partner_params: { job_id: '0199a0c4-0000-7000-8000-000000000001' },
        }),
        answer: JSON.stringify({
          ResultCode: '1022',
          ResultText: 'No Match for 12345678901',
          Actions: { Names: 'No Match' },
          IDNumber: '12345678901',
          FullName: 'ADA OBI',
          DOB: '1990-04-21',
          Photo: '/9j/4AAQ',
          PhoneNumber: '08031234567',
          FullData: { BVN: '12345678901', FirstName: 'ADA' },
        }),
      });
      expect(`${request}${answer}`).not.toMatch(/12345678901|ada|obi|1990|9j|0803|c2lnbmVk/i);
      expect(JSON.parse(request!).partner_params).toEqual({ job_id: '0199a0c4-0000-7000-8000-000000000001' });
      expect(JSON.parse(answer!)).toMatchObject({
        ResultCode: '1022',
        ResultText: 'No Match for [redacted]',
        Actions: { Names: 'No Match' },
      });
    });

    it.each([
      ['/api/v1/kyc/nin?nin=12345678901', '/api/v1/kyc/nin?nin=[redacted]'],
      ['/v1/identities/nin/12345678901', '/v1/identities/nin/[redacted]'],
      ['/v1/kyc?first_name=Ada&id_number=A0123', '/v1/kyc?first_name=[redacted]&id_number=[redacted]'],
    ])('keeps no number in an address: %s', async (path, shown) => {
      expect((await keptOf({ path })).path).toBe(shown);
    });

    it('keeps none in what is no JSON', async () => {
      const { answer } = await keptOf({ answer: '<p>NIN 12345678901 is of somebody else</p>' });
      expect(answer).toBe('<p>NIN [redacted] is of somebody else</p>');
    });
  });

  it('keeps names and long numbers of all other questions, and never a NIN', async () => {
    const said = {
      request: '{"name":"Ada Obi","account":"00123456789","nin":"12345678901","id_number":"12345678901"}',
    };
    const shown = '{"name":"Ada Obi","account":"00123456789","nin":"[redacted]","id_number":"[redacted]"}';
    expect((await kept(said)).request).toBe(shown);
  });
});

import { outside } from '../../test/contracts/outside';
import { Pretended, type Heard, send } from '../../test/pretended/pretended';
import type { ServerResponse } from 'node:http';
import { ProviderOutage } from './breakers';
import { type Company, type Outside, parseJson } from './http';
import type { Exchange } from './journal';

class Someone extends Pretended {
  readonly settings = {};
  signIns = 0;
  /** When it was asked what it never answers. */
  readonly silenced = Promise.withResolvers<void>();
  /** Tokens that it takes. */
  readonly tokens = new Set<string>();

  protected answer({ path, headers }: Heard, response: ServerResponse): void {
    if (path === '/login') {
      const token = `token-${++this.signIns}`;
      this.tokens.add(token);
      return send(response, 200, { token, expires_in: 3600 });
    }
    if (path === '/closed')
      return send(response, this.tokens.has(headers.authorization?.slice(7) ?? '') ? 200 : 401, {});
    if (path === '/elsewhere') return void response.writeHead(302, { location: '/echo' }).end();
    if (path === '/long') return send(response, 200, { text: 'x'.repeat(70_000) });
    if (path === '/page') return send(response, 502, '<html>Bad gateway</html>');
    if (path === '/silent') return this.silenced.resolve();
    send(response, 200, '{"amount":19.30,"big":12345678901234567890,"count":3,"zero":0}');
  }
}

const never = new AbortController().signal;

describe('the way out of adapters', () => {
  let someone: Someone;
  let exchanges: Exchange[];

  beforeEach(async () => {
    someone = await new Someone().listen();
    exchanges = [];
  });
  afterEach(() => someone.stop());

  const company = (more: Partial<Company> = {}): Outside =>
    outside(exchanges).to({ name: 'someone', url: someone.url, headers: { authorization: 'Bearer key' }, ...more });

  it('sends JSON, forms and queries, with the headers of the company', async () => {
    const to = company();
    await to.ask({ method: 'POST', path: 'a', json: { amount: 5 }, headers: { 'x-more': '1' }, signal: never });
    await to.ask({ method: 'POST', path: 'b', form: { 'a[b]': '1 2' }, signal: never });
    await to.ask({ path: 'c', query: { q: 'x y', none: undefined }, signal: never });
    const [json, form, query] = someone.heard;
    expect(json).toMatchObject({ method: 'POST', path: '/a', body: { amount: 5 }, headers: { 'x-more': '1' } });
    expect(form).toMatchObject({ body: { 'a[b]': '1 2' } });
    expect(query!.query.toString()).toBe('q=x+y');
    for (const { headers } of someone.heard) expect(headers.authorization).toBe('Bearer key');
  });

  it('has decimals, and integers that no double holds, as they were written', async () => {
    const { body } = await company().ask({ path: 'a', signal: never });
    expect(body).toEqual({ amount: '19.30', big: '12345678901234567890', count: 3, zero: 0 });
    expect(parseJson('[1e3,-5,1.0,"2.5"]')).toEqual(['1e3', -5, '1.0', '2.5']);
  });

  it('follows no redirect', async () => {
    expect(await company().ask({ path: 'elsewhere', signal: never })).toMatchObject({ status: 302, body: null });
    expect(someone.heard).toHaveLength(1);
  });

  it('takes what is no JSON for nothing', async () => {
    expect(await company().ask({ path: 'page', signal: never })).toMatchObject({ status: 502, body: null });
  });

  it('takes long answers only where they are expected', async () => {
    await expect(company().ask({ path: 'long', signal: never })).rejects.toThrow('more than 16384 bytes');
    expect(await company().ask({ path: 'long', signal: never, bytesMax: 100_000 })).toMatchObject({ status: 200 });
  });

  it('stops with its signal', async () => {
    const limit = new AbortController();
    const asked = company().ask({ path: 'silent', signal: limit.signal });
    await someone.silenced.promise;
    limit.abort(new DOMException('late', 'TimeoutError'));
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(exchanges).toMatchObject([{ status: null, fault: 'TimeoutError' }]);
  });

  it('tells an outage from an answer that is missing', async () => {
    const { url } = someone;
    await someone.stop();
    await expect(company({ url }).ask({ path: 'a', signal: never })).rejects.toBeInstanceOf(ProviderOutage);
    expect(exchanges).toMatchObject([{ company: 'someone', status: null, fault: 'ECONNREFUSED' }]);
  });

  it('keeps what was said, but for the headers', async () => {
    await company().ask({ method: 'POST', path: 'pay?x=1', json: { amount: 5 }, signal: never });
    expect(exchanges).toEqual([
      {
        company: 'someone',
        asked: null,
        method: 'POST',
        path: '/pay?x=1',
        status: 200,
        fault: null,
        durationMs: expect.any(Number),
        request: '{"amount":5}',
        answer: '{"amount":19.30,"big":12345678901234567890,"count":3,"zero":0}',
      },
    ]);
  });

  describe('with tokens', () => {
    let to: Outside;
    beforeEach(() => {
      const login = company({ headers: {} });
      to = company({
        headers: {},
        signIn: async (signal) => {
          const { body } = await login.ask({ method: 'POST', path: 'login', json: {}, signal, isSignIn: true });
          return { token: (body as { token: string }).token, expiresInMs: 3_600_000 };
        },
      });
    });
    const ask = () => to.ask({ path: 'closed', signal: never });

    it('signs in once for all who ask at the same time, and for those after them', async () => {
      const answers = await Promise.all([ask(), ask(), ask()]);
      expect([...answers, await ask()].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(someone.signIns).toBe(1);
    });

    it('signs in anew, once, when the token is refused', async () => {
      await ask();
      someone.tokens.clear();
      expect((await ask()).status).toBe(200);
      expect(someone.signIns).toBe(2);
    });

    it('asks no third time', async () => {
      someone.tokens.add = () => someone.tokens;
      expect((await ask()).status).toBe(401);
      expect(someone.heard.filter(({ path }) => path === '/closed')).toHaveLength(2);
    });

    it('keeps nothing of the bodies of a sign-in', async () => {
      await ask();
      expect(exchanges[0]).toMatchObject({ path: '/login', request: null, answer: null, status: 200 });
    });
  });
});

import { Duka } from './support/duka';
import { Payer } from './support/payer';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)> ' & \``;

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start();
  payer = await Payer.of(duka, HOSTILE.slice(0, 90));
});
afterAll(() => duka.stop());

const textOf = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

describe('the checkout page', () => {
  it('shows hostile names and descriptions as text', async () => {
    const payment = await payer.asked({
      description: HOSTILE,
      customer: { name: HOSTILE },
      callback_url: 'http://shop.example/"><script>alert(3)</script>?a="b',
    });
    for (const end of ['pending', 'cancelled']) {
      if (end === 'cancelled') await payer.api.post(`/api/v1/payments/${payment.id}/cancel`);
      const { status, text } = await textOf(await payer.visit(payment));
      expect(status).toBe(200);
      expect(text).toContain('&#60;script&#62;alert(1)');
      expect(text).not.toMatch(/<script|<img|onerror=alert\(2\)>|"><s/i);
      // Every attribute is closed before another begins.
      for (const [tag] of text.matchAll(/<[a-z][^>]*>/g))
        expect(tag).toMatch(/^<[a-z0-9]+(?: [a-z-]+(?:="[^"<>]*")?)*>$/);
    }
  });

  it('is served with a policy that loads and runs nothing, and leads only where the payment leads', async () => {
    const payment = await payer.asked({ callback_url: 'https://shop.example:8443/paid' });
    const { headers } = await textOf(await payer.visit(payment));
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' https://shop.example:8443; base-uri 'none'; frame-ancestors 'none'",
    );
    expect([
      headers.get('referrer-policy'),
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
      headers.get('x-robots-tag'),
    ]).toEqual(['no-referrer', 'no-store', 'nosniff', 'noindex']);
    const style = await fetch(`${duka.url}/checkout/style.css`);
    expect([style.status, style.headers.get('content-type'), style.headers.get('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=3600',
    ]);
  });

  it('leads back to the callback_url of the payment, whatever the visitor says', async () => {
    const payment = await payer.asked({ callback_url: 'https://shop.example/paid?payment_id=other&status=paid#top' });
    await payer.complete(payment.id, 'successful');
    const evil = '?callback_url=https://evil.example&url=//evil.example&next=https://evil.example';
    for (const path of [`/return${evil}`, `//evil.example/..${evil}`, `/return/${evil}`]) {
      const response = await payer.visit(payment, path);
      expect(response.headers.get('location') ?? '').not.toContain('evil');
    }
    const { status, headers } = await payer.visit(payment, '/return');
    expect([status, headers.get('location')]).toEqual([
      303,
      `https://shop.example/paid?payment_id=${payment.id}&status=successful#top`,
    ]);
  });

  it('opens to its exact token only', async () => {
    const payment = await payer.asked();
    const token = new URL(payment.checkout_url).pathname.split('/').at(-1)!;
    expect(token.length).toBeGreaterThanOrEqual(64);
    const flipped = [...token]
      .map((_, i) => token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1))
      .filter((one) => one !== token);
    const wrong = [...flipped, token.slice(1), `${token}A`, `${token}=`, payment.id, 'style', '%00', '..%2f..'];
    for (const one of wrong) {
      const { status, text } = await textOf(await fetch(`${duka.url}/checkout/${one}`));
      expect([one, status]).toEqual([one, 404]);
      if (one !== 'style') expect(text).toContain('Payment not found');
    }
    expect((await payer.visit(payment)).status).toBe(200);
  });

  it('takes forms, and the API takes none', async () => {
    const payment = await payer.asked();
    const json = await fetch(duka.url + new URL(payment.checkout_url).pathname + '/start', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"gateway":"sandbox_card"}',
    });
    expect(json.status).toBe(415);
    const form = await fetch(`${duka.url}/api/v1/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${payer.account.key}` },
      body: new URLSearchParams({ amount: '1' }),
    });
    expect([form.status, ((await form.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
  });

  it('opens one order, however often and at whichever gateway it is asked', async () => {
    const payment = await payer.asked();
    const open = jest.spyOn(payer.bank, 'open');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        payer.visit(payment, '/start', { gateway: i % 2 ? 'sandbox_card' : 'sandbox_bank_transfer' }),
      ),
    );
    expect(answers.every(({ status }) => status === 303)).toBe(true);
    expect(new Set(open.mock.calls.map(([gateway]) => gateway)).size).toBe(1);
    open.mockRestore();
  });

  it('says what to do when the gateway refuses, or does not answer', async () => {
    const payment = await payer.asked();
    const open = jest.spyOn(payer.bank, 'open').mockRejectedValueOnce(new Error('away'));
    expect((await textOf(await payer.visit(payment, '/start', { gateway: 'sandbox_card' }))).text).toContain(
      'could not reach',
    );
    expect((await payer.visit(payment, '/start', { gateway: 'sandbox_card' })).status).toBe(303);
    open.mockRestore();
  });

  it('has the payer go on who left the page of the gateway, for as long as that waits for them', async () => {
    const payment = await payer.asked({ expires_in: 3_600, callback_url: 'http://shop.example/' });
    await payer.complete(payment.id, 'processing');
    const shown = async () => (await textOf(await payer.visit(payment))).text;
    const onward = /<a class="button" href="[^"]*\/sandbox"/;
    expect(await shown()).toMatch(/You need not pay again/);
    payer.answering(() => ({ outcome: 'awaiting' }));
    expect((await payer.visit(payment, '/return')).headers.get('location')).not.toMatch(/shop\.example/);
    expect(await shown()).toMatch(onward);
    expect(await shown()).not.toMatch(/You need not pay again|\/cancel"/);
    expect((await payer.visit(payment, '/start', { gateway: 'sandbox_card' })).headers.get('location')).toMatch(
      /\/sandbox$/,
    );
    payer.answering(() => ({ outcome: 'unknown', code: 'no_answer' }));
    expect((await payer.visit(payment, '/return')).headers.get('location')).toMatch(/shop\.example/);
    expect(await shown()).toMatch(/You need not pay again/);
    expect(await shown()).not.toMatch(onward);
    payer.answering(() => ({ outcome: 'awaiting' }));
    await payer.visit(payment, '/check', {});
    expect(await shown()).toMatch(onward);
    await payer.advance(3_601);
    expect(await shown()).not.toMatch(onward);
    expect(await payer.get(payment.id)).toMatchObject({ status: 'failed', failure: { code: 'payment_abandoned' } });
    jest.restoreAllMocks();
  });

  it('offers nothing to decide once it is over, and no order that was never offered', async () => {
    const payment = await payer.asked({ gateway: 'sandbox_card' });
    await payer.visit(payment, '/start', { gateway: 'sandbox_bank_transfer' });
    expect((await payer.get(payment.id)).status).toBe('pending');
    await payer.complete(payment.id, 'successful');
    expect((await payer.visit(payment, '/sandbox')).status).toBe(303);
    await payer.visit(payment, '/sandbox', { outcome: 'failed' });
    expect(await payer.get(payment.id)).toMatchObject({ status: 'successful', needs_review: false });
  });
});

it('one address cannot ask without end', async () => {
  const limited = await Duka.start({ RATE_LIMIT_OPEN: 5 });
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await fetch(`${limited.url}/checkout/x`)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  const callbacks = await Promise.all(
    Array.from(
      { length: 40 },
      async () => (await fetch(`${limited.url}/callbacks/sandbox_card`, { method: 'POST' })).status,
    ),
  );
  expect(new Set(callbacks)).toEqual(new Set([401, 429]));
  await limited.stop();
});

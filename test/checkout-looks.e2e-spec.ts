import { Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { png } from './support/pictures';

const JPEG = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc0000b080010002001011100ffda0008010100003f00d2ffd9',
  'hex',
);
const WEBP = Buffer.from('524946461a000000574542505650384c0d0000002f0fc00700108888fe0788880000', 'hex').subarray(0, 34);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let duka: Duka;
let ada: Browser;
let bola: Browser;

beforeAll(async () => {
  duka = await Duka.start();
  [ada, bola] = [await newOwner(duka), await newOwner(duka)];
  await Promise.all([ada.stepUp(), bola.stepUp()]);
});
afterAll(() => duka.stop());

const send = (who: Browser, logo: Buffer) => who.call('PUT', '/branding/logo', { logo: logo.toString('base64') });
const payment = async (who: Browser): Promise<string> => {
  const asked = { amount: 1_000, currency: 'NGN', callback_url: 'https://shop.example/paid' };
  const { status, body } = await who.post('/test/api/v1/payments', asked);
  expect(status).toBe(201);
  return duka.url + new URL(body.checkout_url).pathname;
};
const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the looks of checkout pages', () => {
  it('are those of the account that is paid: name, colour and logo', async () => {
    const { account_name: own, ...before } = (await ada.get('/branding')).body;
    expect(before).toEqual({ name: null, colour: null, logo_url: null });
    const url = await payment(ada);
    expect((await get(url)).text).toContain(`<h1>Pay ${own}</h1>`);
    const look = { name: 'Shoes & Co', colour: '#ffee00' };
    expect((await ada.call('PUT', '/branding', look)).body).toEqual({ ...before, ...look, account_name: own });
    const { status, body } = await send(ada, png());
    expect([status, body.logo_url]).toEqual([
      200,
      expect.stringMatching(/^\/checkout\/logos\/acct_\w+\/[0-9a-f]{64}$/),
    ]);
    const { text, headers } = await get(url);
    expect(text).toContain('<h1>Pay Shoes &#38; Co</h1>');
    expect(text).toContain(`<img src="${body.logo_url}" alt="">`);
    expect(text).toContain('<link rel="stylesheet" href="/checkout/colours/ffee00.css">');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://shop.example; base-uri 'none'; frame-ancestors 'none'",
    );
    expect((await ada.call('PUT', '/branding', {})).body).toMatchObject({ name: null, colour: null });
    expect((await ada.call('DELETE', '/branding/logo')).body).toEqual({ ...before, account_name: own });
    expect((await get(url)).text).toContain(`<h1>Pay ${own}</h1>`);
    expect((await get(duka.url + body.logo_url)).status).toBe(404);
  });

  it('have a logo with an address of its content, which never changes and runs nothing', async () => {
    const first = (await send(ada, png(16))).body.logo_url;
    const { status, headers } = await get(duka.url + first);
    expect(status).toBe(200);
    expect([
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
      headers.get('content-security-policy'),
    ]).toEqual(['image/png', 'public, max-age=31536000, immutable', 'nosniff', "default-src 'none'; sandbox"]);
    const second = (await send(ada, png(17))).body.logo_url;
    expect(second).not.toBe(first);
    expect(Buffer.from(await (await fetch(duka.url + second)).arrayBuffer())).toEqual(png(17));
    expect([(await get(duka.url + first)).status, (await get(`${duka.url}${second}0`)).status]).toEqual([404, 404]);
    for (const [file, type] of [
      [JPEG, 'image/jpeg'],
      [WEBP, 'image/webp'],
    ] as const) {
      const { body } = await send(ada, file);
      expect((await get(duka.url + body.logo_url)).headers.get('content-type')).toBe(type);
    }
  });

  it.each([
    ['a drawing', SVG],
    ['a page', Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    [
      'a GIF',
      Buffer.from('47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b', 'hex'),
    ],
    ['the beginning of a PNG', png().subarray(0, 60)],
    ['a PNG with a page behind it', Buffer.concat([png(), SVG])],
    ['a JPEG with a page behind it', Buffer.concat([JPEG, SVG])],
    ['a WebP with a page behind it', Buffer.concat([WEBP, SVG])],
    ['the first bytes of a JPEG alone', Buffer.from('ffd8ffd9', 'hex')],
    ['a WebP of no kind', Buffer.from('RIFF\x0c\0\0\0WEBPABCD\0\0\0\0', 'latin1')],
    ['one byte', Buffer.from([0x89])],
    ['a picture without a side', png(0)],
    ['a picture that is too wide', png(1_025)],
    ['a file that is too large', png(32, 33 * 1_024)],
  ])('take no logo from %s', async (_, file) => {
    const before = (await bola.get('/branding')).body;
    const { status, body } = await send(bola, file);
    expect([status, body.param]).toEqual([400, '/logo']);
    expect(body.detail).toMatch(/^The logo (must be a whole|is \d+ × \d+ pixels|has \d+ bytes)/);
    expect((await bola.get('/branding')).body).toEqual(before);
  });

  it('take no logo that is no base64, or larger than a body, and no colour that could be more', async () => {
    for (const logo of ['', 'a', '%%%%', 'QUJD\n', `data:image/png;base64,${png().toString('base64')}`, 7, null])
      expect([logo, (await bola.call('PUT', '/branding/logo', { logo })).status]).toEqual([logo, 400]);
    expect((await send(bola, png(32, 100_000))).status).toBe(413);
    for (const colour of ['red', '#fff', '#FFEE00', '#ffee000', 'ffee00', '#ffee00;}', ' #ffee00', 0])
      expect([colour, (await bola.call('PUT', '/branding', { colour })).status]).toEqual([colour, 400]);
    for (const name of ['', 'x'.repeat(101)])
      expect((await bola.call('PUT', '/branding', { name })).body).toMatchObject({ param: '/name' });
    for (const file of ['red.css', 'FFEE00.css', 'ffee00', 'ffee00.css.css', '%7d.css', '..%2fstyle.css'])
      expect([file, (await get(`${duka.url}/checkout/colours/${file}`)).status]).toEqual([file, 404]);
    const { headers, text } = await get(`${duka.url}/checkout/colours/ffee00.css`);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(text).toContain('--on-strong: #000000');
  });

  it('are of one account: no other reads or changes them, and its logo has no address under another', async () => {
    await ada.call('PUT', '/branding', { name: 'Only Ada' });
    const { logo_url: logo } = (await send(ada, png(20))).body;
    expect(JSON.stringify((await bola.get('/branding')).body)).not.toMatch(/Only Ada|logos/);
    await bola.call('PUT', '/branding', { name: 'Bola' });
    await bola.call('DELETE', '/branding/logo');
    expect((await ada.get('/branding')).body).toMatchObject({ name: 'Only Ada', logo_url: logo });
    const [, , , , hash] = logo.split('/');
    const id = (await bola.get('/me')).body.account.id;
    for (const path of [`${id}/${hash}`, `x/${hash}`, `${logo.split('/')[3]}/x`])
      expect([path, (await get(`${duka.url}/checkout/logos/${path}`)).status]).toEqual([path, 404]);
    expect((await get(await payment(bola))).text).not.toContain('Only Ada');
  });

  it('leave an entry in the audit log with each change, and none without', async () => {
    const carol = await newOwner(duka);
    expect((await carol.call('PUT', '/branding', { name: 'Not yet' })).body.code).toBe('step_up_required');
    await carol.stepUp();
    await carol.call('PUT', '/branding', { name: 'Carol', colour: '#112233' });
    await send(carol, png());
    await send(carol, SVG);
    await carol.call('DELETE', '/branding/logo');
    const entries = (await carol.get('/audit-log?action=branding')).body.data;
    expect(entries.map(({ action, detail }: any) => [action, detail.before.name])).toEqual([
      ['branding.logo_removed', 'Carol'],
      ['branding.logo_changed', 'Carol'],
      ['branding.changed', null],
    ]);
  });
});

describe('the language of a checkout page', () => {
  it('is asked for, chosen or preferred, and stays chosen', async () => {
    const url = await payment(bola);
    const languageOf = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await get(url + path, headers);
      return [/<html lang="(\w+)">/.exec(answer.text)?.[1], answer.headers.get('set-cookie')];
    };
    expect(await languageOf('')).toEqual(['en', null]);
    expect(await languageOf('', { 'accept-language': 'ha-NG, en;q=0.5' })).toEqual(['ha', null]);
    const [language, cookie] = await languageOf('?lang=yo', { 'accept-language': 'ha' });
    expect([language, cookie]).toEqual([
      'yo',
      'checkout_language=yo; Path=/checkout; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ]);
    expect(await languageOf('', { 'accept-language': 'ha', cookie: cookie!.split(';')[0]! })).toEqual(['yo', null]);
    expect(await languageOf('?lang=tlh"><script>', { 'accept-language': 'ig' })).toEqual(['ig', null]);
  });

  it('is that of errors too, and going to another one loses none', async () => {
    const unknown = await get(`${duka.url}/checkout/nothing?lang=fr`);
    expect([unknown.status, unknown.text.includes('<h1>Paiement introuvable</h1>')]).toEqual([404, true]);
    const url = await payment(bola);
    const noticed = await get(`${url}?notice=unreached&lang=ig`);
    expect(noticed.text).toContain('role="alert">Anyị enweghị ike iru');
    expect(noticed.text).toContain('?notice=unreached&#38;lang=ha"');
    expect((await get(`${url}?notice=pay-me`)).text).not.toContain('role="alert"');
  });
});

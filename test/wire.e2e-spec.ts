import { type Answer, expectProblem } from './support/contract';
import { Duka } from './support/duka';
import { sendBytes } from './support/raw-http';

let duka: Duka;
let port: number;
let key: string;

beforeAll(async () => {
  duka = await Duka.start();
  port = Number(new URL(duka.url).port);
  ({ key } = await duka.account());
});
afterAll(() => duka.stop());

/** Every answer that comes back over one connection. */
async function answersTo(bytes: string | Buffer): Promise<Answer[]> {
  let rest = await sendBytes(port, bytes);
  const answers: Answer[] = [];
  while (rest !== '') {
    const [, status, lines, text] = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([^]*?)\r\n\r\n([^]*)$/.exec(rest) ?? [];
    if (text === undefined) throw new Error(`not HTTP: ${rest}`);
    const headers = new Headers(lines!.split('\r\n').map((line) => line.split(/: ?/, 2) as [string, string]));
    const length = Number(headers.get('content-length'));
    answers.push({ status: Number(status), headers, body: text === '' ? '' : JSON.parse(text.slice(0, length)) });
    rest = text.slice(length);
  }
  return answers;
}

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');
/** A request that would make a wallet, but for `headers` and `body`. */
const post = (headers: string[], body: string): string =>
  `${lines('POST /v4/wallets HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Connection: close', ...headers, '')}${body}`;
const get = (path: string, ...headers: string[]): string =>
  lines(`GET ${path} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${key}`, 'Connection: close', ...headers, '');
const WALLET = '{"currency":"NGN"}';
/** Behind a request: would be answered if the request ended where an attacker says that it does. */
const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

describe('bytes that two readers could understand differently', () => {
  it.each<[string, () => string | Buffer]>([
    ['a length and chunks', () => post(['Content-Length: 18', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`)],
    ['chunks and a length', () => post(['Transfer-Encoding: chunked', 'Content-Length: 5'], `0\r\n\r\n${SMUGGLED}`)],
    ['two lengths', () => post(['Content-Length: 18', 'Content-Length: 0'], WALLET + SMUGGLED)],
    ['two lengths in one header', () => post(['Content-Length: 18, 0'], WALLET + SMUGGLED)],
    ['a negative length', () => post(['Content-Length: -1'], WALLET)],
    ['a length with a sign', () => post(['Content-Length: +18'], WALLET)],
    ['a length in hexadecimal', () => post(['Content-Length: 0x12'], WALLET)],
    ['a length beyond all numbers', () => post([`Content-Length: ${'9'.repeat(30)}`], WALLET)],
    ['an unknown transfer coding', () => post(['Transfer-Encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`)],
    [
      'chunked that is not the last coding',
      () => post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`),
    ],
    [
      'two transfer codings',
      () => post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${SMUGGLED}`),
    ],
    ['a chunk length that is no number', () => post(['Transfer-Encoding: chunked'], `zz\r\n${WALLET}\r\n0\r\n\r\n`)],
    ['a chunk that is longer than it says', () => post(['Transfer-Encoding: chunked'], `1\r\n${WALLET}\r\n0\r\n\r\n`)],
    ['a space before the colon', () => post(['Content-Length : 18'], WALLET)],
    ['a folded header', () => get('/v4/account', 'X-A: a', ' b')],
    ['a header without a colon', () => get('/v4/account', 'Nonsense')],
    ['a header without a name', () => get('/v4/account', ': x')],
    ['a header with U+0000', () => get('/v4/account', 'X-A: a\0b')],
    ['a header with a bare carriage return', () => get('/v4/account', 'X-A: a\rX-B: b')],
    ['bare line feeds', () => get('/v4/account').replaceAll('\r\n', '\n')],
    ['a space in the address', () => get('/v4/account /v4/wallets')],
    ['U+0000 in the address', () => get('/v4/account\0')],
    ['a tab in the address', () => get('/v4/\taccount')],
    ['no address', () => get('')],
    ['an unknown version', () => get('/v4/account').replace('HTTP/1.1', 'HTTP/3.7')],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the hello of TLS', () => Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0, 13, 10])],
    ['a method in lower case', () => get('/v4/account').replace('GET', 'get')],
    ['an unknown method', () => get('/v4/account').replace('GET', 'STEAL')],
    ['a method of 10 kB', () => get('/v4/account').replace('GET', 'G'.repeat(10_000))],
  ])('%s: refused once, and the connection ends', async (_, bytes) => {
    const answers = await answersTo(bytes());
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expectProblem('bytes', answers[0]!);
  });

  it('headers of more than 16 KiB are refused', async () => {
    for (const bytes of [
      get('/v4/account', `X-A: ${'a'.repeat(17_000)}`),
      get(`/v4/wallets?cursor=${'x'.repeat(17_000)}`),
      get('/v4/account', ...Array.from({ length: 3000 }, (_, i) => `X-${i}: x`)),
    ]) {
      const answers = await answersTo(bytes);
      expect(answers.map(({ status }) => status)).toEqual([431]);
      expectProblem('bytes', answers[0]!);
    }
  });

  it('two hosts, or none, are refused', async () => {
    const without = get('/v4/account').replace('Host: a\r\n', '');
    for (const bytes of [without, get('/v4/account', 'Host: b')])
      expect((await answersTo(bytes)).map(({ status }) => status)).toEqual([400]);
  });

  it('a tunnel is not opened, and what comes through it is not answered', async () => {
    expect(
      await sendBytes(port, `CONNECT db.internal:5432 HTTP/1.1\r\nHost: db.internal:5432\r\n\r\n${SMUGGLED}`),
    ).toBe('');
  });

  it('nothing was made by any of these', async () => {
    expect((await duka.api(key).get('/v4/wallets')).body.data).toHaveLength(1);
  });
});

describe('bytes that are strange and right', () => {
  it('chunks make a body', async () => {
    const [made] = await answersTo(
      post(
        ['Transfer-Encoding: chunked'],
        `9;ext=1\r\n${WALLET.slice(0, 9)}\r\n9\r\n${WALLET.slice(9)}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      ),
    );
    expect([made!.status, made!.body.currency]).toEqual([201, 'NGN']);
  });

  it('two requests in one packet have two answers, in order', async () => {
    const first = get('/v4/account').replace('Connection: close\r\n', '');
    expect((await answersTo(first + get('/v4/wallets/x'))).map(({ status }) => status)).toEqual([200, 404]);
  });

  it('empty lines before a request are skipped', async () => {
    expect((await answersTo(`\r\n\r\n${get('/v4/account')}`)).map(({ status }) => status)).toEqual([200]);
  });

  it('a whole address names the same resource', async () => {
    expect((await answersTo(get('http://a/v4/account'))).map(({ status }) => status)).toEqual([200]);
  });
});

import type { ServerResponse } from 'node:http';
import { send } from '../pretended';

/** As Paystack tells a success. */
export function done(response: ServerResponse, message: string, data: unknown, meta?: object): void {
  send(response, 200, { status: true, message, data, ...(meta && { meta }) });
}

interface Fault {
  readonly code?: string;
  readonly type?: string;
  readonly nextStep?: string;
}

/** As Paystack tells an error. */
export function fault(
  response: ServerResponse,
  http: number,
  message: string,
  { code, type = 'validation_error', nextStep = 'Try again.' }: Fault = {},
): void {
  send(response, http, { status: false, message, ...(code && { meta: { nextStep }, type, code }) });
}

export const invalidKey = (response: ServerResponse): void =>
  fault(response, 401, 'Invalid key', {
    code: 'invalid_Key',
    nextStep: 'Ensure that you provide the correct authorization key for the request',
  });

/** What it says of us: an odd number, so that each is said with either status. */
const ACCOUNT_WORDS = [
  'Your account is not active',
  'Your balance is not enough to fulfil this request',
  'Your IP address is not allowed to make this call',
];

/** Speaks of our account when it is asked about something else. */
export function lockOut(response: ServerResponse, kind: number): void {
  if (kind % 2 === 0) return fault(response, 400, ACCOUNT_WORDS[kind % ACCOUNT_WORDS.length]!);
  return kind % 3 === 0 ? fault(response, 403, ACCOUNT_WORDS[kind % ACCOUNT_WORDS.length]!) : invalidKey(response);
}

const DRIP_MS = 20;

/** The right answer up to its last byte, which never comes. */
export function drip(response: ServerResponse, body: object, onBegun: () => void): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(JSON.stringify(body).slice(0, -1), onBegun);
  const drops = setInterval(() => response.write(' '), DRIP_MS);
  response.on('close', () => clearInterval(drops));
}

type Data = Readonly<Record<string, unknown>>;
type Nonsense = (response: ServerResponse, data: Data, isList: boolean) => void;

const ok = { status: true, message: 'Done' };

/** Another answer than the right one, which is about `data`. */
const says =
  (http: number, body: (data: Data, isList: boolean) => unknown): Nonsense =>
  (response, data, isList) => {
    const said = body(data, isList);
    response.writeHead(http).end(typeof said === 'string' ? said : JSON.stringify(said));
  };

/** The right answer, with this of it changed. */
const changed = (change: (data: Data) => unknown): Nonsense =>
  says(200, (data, isList) => ({ ...ok, data: isList ? [change(data)] : change(data) }));

/** Answers that prove nothing: to a request, to a question for one thing, and to a question for a list. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, () => ''),
  says(200, () => '<html><body>Transaction successful</body></html>'),
  says(200, () => 'null'),
  says(200, () => '[]'),
  says(200, (data) => JSON.stringify({ ...ok, data }).slice(0, -1)),
  says(200, (data) => data),
  says(200, (data) => ({ status: 'true', message: 'Done', data })),
  says(200, () => ok),
  says(200, () => ({ ...ok, data: null })),
  says(200, (data) => ({ status: false, message: 'Done', data })),
  says(202, (data) => ({ ...ok, data })),
  says(500, (data) => ({ ...ok, data })),
  says(500, () => ({ status: false, message: 'Internal error', type: 'api_error', code: 'unknown' })),
  says(502, () => '<html>Bad gateway</html>'),
  says(404, () => 'Not found'),
  says(404, () => ({ status: false, message: 'Route not found' })),
  says(429, () => ({ status: false, message: 'Too many requests' })),
  says(400, () => ({ status: false, message: 'Something that the manual does not have' })),
  changed((data) => ({ ...data, reference: 'somebody-elses', transaction: null })),
  changed(({ reference: _, transaction: __, ...data }) => data),
  changed((data) => ({ ...data, status: 'SUCCESS?', access_code: undefined })),
  changed(({ status: _, access_code: __, ...data }) => data),
  changed(({ id: _, transfer_code: __, authorization_url: ___, ...data }) => data),
  changed((data) => ({ ...data, id: '', transfer_code: '', authorization_url: 'javascript:alert(1)' })),
  changed((data) => ({ ...data, amount: '1e9', access_code: 7 })),
  changed((data) => ({ ...data, amount: -5000, access_code: '' })),
  changed((data) => ({ ...data, amount: '9'.repeat(40), access_code: null })),
  changed(({ amount: _, access_code: __, ...data }) => data),
  changed((data) => ({ ...data, amount: 19.3, access_code: [] })),
  says(200, (data) => `${JSON.stringify({ ...ok, data })}${' '.repeat(1_100_000)}`),
  (response) =>
    void response.writeHead(200, { 'content-length': 500 }).write('{"status":true', () => response.destroy()),
  (response) => void response.socket?.destroy(),
  (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
];

import type { ServerResponse } from 'node:http';
import { send } from '../pretended';

/** As Flutterwave tells a success. */
export function done(response: ServerResponse, message: string, data: unknown): void {
  send(response, 200, { status: 'success', message, data });
}

/** As Flutterwave tells an error: none has a code. */
export function fault(response: ServerResponse, http: number, message: string): void {
  send(response, http, { status: 'error', message, data: null });
}

const PAGE_SIZE = 20;

/** A page of a list. */
export function page(query: URLSearchParams, rows: readonly object[], response: ServerResponse, message: string): void {
  const at = Number(query.get('page') ?? 1);
  const pages = Math.ceil(rows.length / PAGE_SIZE);
  const info = { total: rows.length, current_page: at, total_pages: pages, page_size: PAGE_SIZE };
  const data = rows.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE);
  send(response, 200, { status: 'success', message, meta: { page_info: info }, data });
}

/** What it says of us: an odd number, so that each is said with either status. */
const ACCOUNT_WORDS = [
  'Your account has been suspended',
  'Merchant is not enabled for this transaction',
  'Your IP address is not allowed to make this call',
];

/** Speaks of our account when it is asked about something else. */
export function lockOut(response: ServerResponse, kind: number): void {
  if (kind % 3 === 0) return fault(response, 401, 'Invalid authorization key');
  fault(response, kind % 2 === 0 ? 400 : 403, ACCOUNT_WORDS[kind % ACCOUNT_WORDS.length]!);
}

type Data = Readonly<Record<string, unknown>>;
type Nonsense = (response: ServerResponse, data: Data, isList: boolean) => void;

const ok = { status: 'success', message: 'Done', meta: { page_info: { total: 1, current_page: 1, total_pages: 1 } } };

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

const rows = (data: Data, isList: boolean): unknown => (isList ? [data] : data);

/** Answers that prove nothing: to a request, to a question for one thing, and to a question for a list. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, () => ''),
  says(200, () => '<html><body>Transaction successful</body></html>'),
  says(200, () => 'null'),
  says(200, () => '[]'),
  says(200, (data) => JSON.stringify({ ...ok, data }).slice(0, -1)),
  says(200, (data) => data),
  says(200, (data, isList) => ({ ...ok, status: true, data: rows(data, isList) })),
  says(200, (data, isList) => ({ ...ok, status: 'Success', data: rows(data, isList) })),
  says(200, () => ok),
  says(200, () => ({ ...ok, data: null })),
  says(200, (data, isList) => ({ ...ok, status: 'error', data: rows(data, isList) })),
  says(200, () => ({ status: 'error', message: 'No transaction was found for this id', data: null })),
  says(202, (data, isList) => ({ ...ok, data: rows(data, isList) })),
  says(500, (data, isList) => ({ ...ok, data: rows(data, isList) })),
  says(500, () => ({ error_id: 'ERRNO796977608T1620310828419', message: 'Something went wrong', status: 'error' })),
  says(503, () => ({ status: 'error', message: 'An error occurred. Please contact support', data: null })),
  says(502, () => '<html>Bad gateway</html>'),
  says(404, () => 'Not found'),
  says(404, () => ({ status: 'error', message: 'Route not found', data: null })),
  says(429, () => ({ status: 'error', message: 'Too many requests', data: null })),
  says(401, () => ({ status: 'error', message: 'Authorization required', data: null })),
  changed((data) => ({ ...data, tx_ref: 'somebody-elses', transaction_id: null, tx_id: null, link: null })),
  changed(({ tx_ref: _, transaction_id: __, tx_id: ___, link: ____, ...data }) => data),
  changed((data) => ({ ...data, status: 'SUCCESSFUL', link: undefined })),
  changed((data) => ({ ...data, status: 'completed-somehow', link: {} })),
  changed(({ status: _, link: __, ...data }) => data),
  changed(({ id: _, link: __, ...data }) => data),
  changed((data) => ({ ...data, id: 'MC-1', link: 'javascript:alert(1)' })),
  changed((data) => ({ ...data, amount: '1e9', amount_refunded: '1e9', link: 7 })),
  changed((data) => ({ ...data, amount: -50, amount_refunded: -50, link: '' })),
  changed((data) => ({ ...data, amount: '9'.repeat(40), amount_refunded: '9'.repeat(40), link: 'pay' })),
  changed(({ amount: _, amount_refunded: __, link: ___, ...data }) => data),
  changed((data) => ({ ...data, amount: 10.005, amount_refunded: 10.005, link: [] })),
  changed((data) => ({
    ...data,
    amount: 0,
    amount_refunded: 0,
    link: 'http://checkout.flutterwave.com/v3/hosted/pay/x',
  })),
  says(200, (data) => `${JSON.stringify({ ...ok, data })}${' '.repeat(300_000)}`),
  (response) =>
    void response.writeHead(200, { 'content-length': 500 }).write('{"status":"success"', () => response.destroy()),
  (response) => void response.socket?.destroy(),
  (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
];

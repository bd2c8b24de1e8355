import type { ServerResponse } from 'node:http';

type Json = Record<string, unknown>;

/** A whole answer, or what becomes of a transaction: by itself after a top-up, in a page of the report. */
interface Nonsense {
  readonly page?: (response: ServerResponse) => void;
  readonly topup?: (topup: Json) => object;
}

const says = (status: number, body: unknown): Nonsense => ({
  page: (response) => void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)),
});
const changed = (topup: (topup: Json) => object): Nonsense => ({ topup });
const without = (...names: string[]): Nonsense =>
  changed((topup) => Object.fromEntries(Object.entries(topup).filter(([name]) => !names.includes(name))));
const error = (errorCode: unknown) => ({ timeStamp: '', message: 'x', path: '/topups', errorCode, details: [] });

/** Answers of Reloadly that prove nothing. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, ''),
  says(200, '<html><body>SUCCESSFUL</body></html>'),
  says(200, 'null'),
  says(200, '[]'),
  says(200, '"SUCCESSFUL"'),
  says(200, '{"transactionId":4602843,"status":"SUCCESSFUL"'),
  says(200, { status: 'SUCCESSFUL' }),
  says(200, { status: 'FAILED' }),
  says(200, { code: null, message: null, status: 'SUCCESSFUL', transaction: null }),
  says(200, { content: [], totalElements: 3 }),
  says(200, { content: [] }),
  says(200, { content: 'none', totalElements: 0 }),
  changed((topup) => ({ ...topup, customIdentifier: 'somebody-elses' })),
  without('customIdentifier'),
  changed((topup) => ({ ...topup, customIdentifier: null })),
  changed((topup) => ({ ...topup, customIdentifier: String(topup.customIdentifier).toUpperCase() + '_' })),
  changed((topup) => [topup]),
  changed((topup) => ({ ...topup, status: 'SUCCESS' })),
  changed((topup) => ({ ...topup, status: 'successful' })),
  changed((topup) => ({ ...topup, status: null })),
  without('status'),
  without('transactionId'),
  changed((topup) => ({ ...topup, transactionId: '' })),
  changed((topup) => ({ ...topup, transactionId: 0 })),
  changed((topup) => ({ ...topup, transactionId: -1 })),
  changed((topup) => ({ ...topup, transactionId: 'x' })),
  without('deliveredAmount'),
  changed((topup) => ({ ...topup, deliveredAmount: '1e9' })),
  changed((topup) => ({ ...topup, deliveredAmount: -5 })),
  changed((topup) => ({ ...topup, deliveredAmount: 0 })),
  changed((topup) => ({ ...topup, deliveredAmount: null })),
  changed((topup) => ({ ...topup, deliveredAmount: '9'.repeat(40) })),
  changed((topup) => ({ ...topup, deliveredAmountCurrencyCode: 'KES', requestedAmountCurrencyCode: 'USD' })),
  changed((topup) => ({ ...topup, transaction: { ...topup, status: 'REFUNDED' } })),
  changed((topup) => ({ status: 'FAILED', transaction: { ...topup, customIdentifier: 'somebody-elses' } })),
  says(201, { transactionId: 4_602_843, status: 'SUCCESSFUL' }),
  says(400, '<html>Bad request</html>'),
  says(400, error('A_CODE_THAT_THE_MANUAL_DOES_NOT_HAVE')),
  says(400, error('toString')),
  says(400, error(null)),
  says(400, error('TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT')),
  says(404, 'Not found'),
  says(404, { timestamp: '', status: 404, error: 'Not Found', message: 'No message available', path: '/topups' }),
  says(404, error('TRANSACTION_NOT_FOUND')),
  says(500, error('INVALID_RECIPIENT_PHONE')),
  says(503, error('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE')),
  says(502, '<html>Bad gateway</html>'),
  {
    page: (response) =>
      void response.writeHead(200, { 'content-length': 500 }).write('{"status":"SUC', () => response.destroy()),
  },
  { page: (response) => void response.socket?.destroy() },
  { page: (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n') },
  { page: (response) => void response.writeHead(307, { location: '/elsewhere' }).end() },
  { page: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip') },
];

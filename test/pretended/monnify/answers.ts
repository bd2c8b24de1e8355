import type { ServerResponse } from 'node:http';
import { send } from '../pretended';

/** A refusal of Monnify: HTTP status, code and sentence. */
export class No extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  get body(): object {
    return { requestSuccessful: false, responseMessage: this.message, responseCode: this.code };
  }
}

/** Digits that stand in JSON as a number: `100.00`. */
const DECIMAL = /"#(\d+\.\d\d)#"/g;

/** Kobo as Monnify writes most amounts: a number with two places. */
export const asNumber = (kobo: bigint): string => `#${asText(kobo)}#`;

/** Kobo as Monnify writes the others. */
export const asText = (kobo: bigint): string => `${kobo / 100n}.${`${kobo % 100n}`.padStart(2, '0')}`;

/** A number or a text of naira; null for what is none. */
export function kobo(naira: unknown): bigint | null {
  const [, whole, places = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(naira)) ?? [];
  return whole === undefined ? null : BigInt(whole + places.padEnd(2, '0'));
}

export const textOf = (body: object): string => JSON.stringify(body).replace(DECIMAL, '$1');

export const yesOf = (responseBody: object): object => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody,
});

export const say = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, textOf(body));

type Nonsense = (response: ServerResponse, right: Record<string, unknown>) => void;

const says =
  (status: number, body: (right: Record<string, unknown>) => unknown): Nonsense =>
  (response, right) => {
    const said = body(right);
    send(response, status, typeof said === 'string' ? said : textOf(said as object));
  };

const inside =
  (change: (body: Record<string, unknown>) => object, status = 200): Nonsense =>
  (response, right) =>
    say(response, status, { ...right, responseBody: change(right.responseBody as Record<string, unknown>) });

/** Answers that prove nothing, made of the right one about a transfer. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, () => ''),
  says(200, () => '<html><body>Success</body></html>'),
  says(200, () => 'null'),
  says(200, () => '[]'),
  says(200, (right) => textOf(right).slice(0, -1)),
  says(200, ({ responseBody }) => responseBody),
  says(200, (right) => ({ ...right, responseBody: [right.responseBody] })),
  says(200, ({ responseBody: _, ...right }) => right),
  says(200, (right) => ({ ...right, requestSuccessful: 'true' })),
  says(200, ({ requestSuccessful: _, ...right }) => right),
  says(200, (right) => ({ ...right, responseCode: '99' })),
  says(200, ({ responseMessage: _, ...right }) => ({ ...right, requestSuccessful: false, responseCode: undefined })),
  inside((body) => ({ ...body, reference: 'somebody-elses' })),
  inside(({ reference: _, ...body }) => body),
  inside((body) => ({ ...body, status: 'PROBABLY' })),
  inside((body) => ({ ...body, status: 'toString' })),
  inside(({ status: _, ...body }) => body),
  inside((body) => ({ ...body, amount: '1e9' })),
  inside((body) => ({ ...body, amount: -50 })),
  inside((body) => ({ ...body, amount: 1 })),
  inside(({ amount: _, ...body }) => body),
  inside((body) => body, 202),
  inside((body) => body, 500),
  says(500, () => new No(500, 'D02', 'Transaction does not exist.').body),
  says(404, () => 'Not found'),
  says(403, () => ({ timestamp: '2026-06-27T08:00:00.000+00:00', status: 403, error: 'Forbidden', path: '/api' })),
  says(502, () => '<html>Bad gateway</html>'),
  (response) => void response.writeHead(200, { 'content-length': 500 }).write('{"requ', () => response.destroy()),
  (response) => void response.socket?.destroy(),
  (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
];

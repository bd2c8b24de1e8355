import type { ServerResponse } from 'node:http';

interface Topup {
  readonly reference: string;
  readonly [fact: string]: string;
}

type Nonsense = (response: ServerResponse, topup: Topup) => void;

const says =
  (status: number, body: (topup: Topup) => unknown): Nonsense =>
  (response, topup) => {
    const text = body(topup);
    response.writeHead(status).end(typeof text === 'string' ? text : JSON.stringify(text));
  };

/** Answers that prove nothing. To most of them some adapter has lost money. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, () => ''),
  says(200, () => '<html><body>Success</body></html>'),
  says(200, () => 'null'),
  says(200, () => '[]'),
  says(200, () => '"done"'),
  says(200, (topup) => JSON.stringify(topup).slice(0, -1)),
  says(200, (topup) => ({ ...topup, reference: 'somebody-elses' })),
  says(200, ({ reference: _, ...topup }) => topup),
  says(200, (topup) => [topup]),
  says(200, (topup) => ({ ...topup, status: 'DONE?' })),
  says(200, ({ status: _, ...topup }) => topup),
  says(200, ({ id: _, ...topup }) => topup),
  says(200, (topup) => ({ ...topup, id: '' })),
  says(200, (topup) => ({ ...topup, id: 17 })),
  says(200, ({ amount: _, ...topup }) => topup),
  says(200, (topup) => ({ ...topup, amount: '1e9' })),
  says(200, (topup) => ({ ...topup, amount: '-5000' })),
  says(200, (topup) => ({ ...topup, amount: '9'.repeat(40) })),
  says(200, (topup) => ({ ...topup, status: 'refused' })),
  says(200, (topup) => ({ ...topup, status: 'refused', reason: 'toString' })),
  says(200, (topup) => ({ ...topup, status: 'refused', reason: 'a reason that the manual does not have' })),
  says(202, (topup) => topup),
  says(400, (topup) => ({ reference: topup.reference, status: 'refused', reason: 'barred' })),
  says(404, () => 'Not found'),
  says(404, () => ({ error: 'unknown_reference' })),
  says(404, () => ({ error: 'unknown_reference', reference: 'somebody-elses' })),
  says(404, ({ reference }) => ({ error: 'no such page', reference })),
  says(500, (topup) => topup),
  says(500, ({ reference }) => ({ error: 'unknown_reference', reference })),
  says(502, () => '<html>Bad gateway</html>'),
  says(200, (topup) => `${JSON.stringify(topup)}${' '.repeat(20_000)}`),
  (response) =>
    void response.writeHead(200, { 'content-length': 500 }).write('{"status":"done"', () => response.destroy()),
  (response) => void response.socket?.destroy(),
  (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
  (response) => void response.writeHead(307, { location: '/v1/elsewhere' }).end(),
  (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
];

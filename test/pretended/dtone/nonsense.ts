import type { ServerResponse } from 'node:http';

type Json = Record<string, unknown>;

/** A whole answer, or what becomes of a transaction: by itself after a sale, in a list afterwards. */
interface Nonsense {
  readonly page?: (response: ServerResponse) => void;
  readonly transaction?: (transaction: Json) => unknown;
}

const says = (status: number, body: unknown): Nonsense => ({
  page: (response) => void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)),
});
const changed = (transaction: (told: Json) => unknown): Nonsense => ({ transaction });
const without = (name: string): Nonsense =>
  changed((told) => Object.fromEntries(Object.entries(told).filter(([key]) => key !== name)));
const status = (id: number, message: unknown, classId: unknown, word: unknown): Nonsense =>
  changed((told) => ({ ...told, status: { id, message, class: { id: classId, message: word } } }));
const values = (requested: unknown, adjusted: unknown = null): Nonsense =>
  changed((told) => ({ ...told, requested_values: requested, adjusted_values: adjusted }));
const side = (unit: unknown, amount: unknown) => ({ destination: { unit_type: 'CURRENCY', unit, amount } });
const error = (...codes: unknown[]) => ({ errors: codes.map((code) => ({ code, message: 'x' })) });

/** Answers of DT One that prove nothing. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, ''),
  says(201, ''),
  says(201, '<html><body>COMPLETED</body></html>'),
  says(201, 'null'),
  says(201, '[]'),
  says(200, 'null'),
  says(200, '{}'),
  says(201, '"COMPLETED"'),
  says(201, '{"id":2237512891,"status":{"class":{"id":7,"message":"COMPLETED"}'),
  says(201, {
    id: 2_237_512_891,
    status: { id: 70_000, message: 'COMPLETED', class: { id: 7, message: 'COMPLETED' } },
  }),
  says(200, { status: { id: 90_000, message: 'DECLINED', class: { id: 9, message: 'DECLINED' } } }),
  changed((told) => ({ ...told, external_id: 'somebody-elses' })),
  without('external_id'),
  changed((told) => ({ ...told, external_id: null })),
  changed((told) => ({ ...told, external_id: String(told.external_id).toUpperCase() })),
  changed((told) => [told]),
  status(70_000, 'SUCCESS', 7, 'SUCCESS'),
  status(70_000, 'completed', 7, 'completed'),
  status(70_000, 'COMPLETED', 9, 'COMPLETED'),
  status(70_000, 'COMPLETED', '7', 'COMPLETED'),
  status(70_000, 'DECLINED', 7, 'COMPLETED'),
  status(90_000, 'COMPLETED', 9, 'DECLINED'),
  status(90_000, null, 9, 'DECLINED'),
  status(60_000, 'AVAILABLE', 6, 'AVAILABLE'),
  status(0, 'toString', undefined, 'toString'),
  changed((told) => ({ ...told, status: 'COMPLETED' })),
  changed((told) => ({ ...told, status: { id: 70_000, message: 'COMPLETED' } })),
  changed((told) => ({ ...told, status: null })),
  without('status'),
  without('id'),
  changed((told) => ({ ...told, id: '' })),
  changed((told) => ({ ...told, id: 0 })),
  changed((told) => ({ ...told, id: -1 })),
  changed((told) => ({ ...told, id: 'x' })),
  values(side('NGN', 0)),
  values(side('NGN', -5)),
  values(side('NGN', '1e9')),
  values(side('NGN', '9'.repeat(40))),
  values(side('NGN', null)),
  values(side('KES', 1_050)),
  values('1050'),
  values({}),
  values(side('NGN', 1_050), side('KES', 1_050)),
  says(202, '{}'),
  says(400, '<html>Bad request</html>'),
  says(400, error()),
  says(400, error(9_999_999)),
  says(400, error('toString')),
  says(400, error(null)),
  says(400, error(1_005_003, 9_999_999)),
  says(400, { errors: { code: 1_005_003 } }),
  says(400, { code: 1_005_003, message: 'x' }),
  says(400, error(1_007_500)),
  says(401, error(1_000_401)),
  says(403, '<html>Forbidden</html>'),
  says(404, 'Not found'),
  says(404, error(1_000_404)),
  says(404, error(1_008_004, 1_000_404)),
  says(500, error(1_005_003)),
  says(500, error(1_009_001)),
  says(503, error(1_009_503)),
  says(502, '<html>Bad gateway</html>'),
  {
    page: (response) =>
      void response.writeHead(201, { 'content-length': 500 }).write('{"id":2237', () => response.destroy()),
  },
  { page: (response) => void response.socket?.destroy() },
  { page: (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n') },
  { page: (response) => void response.writeHead(307, { location: '/elsewhere' }).end() },
  { page: (response) => void response.writeHead(201, { 'content-encoding': 'gzip' }).end('not gzip') },
];

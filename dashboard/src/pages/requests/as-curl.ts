import type { DashboardSchemas } from '../../api/dashboard-api';
import { hasQueryOnly } from './request-parts';

type Detail = DashboardSchemas['RequestExchange'];

/** Headers that say what is wanted; of the others curl sends its own. */
const SENT_AGAIN = ['prefer', 'x-request-id', 'x-sandbox-scenario', 'x-sandbox-webhook'];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function addressOf({ path, request_body: query, ...request }: Detail, origin: string): string {
  if (!hasQueryOnly(request) || typeof query !== 'object' || query === null) return origin + path;
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((one): [string, string] => [name, wordOf(one)]),
  );
  return `${origin}${path}?${new URLSearchParams(pairs).toString()}`;
}

/** A request as a command. The key is the reader's to fill in: none is kept. */
export function asCurl(request: Detail, origin: string): string {
  const { method, request_body: body, request_headers: headers } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const hasBody = !hasQueryOnly(request) && body !== null;
  const key = headers?.['idempotency-key'];
  const sent = [
    isRead ? [] : [key === undefined ? '"Idempotency-Key: $(uuidgen)"' : quoted(`Idempotency-Key: ${key}`)],
    SENT_AGAIN.flatMap((name) => (headers?.[name] === undefined ? [] : [quoted(`${name}: ${headers[name]}`)])),
    hasBody ? [quoted('Content-Type: application/json')] : [],
  ].flat();
  return [
    `curl -X ${method} ${quoted(addressOf(request, origin))}`,
    '-H "Authorization: Bearer $DUKA_KEY"',
    ...sent.map((header) => `-H ${header}`),
    ...(hasBody ? [`-d ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

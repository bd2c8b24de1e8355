import { LRUCache } from 'lru-cache';
import { REDACTED, redactText } from '../text/redacted';
import { isSecretName, scrubText } from '../text/scrubbed';
import SECRET_FIELDS from './secret-fields.json';

/** What went to and fro in a request that failed, without secrets. */
export interface KeptExchange {
  readonly request_headers: Readonly<Record<string, string>>;
  readonly answer_headers: Readonly<Record<string, string>>;
  /** JSON, or its beginning; null: there was none. */
  readonly answer: string | null;
}

/** Only what is listed is kept: no header that could let a reader act as its sender. */
const KEPT_HEADERS = {
  request: [
    'accept',
    'content-length',
    'content-type',
    'idempotency-key',
    'if-none-match',
    'prefer',
    'traceparent',
    'user-agent',
    'x-request-id',
    'x-sandbox-scenario',
    'x-sandbox-webhook',
  ],
  answer: [
    'allow',
    'content-type',
    'etag',
    'idempotent-replayed',
    'preference-applied',
    'ratelimit',
    'ratelimit-policy',
    'request-id',
    'retry-after',
    'www-authenticate',
  ],
} as const;

const HEADER_CHARS_MAX = 300;

export function keptHeaders(
  headers: Readonly<Record<string, string | number | string[] | undefined>>,
  side: keyof typeof KEPT_HEADERS,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS[side]) {
    const value = headers[name];
    if (value === undefined) continue;
    kept[name] = scrubText(String(value).slice(0, HEADER_CHARS_MAX), NAMED_BY_US.has(name) ? 'of recipients' : 'any');
  }
  return kept;
}

/** Ids and figures in them are ours. */
const NAMED_BY_US: ReadonlySet<string> = new Set([
  'request-id',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'traceparent',
]);

/** The path of an address. What is written in it as `%20` is looked at as what it says. */
export function keptPath(url: string): string {
  const path = url.split('?', 1)[0]!;
  let said = path;
  try {
    said = decodeURIComponent(path);
  } catch {
    // No text in UTF-8: looked at as it is.
  }
  const scrubbedPath = scrubText(said);
  return scrubbedPath === said ? path : scrubbedPath;
}

const BODY_CHARS_MAX = 4_096;
const secretFields: ReadonlySet<string> = new Set(SECRET_FIELDS);
/** In an answer it says what went wrong. */
const PROBLEM_CODE = 'code';
/** Who is paid: what they are known by may be as long as the number of a document. */
const RECIPIENT = /phone|meter|smartcard|identifier|account_number|recipient|reference|msisdn/i;
const FIGURE = /amount|total|price|balance|limit|min|max|expected|actual|fee/i;
/** Below it no number is one of a document or a card. */
const TELLING_FROM = 1e10;
const NAME_CHARS_MAX = 64;

/** What is known of the name of a field: what senders call them is up to them, and may say a secret itself. */
interface FieldName {
  readonly isSecret: boolean;
  readonly shown: string;
}

const known = new LRUCache<string, FieldName>({
  max: 5_000,
  memoMethod: (name) => ({
    isSecret: secretFields.has(name.toLowerCase()) || isSecretName(name),
    shown: scrubText(name),
  }),
});

const fieldNamed = (name: string): FieldName => known.memo(name.slice(0, NAME_CHARS_MAX));

/** What may be kept of a body or a query: JSON without secrets, cut after 4096 characters; null when it is empty. */
export function redactedJson(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || Object.keys(content).length === 0) return null;
  return cut(JSON.stringify(content, redact));
}

/** The same of a problem that was answered. */
export const redactedAnswer = (body: string): string =>
  cut(
    JSON.stringify(JSON.parse(body), (name, value) =>
      name === PROBLEM_CODE ? scrubbed(name, value) : redact(name, value),
    ),
  );

const cut = (json: string): string => json.slice(0, BODY_CHARS_MAX).toWellFormed();

const redact = (name: string, value: unknown): unknown =>
  value !== null && name !== '' && fieldNamed(name).isSecret ? REDACTED : scrubbed(name, value);

function scrubbed(name: string, value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value, RECIPIENT.test(name) ? 'of recipients' : 'any');
  if (typeof value === 'number') return isTelling(name, value) ? REDACTED : value;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? withSafeNames(value) : value;
}

function isTelling(name: string, value: number): boolean {
  if (value < TELLING_FROM) return false;
  const digits = String(value);
  return (
    redactText(digits) === REDACTED || (!FIGURE.test(name) && !RECIPIENT.test(name) && scrubText(digits) !== digits)
  );
}

function withSafeNames(fields: object): object {
  const isSafe = (name: string): boolean => fieldNamed(name).shown === name;
  if (Object.keys(fields).every(isSafe)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [fieldNamed(name).shown, value]),
  );
}

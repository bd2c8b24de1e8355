/** One rule of Standard Webhooks, and whether the pasted request keeps it. */
export interface Finding {
  readonly rule: string;
  readonly holds: boolean;
  readonly detail: string;
}

export interface PastedRequest {
  readonly secret: string;
  /** As they arrived: `name: value`, one a line. */
  readonly headers: string;
  /** The raw bytes of the body, as text. */
  readonly body: string;
  readonly nowMs: number;
}

const TOLERANCE_SECONDS = 300;
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const encoder = new TextEncoder();

/** Checks a request rule by rule, and stops at the first that makes the rest pointless. Nothing leaves the browser. */
export async function checkSignature({ secret, headers, body, nowMs }: PastedRequest): Promise<Finding[]> {
  const findings: Finding[] = [];
  const found = headersOf(headers);
  for (const name of NAMES) findings.push(headerFinding(name, found));
  const key = keyOf(secret.trim());
  findings.push({
    rule: 'The secret is whsec_ and base64',
    holds: key !== null,
    detail: key ? `${key.length} bytes` : 'Copy it whole from the endpoint, with whsec_ in front.',
  });
  if (findings.some(({ holds }) => !holds) || !key) return findings;

  const [id = '', timestamp = '', signature = ''] = NAMES.map((name) => found.get(name));
  findings.push(timestampFinding(timestamp, nowMs));
  const tags = signature.split(/\s+/).map((part) => part.split(',')[0]);
  findings.push({
    rule: 'A signature has the tag v1',
    holds: tags.includes('v1'),
    detail: `Tags: ${tags.join(', ')}. Each is written v1,<base64>; several are separated by spaces.`,
  });
  if (!tags.includes('v1')) return findings;
  findings.push(await signatureFinding(key, { id, timestamp, signature, body, secret: secret.trim() }));
  return findings;
}

function headersOf(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line));
  return new Map(lines.flatMap((match) => (match ? [[match[1]!.toLowerCase(), match[2]!] as const] : [])));
}

function headerFinding(name: string, found: Map<string, string>): Finding {
  const value = found.get(name);
  const other = [...found.keys()].find((key) => key.endsWith(name.slice('webhook'.length)) && key !== name);
  const hint = other
    ? `There is ${other}; the name here is ${name}.`
    : 'Some proxies drop headers that they do not know.';
  return { rule: `${name} is there`, holds: Boolean(value), detail: value || hint };
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return null;
  try {
    return Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function timestampFinding(timestamp: string, nowMs: number): Finding {
  const rule = `The timestamp is within ${TOLERANCE_SECONDS / 60} minutes of now`;
  if (!/^\d{1,12}$/.test(timestamp))
    return { rule, holds: false, detail: 'It is not a whole number of seconds since 1970.' };
  const age = Math.round(nowMs / 1_000) - Number(timestamp);
  const words = age >= 0 ? `${age} seconds old` : `${-age} seconds ahead`;
  const inMs = Number(timestamp) > 100_000_000_000 ? ' It looks like milliseconds; it is seconds.' : '';
  return {
    rule,
    holds: Math.abs(age) <= TOLERANCE_SECONDS,
    detail: `${words}. Older ones may be sent again by somebody else.${inMs}`,
  };
}

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly secret: string;
}

async function signatureFinding(key: Uint8Array<ArrayBuffer>, signed: Signed): Promise<Finding> {
  const rule = 'A signature is HMAC-SHA256 of id.timestamp.body with the secret';
  const given = signed.signature
    .split(/\s+/)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => part.slice('v1,'.length));
  if (given.includes(await hmac(key, `${signed.id}.${signed.timestamp}.${signed.body}`)))
    return { rule, holds: true, detail: 'It was signed with this secret, and nothing was changed.' };
  return { rule, holds: false, detail: await whyNot(key, signed, given) };
}

/** The mistakes that receivers make, each tried: the one that reproduces the signature is the reason. */
async function whyNot(
  key: Uint8Array<ArrayBuffer>,
  { id, timestamp, body, secret }: Signed,
  given: readonly string[],
): Promise<string> {
  const text = (content: string) => `${id}.${timestamp}.${content}`;
  for (const [reason, changed] of changedBodies(body)) {
    if (given.includes(await hmac(key, text(changed)))) return reason;
  }
  if (given.includes(await hmac(encoder.encode(secret), text(body))))
    return 'It was signed with the secret as text. The key is what follows whsec_, decoded from base64.';
  if (given.includes(await hmac(key, `${timestamp}.${body}`)))
    return 'It was signed without the id. The text is id.timestamp.body.';
  if (given.includes(await hmac(key, body))) return 'It was signed over the body alone. The text is id.timestamp.body.';
  if (given.some((value) => /^[0-9a-f]{64}$/.test(value))) return 'The signature is written in hex; it must be base64.';
  return 'Another secret, or a changed id, timestamp or body. Compare the secret with the endpoint’s, and take the raw body before any parser.';
}

function changedBodies(body: string): (readonly [string, string])[] {
  const trimmed = body.trim();
  const changed: (readonly [string, string])[] = [
    ['White space was added around the body. Take the raw bytes.', trimmed],
    ['The line break at the end of the body was lost. Take the raw bytes.', `${body}\n`],
    ['The line breaks of the body were changed. Take the raw bytes.', body.replaceAll('\r\n', '\n')],
  ];
  try {
    changed.push([
      'The body was parsed and written again. Check the signature on the raw bytes, before any JSON parser.',
      JSON.stringify(JSON.parse(trimmed)),
    ]);
  } catch {
    // Not JSON: nothing was parsed.
  }
  return changed;
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
  return btoa(String.fromCharCode(...bytes));
}

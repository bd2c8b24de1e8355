/** No answer of a provider is longer; an endless one would fill our memory. */
const ANSWER_BYTES_MAX = 16_384;

/**
 * The JSON of an answer, null where there is none. Throws for one of more than 16 kB. The signal of the request also
 * ends this: it covers the body, not only the first byte.
 */
async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`an answer of more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return null;
  }
}

/** What an outside service answered: the status, and the JSON or, where there is none, null. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface JsonRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal: AbortSignal;
}

/**
 * One request with JSON in and out, to where an adapter's service is. Follows no redirect: its key would go along.
 * Throws what `fetch` throws, and for an answer of more than 16 kB.
 */
export async function askJson(url: URL, { method, headers, body, signal }: JsonRequest): Promise<JsonAnswer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal,
    redirect: 'error',
  });
  return { status: response.status, body: await readJson(response) };
}

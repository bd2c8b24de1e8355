/** No answer of a provider is longer; an endless one would fill our memory. */
const ANSWER_BYTES_MAX = 16_384;

/**
 * The JSON of an answer, null where there is none. Throws for one of more than 16 kB. The signal of the request also
 * ends this: it covers the body, not only the first byte.
 */
export async function readJson(response: Response): Promise<unknown> {
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

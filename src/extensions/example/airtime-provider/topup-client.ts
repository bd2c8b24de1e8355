import type { Currency } from '../../../core/money/currencies';
import type { AirtimeItem } from '../../../modules/airtime/airtime.provider';
import { type Order, ProviderOutage } from '../../../modules/purchases/purchases.types';

export interface TopupSettings {
  /** `https://topups.example.com/v1/`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where it sells, ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
}

/** What the service answers: the status, and the JSON or, where there is none, null. */
export interface TopupAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** No answer of theirs is longer; an endless one would fill our memory. */
const ANSWER_BYTES_MAX = 16_384;

/** Speaks the protocol of an imaginary top-up service. Knows nothing of what its answers mean. */
export class TopupClient {
  constructor(readonly settings: TopupSettings) {}

  /** The service sells once per reference: a repetition is answered like the first request. */
  sell({ reference, amount, currency, item }: Order<AirtimeItem>, signal: AbortSignal): Promise<TopupAnswer> {
    const body = { reference, msisdn: item.phone, network: item.network, country: item.country, amount: amount.toString(), currency };
    return this.ask('POST', 'topups', signal, body);
  }

  find({ reference }: Order<AirtimeItem>, signal: AbortSignal): Promise<TopupAnswer> {
    return this.ask('GET', `topups/${encodeURIComponent(reference)}`, signal);
  }

  float(currency: Currency, signal: AbortSignal): Promise<TopupAnswer> {
    return this.ask('GET', `float?currency=${currency}`, signal);
  }

  private async ask(method: string, path: string, signal: AbortSignal, body?: object): Promise<TopupAnswer> {
    const headers = { authorization: `Bearer ${this.settings.apiKey}`, ...(body && { 'content-type': 'application/json' }) };
    const request = { method, headers, body: body && JSON.stringify(body), signal, redirect: 'error' } as const;
    const response = await fetch(new URL(path, this.settings.baseUrl), request).catch((error: unknown) => {
      throw isRefusedConnection(error) ? new ProviderOutage('the top-up service accepts no connections', { cause: error }) : error;
    });
    return { status: response.status, body: parse(await read(response)) };
  }
}

/** The signal of the request also ends this: it covers the body, not only the first byte. */
async function read(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`an answer of more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isRefusedConnection = (error: unknown): boolean => (error as { cause?: { code?: unknown } } | null)?.cause?.code === 'ECONNREFUSED';

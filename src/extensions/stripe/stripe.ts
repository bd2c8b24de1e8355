import { Inject, Injectable } from '@nestjs/common';
import { needSettings, type Of, secret, Settings, text, url } from '../../core/config/settings';
import { isObject, isReference, type UnknownOutcome } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';

// Stripe Issuing, by the types of https://github.com/stripe/stripe-node at commit 6639421 (API version below) and by
// excerpts of https://docs.stripe.com/issuing (real-time authorizations, transactions, disputes, watchlist) and
// …/api/idempotent_requests, as of 2026-11-25; where the pages are older, the types count.

/** Sent with every request, and with every answer to a real-time authorization, where Stripe asks for it. */
export const STRIPE_VERSION = '2026-07-29.dahlia';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const STRIPE = Settings.of('stripe', {
  key: secret({ about: 'Secret or restricted key of Stripe Issuing (sk_live_…, rk_live_…).' }),
  webhookSecret: secret({ about: 'Signing secret of the webhook endpoint at Stripe (whsec_…).' }),
  authorizationSecret: secret({
    optional: true,
    about: 'Signing secret of the endpoint for real-time authorizations, where it is not that of the others.',
  }),
  publishableKey: text({
    optional: true,
    about: 'Publishable key (pk_live_…) for the page that shows a card; without it no card can be shown.',
  }),
  brand: text({ default: 'visa', about: 'The brand that the card program at Stripe issues: visa or mastercard.' }),
  url: url({ default: 'https://api.stripe.com/v1/', about: 'Address of the API.' }),
});

/** Of a list, and of an object: an authorization shows all of its transactions. */
const LIST_BYTES_MAX = 2 * 1024 * 1024;
/** Objects of a page. */
const PAGE = 100;
/** Of a hundred objects each: more are not read to find one. */
const PAGES_MAX = 20;
/** How far Stripe's clock may be behind ours. Milliseconds. */
const SKEW_MS = 15 * 60_000;

export type Told = Readonly<Record<string, unknown>>;

/** What a form carries, before it is flat. Undefined: left out. */
export interface Params {
  readonly [name: string]: string | number | bigint | boolean | undefined | Params;
}

/** `{individual: {dob: {day: 1}}}` → `individual[dob][day]=1`. */
export function flat(params: Params, prefix = ''): Record<string, string> {
  const pairs = Object.entries(params).flatMap(([key, value]): [string, string][] => {
    const name = prefix === '' ? key : `${prefix}[${key}]`;
    if (value === undefined) return [];
    return typeof value === 'object' ? Object.entries(flat(value, name)) : [[name, String(value)]];
  });
  return Object.fromEntries(pairs);
}

/** What a search through a list came to. `unreadable`: it could not be read to its end, so nobody can say. */
export type Search = { readonly found: Told } | 'none' | 'unreadable';

/** How the parts of this extension speak with Stripe. */
@Injectable()
export class Stripe {
  private readonly outside: Outside;

  constructor(@Inject(STRIPE) { url: address, key }: Of<typeof STRIPE>, http: ProviderHttp) {
    const headers = { authorization: `Bearer ${key}`, 'stripe-version': STRIPE_VERSION };
    this.outside = http.to({ name: 'stripe', url: address, headers });
  }

  get(path: string, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ path, bytesMax: LIST_BYTES_MAX, signal });
  }

  /** `key`: repeated with the same within 24 hours it is done once, and answered alike. */
  post(path: string, params: Params, { key, signal }: { key?: string; signal: AbortSignal }): Promise<CompanyAnswer> {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return this.outside.ask({ method: 'POST', path, form: flat(params), headers, signal });
  }

  /** A key that shows one card in one browser. Nobody else may see the answer: it is not kept. */
  ephemeralKey(card: string, nonce: string, signal: AbortSignal): Promise<CompanyAnswer> {
    const form = { issuing_card: card, nonce };
    return this.outside.ask({ method: 'POST', path: 'ephemeral_keys', form, isSignIn: true, signal });
  }

  /**
   * The object that carries our reference, among all that were made since `since`: Stripe has no search for it. Newest
   * first.
   */
  async search(path: string, reference: string, since: Date, signal: AbortSignal): Promise<Search> {
    const from = Math.floor((since.getTime() - SKEW_MS) / 1_000);
    let after: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const query = { limit: String(PAGE), 'created[gte]': String(from), starting_after: after };
      const list = listOf(await this.outside.ask({ path, query, bytesMax: LIST_BYTES_MAX, signal }));
      if (list === null) return 'unreadable';
      const found = list.data.find((one) => referenceOf(one) === reference);
      if (found) return { found };
      if (!list.hasMore) return 'none';
      after = list.data.at(-1)?.id as string | undefined;
      if (after === undefined) return 'unreadable';
    }
    return 'unreadable';
  }
}

needSettings(STRIPE, Stripe);

/** Null: not a list of Stripe's, or one with something in it that has no id and metadata. */
export function listOf({ status, body }: CompanyAnswer): { data: readonly Told[]; hasMore: boolean } | null {
  if (status !== 200 || !isObject(body) || body.object !== 'list') return null;
  const { data, has_more: hasMore } = body;
  if (!Array.isArray(data) || typeof hasMore !== 'boolean') return null;
  const isWhole = data.every((one) => isObject(one) && isReference(one.id) && isObject(one.metadata));
  return isWhole ? { data: data as Told[], hasMore } : null;
}

/** An object of a kind, if that is what was answered. */
export function objectOf({ status, body }: CompanyAnswer, kind: string): Told | null {
  return status === 200 && isObject(body) && body.object === kind && isReference(body.id) ? body : null;
}

/** Our uuid, as we wrote it into the metadata; null: it is none of ours. */
export const referenceOf = ({ metadata }: Told): string | null =>
  isObject(metadata) && typeof metadata.reference === 'string' && metadata.reference !== '' ? metadata.reference : null;

/** An error in Stripe's own form; null: it says no such thing. */
export interface StripeError {
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
}

export function errorOf({ body }: CompanyAnswer): StripeError | null {
  const error = isObject(body) ? body.error : null;
  if (!isObject(error) || typeof error.type !== 'string') return null;
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return { type: error.type, code: textOf(error.code), param: textOf(error.param) };
}

export const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/** Stripe writes amounts as whole numbers of minor units. */
export const minorOf = (amount: unknown): bigint | null =>
  typeof amount === 'number' && amount % 1 === 0 && amount >= 0 ? BigInt(amount) : null;

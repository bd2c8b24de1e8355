import { Inject, Injectable } from '@nestjs/common';
import { flag, needSettings, type Of, secret, Settings, url } from '../../core/config/settings';
import { isObject } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';

// Bridgecard Issuing v1, as of 2026-11-25: excerpts of https://docs.bridgecard.co/reference/api-reference (cardholder,
// usd-cards, misc, webhook-events), the copy of these pages in https://github.com/awoniyibabatola/bvodo
// (bridgecard_test_guide.md, October 2025), and clients of others that read the same fields. Where versions disagree
// the newer one counts: a card is made with at least $3 or $4 (not $1), and is Mastercard.

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const BRIDGECARD = Settings.of('bridgecard', {
  token: secret({ about: 'Access token of Bridgecard (at_live_…).' }),
  secretKey: secret({ about: 'Secret key of Bridgecard (sk_live_…): webhooks are proven with it.' }),
  webhookSecret: secret({ about: 'Webhook secret key of Bridgecard (live_webhook_secret_key).' }),
  largeCards: flag({
    default: 'false',
    about: 'Whether cards may hold $10,000 and are made with $4 of yours, instead of $5,000 and $3.',
  }),
  url: url({ default: 'https://issuecards.api.bridgecard.co/v1/issuing/', about: 'Address of the API.' }),
  relayUrl: url({
    default: 'https://issuecards-api-bridgecard-co.relay.evervault.com/v1/issuing/',
    about: 'Where browsers, and only they, read the number of a card.',
  }),
});

/** What a card may hold, and what it has to be made with, in cents: that is kept for Bridgecard's monthly fee. */
export const limitsOf = ({ largeCards }: Pick<Of<typeof BRIDGECARD>, 'largeCards'>) =>
  largeCards ? { holds: 1_000_000n, kept: 400n } : { holds: 500_000n, kept: 300n };

/** The name that stands on cards and in routes. */
export const ISSUER = 'bridgecard';

/** Of a page of cardholders, or all cards of one, with texts of Evervault in each. */
const LIST_BYTES_MAX = 1_024 * 1_024;
/** Pages of a list: more are not read to find one. */
const PAGES_MAX = 100;

export type Told = Readonly<Record<string, unknown>>;

/** Of objects with our uuid. `unreadable`: nobody can say whether there is one. */
export type Search = { readonly found: Told } | 'none' | 'unreadable';

/** How the parts of this extension speak with Bridgecard. Amounts are cents, as text. */
@Injectable()
export class Bridgecard {
  private readonly outside: Outside;

  constructor(@Inject(BRIDGECARD) { url: address, token }: Of<typeof BRIDGECARD>, http: ProviderHttp) {
    this.outside = http.to({ name: ISSUER, url: address, headers: { token: `Bearer ${token}` } });
  }

  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ path, query, signal });
  }

  post(path: string, json: object, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ method: 'POST', path, json, signal });
  }

  patch(path: string, json: object, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ method: 'PATCH', path, json, signal });
  }

  /** Freezes or unfreezes. */
  turn(path: string, card: string, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ method: 'PATCH', path, query: { card_id: card }, signal });
  }

  deleteCard(card: string, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ method: 'DELETE', path: `cards/delete_card/${encodeURIComponent(card)}`, signal });
  }

  /** Number and CVV in it are sealed by Evervault for Bridgecard's relay: kept nowhere all the same. */
  card(card: string, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.outside.ask({ path: 'cards/get_card_details', query: { card_id: card }, signal, isSignIn: true });
  }

  /** Shows one card to whoever has it: it goes to a browser, and is kept nowhere. */
  revealToken(card: string, signal: AbortSignal): Promise<CompanyAnswer> {
    const path = 'cards/generate_token_for_card_details';
    return this.outside.ask({ path, query: { card_id: card }, signal, isSignIn: true });
  }

  /** The cardholder that was registered for our uuid. Bridgecard has no search: all are read, a page at a time. */
  async cardholderOf(reference: string, signal: AbortSignal): Promise<Search> {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { page: String(page) };
      const answer = await this.outside.ask({
        path: 'cards/get_all_cardholder',
        query,
        signal,
        bytesMax: LIST_BYTES_MAX,
      });
      const list = listOf(answer, 'cardholders', 'cardholder_id');
      if (list === null) return 'unreadable';
      const found = list.all.find((one) => referenceOf(one) === reference);
      if (found) return { found };
      if (list.pages === null) return 'unreadable';
      if (page >= list.pages) return 'none';
    }
    return 'unreadable';
  }

  /** The card that was made for our uuid, among those of a cardholder. What is listed of a card is a part of it. */
  async cardOf(cardholder: string, reference: string, signal: AbortSignal): Promise<Search> {
    const query = { cardholder_id: cardholder };
    const path = 'cards/get_all_cardholder_cards';
    const answer = await this.outside.ask({ path, query, signal, bytesMax: LIST_BYTES_MAX, isSignIn: true });
    const list = listOf(answer, 'cards', 'card_id');
    if (list === null) return 'unreadable';
    for (const one of list.all) {
      if (isObject(one.meta_data) && referenceOf(one) !== reference) continue;
      const card = dataOf(await this.card(one.card_id as string, signal), 'card_id');
      if (card === null) return 'unreadable';
      if (referenceOf(card) === reference) return { found: card };
    }
    return 'none';
  }
}

needSettings(BRIDGECARD, Bridgecard);

/** What a request came to, if it succeeded and is about what `id` names. */
export function dataOf({ status, body }: CompanyAnswer, id?: string): Told | null {
  const isSuccess = status >= 200 && status < 300 && isObject(body) && body.status === 'success';
  if (!isSuccess || !isObject(body.data)) return null;
  return id === undefined || isId(body.data[id]) ? body.data : null;
}

/** Their reason, where it says that it did not do it. There are no codes: the sentences are all there is. */
export const sentenceOf = ({ status, body }: CompanyAnswer): string | null =>
  status >= 400 && isObject(body) && typeof body.message === 'string' ? body.message : null;

/** Null: not such a list, or with something in it that has no id. `pages`: null where it does not say how many. */
export function listOf(answer: CompanyAnswer, name: string, id: string): { all: Told[]; pages: number | null } | null {
  const data = dataOf(answer);
  const all = data?.[name];
  if (!Array.isArray(all) || !all.every((one) => isObject(one) && isId(one[id]))) return null;
  const pages = isObject(data!.meta) ? data!.meta.pages : null;
  return { all: all as Told[], pages: typeof pages === 'number' ? pages : null };
}

/** Theirs are 32 hexadecimal digits; whatever else could stand in a path is none. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,100}$/.test(value);

/** Our uuid, as we wrote it into the metadata; null: it is none of ours. */
export const referenceOf = ({ meta_data: metadata }: Told): string | null =>
  isObject(metadata) && typeof metadata.reference === 'string' && metadata.reference !== '' ? metadata.reference : null;

/** Whole cents, as text or as a number; null: not an amount. */
export function centsOf(value: unknown): bigint | null {
  const isAmount = (typeof value === 'string' || typeof value === 'number') && /^\d{1,15}$/.test(String(value));
  return isAmount ? BigInt(value) : null;
}

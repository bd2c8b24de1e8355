import { Inject, Injectable } from '@nestjs/common';
import { Env } from '../../core/config/env';
import type { Currency } from '../../core/money/money';
import type { Of } from '../../core/config/settings';
import { publicUrl } from '../../core/http/request-context';
import { timeOf } from '../../core/http/ids';
import {
  type CardIssuer,
  type CardOrder,
  type CardRef,
  type DisputeOrder,
  type DisputeRef,
  type DisputeResult,
  type FindCardResult,
  type FindDisputeResult,
  type IssueResult,
  type IssuerRefused,
  IssuesCards,
  type IssuerState,
  type Revealed,
  type UpdateResult,
} from '../../modules/cards/card-issuer';
import { fieldsOf, isObject, type UnknownOutcome } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import type { Checkable, CheckResult } from '../../providers/registry';
import { disputeAt, disputeOfReference, withdrawAt } from './stripe-disputes';
import { pageToken } from './stripe-pages';
import { errorOf, listOf, objectOf, type Params, referenceOf, STRIPE, Stripe, type Told, UNREADABLE } from './stripe';

/** The name that stands on cards and in routes. */
export const ISSUER = 'stripe';

/**
 * Issues virtual cards at Stripe: a cardholder for each card, and the card. Both carry our reference in their metadata,
 * and the requests that make them have it as idempotency key.
 */
@Injectable()
@IssuesCards({ name: ISSUER, mode: 'live', when: STRIPE, floatCurrency: 'USD' })
export class StripeIssuer implements CardIssuer, Checkable {
  constructor(
    @Inject(STRIPE) private readonly settings: Of<typeof STRIPE>,
    private readonly stripe: Stripe,
    private readonly env: Env,
  ) {}

  async issue(order: CardOrder, signal: AbortSignal): Promise<IssueResult> {
    const { reference, brand, currency } = order;
    if (brand !== this.settings.brand) return OTHER_BRAND;
    const holder = await this.holder(order, signal);
    if ('outcome' in holder) return holder;
    const card: Params = {
      cardholder: holder.id,
      currency: currency.toLowerCase(),
      type: 'virtual',
      status: 'active',
      metadata: { reference },
    };
    return cardOf(await this.stripe.post('issuing/cards', card, { key: reference, signal }), reference);
  }

  /** By the id that we know, else among all cards that were made since ours was asked for. */
  async find(card: CardRef, signal: AbortSignal): Promise<FindCardResult> {
    const { reference, brand, issuerReference } = card;
    if (brand !== this.settings.brand) return { ...OTHER_BRAND, about: 'order' };
    if (issuerReference !== null) return findingOf(await this.stripe.get(pathOf(issuerReference), signal), reference);
    const since = timeOf(reference);
    const cards = await this.stripe.search('issuing/cards', reference, since, signal);
    if (cards === 'unreadable') return UNREADABLE;
    if (cards !== 'none') return findingOf({ status: 200, body: cards.found }, reference);
    // No card: perhaps because of who is to have it.
    const holders = await this.stripe.search('issuing/cardholders', reference, since, signal);
    if (holders === 'unreadable') return UNREADABLE;
    const standing = holders === 'none' ? null : standingOf(holders.found);
    if (standing === null) return { outcome: 'not_known' };
    return standing.outcome === 'refused' ? { ...standing, about: 'order' } : standing;
  }

  /** No idempotency key: a card may be frozen again, and Stripe would answer what it answered the first time. */
  async setState(card: CardRef, state: IssuerState, signal: AbortSignal): Promise<UpdateResult> {
    const id = await this.idOf(card, signal);
    if (id === null) return UNREADABLE;
    const answer = await this.stripe.post(pathOf(id), { status: STATUS[state] }, { signal });
    const isDenied = answer.status === 400 && errorOf(answer)?.type === 'invalid_request_error';
    const told = isDenied ? await this.stripe.get(pathOf(id), signal) : answer;
    return updateOf(told, card.reference, state);
  }

  /** A page of this service that shows what Stripe's own frames hold: the number never comes here. */
  async reveal(card: CardRef, signal: AbortSignal): Promise<Revealed> {
    const { publishableKey, key } = this.settings;
    if (publishableKey === undefined) throw new Error('STRIPE_PUBLISHABLE_KEY is not set: no card can be shown');
    const id = await this.idOf(card, signal);
    if (id === null) throw new Error('Stripe does not show the card');
    return { url: `${publicUrl(this.env)}/cards/stripe/${pageToken(id, key)}` };
  }

  dispute(order: DisputeOrder, signal: AbortSignal): Promise<DisputeResult> {
    return disputeAt(this.stripe, order, signal);
  }

  findDispute(dispute: DisputeRef, signal: AbortSignal): Promise<FindDisputeResult> {
    return disputeOfReference(this.stripe, dispute, signal);
  }

  withdrawDispute(dispute: DisputeRef, signal: AbortSignal): Promise<UpdateResult> {
    return withdrawAt(this.stripe, dispute, signal);
  }

  /** The Issuing balance, less what open authorizations reserve there. */
  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const balance = issuingBalanceOf(await this.stripe.get('balance', signal), currency);
    if (balance === null) throw new Error('the Issuing balance could not be read');
    return balance;
  }

  async check(signal: AbortSignal): Promise<CheckResult> {
    return checkOf(await this.stripe.get('issuing/cards?limit=1', signal));
  }

  /** Who is to have the card; an outcome when it cannot be made for them now. */
  private async holder(order: CardOrder, signal: AbortSignal): Promise<{ id: string } | IssuerRefused | IssueResult> {
    const { reference } = order;
    const key = `${reference}-cardholder`;
    const answer = await this.stripe.post('issuing/cardholders', holderParams(order), { key, signal });
    let told = objectOf(answer, 'issuing.cardholder');
    if (told === null) return refusalOf(answer);
    // A repetition is answered as the first request was: how they stand now is asked.
    if (standingOf(told) !== null)
      told = objectOf(await this.stripe.get(`issuing/cardholders/${told.id as string}`, signal), 'issuing.cardholder');
    if (told === null || referenceOf(told) !== reference) return UNREADABLE;
    return standingOf(told) ?? { id: told.id as string };
  }

  private async idOf({ reference, issuerReference }: CardRef, signal: AbortSignal): Promise<string | null> {
    if (issuerReference !== null) return issuerReference;
    const search = await this.stripe.search('issuing/cards', reference, timeOf(reference), signal);
    return typeof search === 'object' ? (search.found.id as string) : null;
  }
}

const STATUS: Readonly<Record<IssuerState, string>> = { active: 'active', frozen: 'inactive', terminated: 'canceled' };

const pathOf = (id: string): string => `issuing/cards/${encodeURIComponent(id)}`;

/** Stripe prints at most so many characters. */
const NAME_MAX = 24;

function holderParams({ reference, nameOnCard, cardholder, options }: CardOrder): Params {
  const { firstName, lastName, email, phone, dateOfBirth, address } = cardholder;
  const [year, month, day] = dateOfBirth.split('-').map((part) => +part);
  return {
    type: 'individual',
    name: nameOnCard.slice(0, NAME_MAX).trim(),
    email,
    phone_number: phone,
    individual: {
      first_name: firstName,
      last_name: lastName,
      dob: { day, month, year },
      card_issuing: termsOf(options),
    },
    billing: { address: { ...address } },
    metadata: { reference },
  };
}

/** Programs in the US need to know when and from where the cardholder took the terms: a filter may say so. */
function termsOf({ user_terms_acceptance: terms }: CardOrder['options']): Params | undefined {
  if (!isObject(terms) || typeof terms.date !== 'number' || typeof terms.ip !== 'string') return undefined;
  return { user_terms_acceptance: { date: terms.date, ip: terms.ip } };
}

const OTHER_BRAND: IssuerRefused = {
  outcome: 'refused',
  code: 'brand_not_issued',
  message: 'The card program at the issuer does not have this brand.',
  recovery: 'caller_must_fix',
};

const refused = (code: string, message: string, recovery: IssuerRefused['recovery']): IssuerRefused => ({
  outcome: 'refused',
  code,
  message,
  recovery,
});

/** By a cardholder's `requirements.disabled_reason`. Null: they are not decided about yet. */
export const DISABLED: Readonly<Record<string, IssuerRefused | null>> = {
  under_review: null,
  listed: null,
  'rejected.listed': refused('cardholder_rejected', 'The issuer does not take the cardholder.', 'none'),
  'requirements.past_due': refused(
    'cardholder_incomplete',
    'The issuer needs to know more of the cardholder.',
    'account_must_act',
  ),
};

const BLOCKED = refused('cardholder_blocked', 'The issuer has blocked the cardholder.', 'none');

/** Why no card is made for a cardholder now; null: one may be. */
export function standingOf({
  status,
  requirements,
}: Told): IssuerRefused | { outcome: 'accepted' } | UnknownOutcome | null {
  if (status === 'blocked') return BLOCKED;
  if (status !== 'active' || !isObject(requirements)) return UNREADABLE;
  const reason = requirements.disabled_reason;
  if (reason === null) return null;
  if (typeof reason !== 'string' || !Object.hasOwn(DISABLED, reason)) return UNREADABLE;
  return DISABLED[reason] ?? { outcome: 'accepted' };
}

/**
 * By the field that an `invalid_request_error` of status 400 is about. By Stripe's words on idempotency nothing was
 * begun then; and a card that was ordered before under the same key would have been answered.
 */
export const OF_FIELD: readonly (readonly [field: RegExp, IssuerRefused])[] = [
  [/^name$/, refused('invalid_name_on_card', 'The issuer does not take the name.', 'caller_must_fix')],
  [
    /^individual\[(?:first|last)_name\]$/,
    refused('invalid_cardholder_name', 'The issuer does not take the name of the cardholder.', 'caller_must_fix'),
  ],
  [
    /^individual\[dob\]/,
    refused('invalid_date_of_birth', 'The issuer does not take the date of birth.', 'caller_must_fix'),
  ],
  [/^email$/, refused('invalid_email', 'The issuer does not take the e-mail address.', 'caller_must_fix')],
  [/^phone_number$/, refused('invalid_phone_number', 'The issuer does not take the phone number.', 'caller_must_fix')],
  [
    /^billing(?:\[address\]|$)/,
    refused('invalid_address', 'The issuer does not take the billing address.', 'caller_must_fix'),
  ],
];

/** By the `code` of such an error. */
const OF_CODE: Readonly<Record<string, IssuerRefused>> = {
  cardholder_phone_number_required: refused(
    'invalid_phone_number',
    'The issuer needs a phone number of the cardholder.',
    'caller_must_fix',
  ),
};

const NOT_OURS = refused('issuer_account_unusable', 'The issuer makes no cards at the moment.', 'retry_later');

/** Of a request that would make something. Only what is proven not to have begun is a refusal. */
export function refusalOf(answer: CompanyAnswer): IssuerRefused | UnknownOutcome {
  const error = errorOf(answer);
  if (error?.type !== 'invalid_request_error') return UNREADABLE;
  // The key is wrong, or may not do this: nothing was done for us. Said to an order only, never to a question.
  if (answer.status === 401 || answer.status === 403) return NOT_OURS;
  if (answer.status !== 400) return UNREADABLE;
  const { code, param } = error;
  if (code !== null && Object.hasOwn(OF_CODE, code)) return OF_CODE[code]!;
  return (param !== null && OF_FIELD.find(([field]) => field.test(param))?.[1]) || UNREADABLE;
}

const CANCELED = refused('card_terminated', 'The card is terminated at the issuer.', 'none');

/** What ordering a card came to. */
export function cardOf(answer: CompanyAnswer, reference: string): IssueResult {
  return answer.status === 200 ? madeOf(answer, reference) : refusalOf(answer);
}

/** A question about a card: only the card itself answers it. That Stripe has no such id is not about our reference. */
export function findingOf(answer: CompanyAnswer, reference: string): FindCardResult {
  const result = madeOf(answer, reference);
  return result.outcome === 'refused' ? { ...result, about: 'order' } : result;
}

/** A card that was cancelled can never be used again: it is as if there were none. */
function madeOf(answer: CompanyAnswer, reference: string): IssueResult {
  const card = objectOf(answer, 'issuing.card');
  if (card === null || referenceOf(card) !== reference || card.type !== 'virtual') return UNREADABLE;
  const { id, last4, exp_month: expMonth, exp_year: expYear, status } = card;
  if (status === 'canceled') return CANCELED;
  const isReadable =
    (status === 'active' || status === 'inactive') &&
    typeof last4 === 'string' &&
    typeof expMonth === 'number' &&
    typeof expYear === 'number';
  return isReadable ? { outcome: 'done', issuerReference: id as string, last4, expMonth, expYear } : UNREADABLE;
}

/** `answer`: the card as it is after it was told. */
export function updateOf(answer: CompanyAnswer, reference: string, state: IssuerState): UpdateResult {
  const card = objectOf(answer, 'issuing.card');
  if (card === null || referenceOf(card) !== reference) return UNREADABLE;
  if (card.status === STATUS[state]) return { outcome: 'done' };
  return card.status === 'canceled' ? CANCELED : UNREADABLE;
}

/** In minor units; null: no balance of this currency was told. */
function issuingBalanceOf({ status, body }: CompanyAnswer, currency: Currency): bigint | null {
  const { object, issuing } = fieldsOf(body);
  const { available } = fieldsOf(issuing);
  if (status !== 200 || object !== 'balance' || !Array.isArray(available)) return null;
  const own = available.map(fieldsOf).find((one) => one.currency === currency.toLowerCase());
  const amount = own?.amount;
  // Below zero where more was taken than lay there.
  return typeof amount === 'number' && amount % 1 === 0 ? BigInt(amount) : null;
}

export function checkOf(answer: CompanyAnswer): CheckResult {
  const { status } = answer;
  if (listOf(answer) !== null) return { isFine: true, says: 'The key is right and may see issued cards.' };
  if (errorOf(answer) === null) return { isFine: false, says: 'What answers at STRIPE_URL is not the API of Stripe.' };
  if (status === 401) return { isFine: false, says: 'Stripe does not know the key: STRIPE_KEY is wrong.' };
  if (status === 403)
    return { isFine: false, says: 'The key may not see issued cards: a restricted key needs Issuing.' };
  if (status === 400) return { isFine: false, says: 'Stripe refuses: is the account set up for Issuing?' };
  return { isFine: false, says: `Stripe answers with status ${status}.` };
}

import { Inject, Injectable } from '@nestjs/common';
import { Env } from '../../core/config/env';
import type { Of } from '../../core/config/settings';
import { timeOf } from '../../core/http/ids';
import { publicUrl } from '../../core/http/request-context';
import type { Currency } from '../../core/money/money';
import {
  type CardIssuer,
  type CardOrder,
  type CardRef,
  type FindCardResult,
  type IssueResult,
  type IssuerRefused,
  IssuesCards,
  type IssuerState,
  type Revealed,
  type UpdateResult,
} from '../../modules/cards/card-issuer';
import { isText, type UnknownOutcome, UNREADABLE } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import type { CheckResult } from '../../providers/registry';
import { BRIDGECARD, Bridgecard, centsOf, dataOf, isId, ISSUER, limitsOf, referenceOf, type Told } from './bridgecard';
import { movedOnce } from './bridgecard-moves';
import {
  isTaken,
  OF_CARD,
  OF_CARDHOLDER,
  optionsOf,
  refusalOf,
  refused,
  registrationOf,
  standingOf,
} from './bridgecard-cardholders';

/** Somebody who may have a card now. */
interface Holder {
  readonly id: string;
  /** Has none yet. */
  readonly isNew: boolean;
}

/** An order that is older may have been sent before: what came of it is looked for first. Milliseconds. */
const FRESH_MS = 5_000;

/**
 * Issues virtual cards at Bridgecard: a cardholder for each card, or the one that a filter names, and the card with its
 * load. Both carry our reference in their metadata; the card's request has it as `transaction_reference`, too.
 */
@Injectable()
@IssuesCards({ name: ISSUER, mode: 'live', when: BRIDGECARD, floatCurrency: 'USD' })
export class BridgecardIssuer implements CardIssuer {
  constructor(
    @Inject(BRIDGECARD) private readonly settings: Of<typeof BRIDGECARD>,
    private readonly bridgecard: Bridgecard,
    private readonly env: Env,
  ) {}

  async issue(order: CardOrder, signal: AbortSignal): Promise<IssueResult> {
    const { reference, brand, amount } = order;
    const { holds, kept } = limitsOf(this.settings);
    if (brand !== 'mastercard') return OTHER_BRAND;
    if (amount + kept > holds) return LOAD_TOO_HIGH;
    const holder = await this.holder(order, signal);
    if ('outcome' in holder) return holder;
    const made = holder.isNew ? 'none' : await this.bridgecard.cardOf(holder.id, reference, signal);
    if (made === 'unreadable') return UNREADABLE;
    if (made !== 'none') return cardOf(made.found, reference);
    const card = {
      cardholder_id: holder.id,
      card_type: 'virtual',
      card_brand: 'Mastercard',
      card_currency: 'USD',
      card_limit: String(holds),
      funding_amount: String(kept + amount),
      transaction_reference: reference,
      // Empty: Bridgecard takes digits of the number, so nobody here knows it.
      pin: '',
      meta_data: { reference },
    };
    const answer = await this.bridgecard.post('cards/create_card', card, signal);
    const id = dataOf(answer, 'card_id')?.card_id as string | undefined;
    if (id !== undefined) return this.cardAt(id, reference, signal);
    // Of a repetition: the card may have been ordered before, and only not be listed yet.
    return isFresh(order) ? refusalOf(answer, OF_CARD) : UNREADABLE;
  }

  /** By the id that we know, else among the cards of the cardholder that was registered for it. */
  async find(card: CardRef, signal: AbortSignal): Promise<FindCardResult> {
    const { reference, brand, issuerReference, options } = card;
    if (brand !== 'mastercard') return { ...OTHER_BRAND, about: 'order' };
    if (issuerReference !== null) return aboutOrder(await this.cardAt(issuerReference, reference, signal));
    const holder = await this.registered(reference, options, signal);
    if (holder === 'unreadable') return UNREADABLE;
    if (holder === 'none') return { outcome: 'not_known' };
    const made = await this.bridgecard.cardOf(holder.found.cardholder_id as string, reference, signal);
    if (made === 'unreadable') return UNREADABLE;
    if (made !== 'none') return aboutOrder(cardOf(made.found, reference));
    const standing = standingOf(holder.found);
    return standing === null ? { outcome: 'not_known' } : aboutOrder(standing);
  }

  async setState(card: CardRef, state: IssuerState, signal: AbortSignal): Promise<UpdateResult> {
    const id = await this.idOf(card, signal);
    if (id === null) return UNREADABLE;
    if (state === 'terminated') return this.terminate(id, card, signal);
    const path = state === 'frozen' ? 'cards/freeze_card' : 'cards/unfreeze_card';
    const answer = await this.bridgecard.turn(path, id, signal);
    if (dataOf(answer, 'card_id')?.card_id === id) return { outcome: 'done' };
    return stateOf(dataOf(await this.bridgecard.card(id, signal), 'card_id'), card.reference, state);
  }

  /** A page of this service, on which the browser reads the card from the relay: the number never comes here. */
  async reveal(card: CardRef, signal: AbortSignal): Promise<Revealed> {
    const id = await this.idOf(card, signal);
    const told = id === null ? null : dataOf(await this.bridgecard.revealToken(id, signal));
    if (told === null || !isId(told.token)) throw new Error('Bridgecard does not show the card');
    // Browsers send nobody what stands behind the #.
    return { url: `${publicUrl(this.env)}/cards/bridgecard#${told.token}` };
  }

  /** Of the issuing wallet, from which cards are made and loaded. Throws when it is not told. */
  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const balance = walletOf(await this.bridgecard.get('cards/get_issuing_wallet_balance', {}, signal));
    if (currency !== 'USD' || balance === null) throw new Error(`Bridgecard does not say our balance in ${currency}`);
    return balance;
  }

  async check(signal: AbortSignal): Promise<CheckResult> {
    return checkOf(await this.bridgecard.get('cards/get_issuing_wallet_balance', {}, signal));
  }

  /** Who is to have the card; an outcome when it cannot be made for them now. */
  private async holder(order: CardOrder, signal: AbortSignal): Promise<Holder | IssueResult> {
    const { reference, options } = order;
    if (optionsOf(options).cardholder_id !== undefined || !isFresh(order)) {
      const before = await this.registered(reference, options, signal);
      if (before !== 'none') return before === 'unreadable' ? UNREADABLE : standingHolder(before.found);
    }
    const registration = registrationOf(order);
    if ('outcome' in registration) return registration as IssuerRefused;
    const answer = await this.bridgecard.post('cardholder/register_cardholder', registration, signal);
    const id = dataOf(answer, 'cardholder_id')?.cardholder_id as string | undefined;
    if (id !== undefined) return this.newHolder(id, reference, signal);
    if (!isTaken(answer)) return refusalOf(answer, OF_CARDHOLDER);
    const before = await this.bridgecard.cardholderOf(reference, signal);
    if (before === 'unreadable') return UNREADABLE;
    return before === 'none' ? TAKEN : standingHolder(before.found);
  }

  private async newHolder(id: string, reference: string, signal: AbortSignal): Promise<Holder | IssueResult> {
    const holder = await this.bridgecard.get('cardholder/get_cardholder', { cardholder_id: id }, signal);
    const told = dataOf(holder, 'cardholder_id');
    if (told === null || referenceOf(told) !== reference) return UNREADABLE;
    return standingOf(told) ?? { id, isNew: true };
  }

  /** The cardholder that a filter names, or that was registered for this card. */
  private async registered(reference: string, options: CardRef['options'], signal: AbortSignal) {
    const { cardholder_id: id } = optionsOf(options);
    if (id === undefined) return this.bridgecard.cardholderOf(reference, signal);
    const answer = await this.bridgecard.get('cardholder/get_cardholder', { cardholder_id: id }, signal);
    const found = dataOf(answer, 'cardholder_id');
    return found?.cardholder_id === id ? { found } : 'unreadable';
  }

  private async cardAt(id: string, reference: string, signal: AbortSignal): Promise<IssueResult> {
    const card = dataOf(await this.bridgecard.card(id, signal), 'card_id');
    return card?.card_id === id ? cardOf(card, reference) : UNREADABLE;
  }

  /** Freezes it, takes back what is on it, and deletes it once nothing is: whoever asks again goes on from there. */
  private async terminate(id: string, { reference }: CardRef, signal: AbortSignal): Promise<UpdateResult> {
    const card = dataOf(await this.bridgecard.card(id, signal), 'card_id');
    if (card === null || referenceOf(card) !== reference) return UNREADABLE;
    if (card.is_deleted === true) return { outcome: 'done' };
    if (card.is_active === true) {
      const frozen = await this.bridgecard.turn('cards/freeze_card', id, signal);
      if (dataOf(frozen, 'card_id')?.card_id !== id) return UNREADABLE;
    }
    const left = centsOf(card.available_balance);
    if (left === null) return UNREADABLE;
    if (left > 0n) {
      const unload = { direction: 'unload', card: id, amount: left, reference: unloadOf(reference, left) } as const;
      if ((await movedOnce(this.bridgecard, unload, signal)) !== 'done') return ON_ITS_WAY;
    }
    await this.bridgecard.deleteCard(id, signal);
    return stateOf(dataOf(await this.bridgecard.card(id, signal), 'card_id'), reference, 'terminated');
  }

  private async idOf({ reference, issuerReference, options }: CardRef, signal: AbortSignal): Promise<string | null> {
    if (issuerReference !== null) return issuerReference;
    const holder = await this.registered(reference, options, signal);
    if (typeof holder === 'string') return null;
    const card = await this.bridgecard.cardOf(holder.found.cardholder_id as string, reference, signal);
    return typeof card === 'object' ? (card.found.card_id as string) : null;
  }
}

const isFresh = ({ reference }: CardRef): boolean => Date.now() - timeOf(reference).getTime() < FRESH_MS;

/** The same in every repetition, and another one if something came back onto the card meanwhile. */
const unloadOf = (reference: string, cents: bigint): string => `${reference}-unload-${cents}`;

const ON_ITS_WAY: UnknownOutcome = { outcome: 'unknown', code: 'unload_under_way' };

const OTHER_BRAND = refused('brand_not_issued', 'The issuer makes cards of Mastercard only.', 'caller_must_fix');

const LOAD_TOO_HIGH = refused('card_balance_too_high', 'The card may not hold as much.', 'caller_must_fix');

const TAKEN = refused(
  'cardholder_exists',
  'The issuer has a cardholder with this document already: it has to be told which one.',
  'account_must_act',
);

const TERMINATED = refused('card_terminated', 'The card is terminated at the issuer.', 'none');

/** No refusal of ours comes here: a cardholder and a card are told by themselves. */
const aboutOrder = (result: IssueResult): FindCardResult =>
  result.outcome === 'refused' ? { ...result, about: 'order' } : result;

const standingHolder = (holder: Told): Holder | IssueResult =>
  standingOf(holder) ?? { id: holder.cardholder_id as string, isNew: false };

/** A card as it stands there. When it expires they tell sealed: only browsers see it. */
export function cardOf(card: Told, reference: string): IssueResult {
  const { card_id: id, last_4: last4, card_type: type, is_deleted: isDeleted } = card;
  if (referenceOf(card) !== reference || type !== 'virtual' || !isId(id)) return UNREADABLE;
  if (isDeleted === true) return TERMINATED;
  if (!isText(last4) || !/^\d{4}$/.test(last4)) return UNREADABLE;
  return { outcome: 'done', issuerReference: id, last4, expMonth: null, expYear: null };
}

/** `card`: as it is after it was told; null: it is not shown. */
export function stateOf(card: Told | null, reference: string, state: IssuerState): UpdateResult {
  if (card === null || referenceOf(card) !== reference) return UNREADABLE;
  const { is_active: isActive, is_deleted: isDeleted } = card;
  if (isDeleted === true) return state === 'terminated' ? { outcome: 'done' } : TERMINATED;
  if (isDeleted !== false || state === 'terminated') return UNREADABLE;
  return isActive === (state === 'active') ? { outcome: 'done' } : UNREADABLE;
}

/** Cents of the issuing wallet; null: it is not told. */
const walletOf = (answer: CompanyAnswer): bigint | null => centsOf(dataOf(answer)?.issuing_balance_USD);

export function checkOf(answer: CompanyAnswer): CheckResult {
  const { status } = answer;
  const balance = walletOf(answer);
  if (balance !== null)
    return { isFine: true, says: `The token is right; the issuing wallet has ${balance} cents of USD.` };
  if (status === 401) return { isFine: false, says: 'Bridgecard does not know the token: BRIDGECARD_TOKEN is wrong.' };
  if (status === 403) return { isFine: false, says: 'The account at Bridgecard is not set up for issuing.' };
  if (status === 200 || status === 404)
    return { isFine: false, says: 'What answers at BRIDGECARD_URL is not the API of Bridgecard.' };
  return { isFine: false, says: `Bridgecard answers with status ${status}.` };
}

import { Inject, Injectable } from '@nestjs/common';
import { type Currency, decimalText, fromMajor } from '../../core/money/money';
import {
  type BankAccount,
  type NameResult,
  PaysOut,
  type PayoutItem,
  type PayoutProvider,
} from '../../modules/payouts/payouts.provider';
import type {
  FindResult,
  Order,
  OrderCallback,
  OrderDraft,
  ProviderResult,
  Refusal,
  Unsellable,
} from '../../modules/purchases/purchases.provider';
import {
  type CallbackRequest,
  type Given,
  isReference,
  isText,
  NOT_ABOUT_ORDER,
  UNREADABLE,
} from '../../providers/answers';
import { numberOf } from '../../providers/decimals';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { CheckResult } from '../../providers/registry';
import { checked, CURRENCY, eventOf, MONNIFY, type MonnifySettings, monnifyOf, plain, saidBy } from './monnify';
import { ASK_AGAIN, CODES, EXPIRED, FAILED, REASONS, STATES, TAKEN_BACK } from './monnify-reasons';

const NARRATION_MAX = 100;

type Transferred = Pick<Order<PayoutItem>, 'reference' | 'amount'>;

/**
 * Pays out of a Monnify wallet. Monnify makes one transfer for a reference and refuses a second request with it; so
 * whatever it says to a request, its summary of the reference decides.
 */
@Injectable()
@PaysOut({ name: 'monnify', mode: 'live', when: MONNIFY })
export class MonnifyPayouts implements PayoutProvider {
  private readonly monnify: Outside;

  constructor(
    @Inject(MONNIFY) private readonly settings: MonnifySettings,
    http: ProviderHttp,
  ) {
    this.monnify = monnifyOf(settings, http);
  }

  canSell({ currency }: OrderDraft<PayoutItem>): boolean | Unsellable {
    return currency === CURRENCY || { outcome: 'refused', message: 'Only naira are paid out.', param: '/currency' };
  }

  async purchase(order: Order<PayoutItem>, signal: AbortSignal): Promise<ProviderResult> {
    const json = requestOf(order, this.settings.sourceAccount);
    const path = 'api/v2/disbursements/single';
    const placed = placedOf(await this.monnify.ask({ method: 'POST', path, json, signal }), order);
    if (placed === 'unreadable') return UNREADABLE;
    if (placed === 'under_way') return { outcome: 'accepted' };
    return resultOf(placed, await this.find(order, signal));
  }

  async find(order: Transferred, signal: AbortSignal): Promise<FindResult> {
    const query = { reference: order.reference };
    return findingOf(await this.monnify.ask({ path: 'api/v2/disbursements/single/summary', query, signal }), order);
  }

  async resolve({ bankCode, accountNumber }: BankAccount, signal: AbortSignal): Promise<NameResult> {
    const query = { accountNumber, bankCode };
    return nameOf(
      await this.monnify.ask({ path: 'api/v1/disbursements/account/validate', query, signal }),
      accountNumber,
    );
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const balance = currency === CURRENCY ? balanceOf(await this.wallet(signal)) : null;
    if (balance === null) throw new Error('the balance of the wallet could not be read');
    return balance;
  }

  verify(callback: CallbackRequest): OrderCallback {
    const event = eventOf(callback, this.settings.secretKey);
    if (event === null) return { outcome: 'forged' };
    const { reference } = event.data;
    if (!/^[A-Z]+_DISBURSEMENT$/.test(event.type) || !isText(reference)) return { outcome: 'other' };
    return { outcome: 'genuine', reference, says: event.type.toLowerCase() };
  }

  check(signal: AbortSignal): Promise<CheckResult> {
    return checked(
      () => this.wallet(signal),
      (said) =>
        said.kind === 'yes' && fromMajor(said.body.availableBalance, CURRENCY) !== null
          ? 'Monnify lets the keys in and shows the balance of the wallet.'
          : null,
    );
  }

  private wallet(signal: AbortSignal): Promise<CompanyAnswer> {
    const query = { accountNumber: this.settings.sourceAccount };
    return this.monnify.ask({ path: 'api/v2/disbursements/wallet-balance', query, signal });
  }
}

/** The name of the account is mandatory since March 2026. */
function requestOf({ reference, amount, item }: Order<PayoutItem>, sourceAccountNumber: string): object {
  return {
    amount: numberOf(decimalText({ amount, currency: CURRENCY })),
    reference,
    narration: (item.narration ?? 'Payout').slice(0, NARRATION_MAX),
    destinationBankCode: item.bankCode,
    destinationAccountNumber: item.accountNumber,
    destinationAccountName: item.accountName,
    currency: CURRENCY,
    sourceAccountNumber,
  };
}

/**
 * What Monnify says to a request. `ended`: there is such a transfer, and nothing more happens to it; a refusal: there
 * is none, unless the summary has one; `unclear`: a refusal that proves nothing, such as of a repetition.
 */
type Placed = 'under_way' | 'ended' | 'unclear' | 'unreadable' | Refusal;

export function placedOf(answer: CompanyAnswer, order: Transferred): Placed {
  const said = saidBy(answer);
  if (said.kind === 'nonsense') return 'unreadable';
  if (said.kind === 'no') return refusalOf(said.code, said.message) ?? 'unclear';
  const state = stateOf(said.body, order);
  if (state === null) return 'unreadable';
  return state === 'under_way' ? 'under_way' : 'ended';
}

function refusalOf(code: string, sentence: string): Refusal | null {
  if (Object.hasOwn(CODES, code)) return CODES[code]!;
  return code === 'D01' ? reasonOf(sentence) : null;
}

/** Null: Monnify wants to be asked again. */
function reasonOf(sentence: unknown): Refusal | null {
  const reason = plain(sentence);
  if (ASK_AGAIN.has(reason)) return null;
  return Object.hasOwn(REASONS, reason) ? REASONS[reason]! : FAILED;
}

/** The outcome of a request, by what the summary says after it. */
function resultOf(placed: Exclude<Placed, 'under_way' | 'unreadable'>, found: FindResult): ProviderResult {
  if (found.outcome === 'reversed') return { outcome: 'not_delivered', ...TAKEN_BACK };
  if (found.outcome !== 'not_known') return found;
  if (placed === 'ended') return { outcome: 'accepted' };
  return placed === 'unclear'
    ? { outcome: 'unknown', code: 'refused_without_proof' }
    : { outcome: 'not_delivered', ...placed };
}

/** What a summary proves. Refusals but the one of the reference are about us. */
export function findingOf(answer: CompanyAnswer, order: Transferred): FindResult {
  const said = saidBy(answer);
  if (said.kind === 'nonsense') return UNREADABLE;
  if (said.kind === 'no') return isUnheardOf(said) ? { outcome: 'not_known' } : NOT_ABOUT_ORDER;
  const state = stateOf(said.body, order);
  if (state === null) return UNREADABLE;
  if (state === 'under_way') return { outcome: 'accepted' };
  if (state === 'done') return deliveryOf(said.body, order);
  if (state === 'reversed') return { outcome: 'reversed', code: TAKEN_BACK.code, message: TAKEN_BACK.message };
  const refusal = state === 'expired' ? EXPIRED : reasonOf(said.body.transactionDescription);
  return refusal === null
    ? { outcome: 'unknown', code: 'failed_without_proof' }
    : { outcome: 'not_delivered', ...refusal, about: 'order' };
}

const isUnheardOf = ({ code, message }: { readonly code: string; readonly message: string }): boolean =>
  code === 'D02' || plain(message) === 'could not find disbursement transaction for given reference';

/** Null: not about this transfer, or in a word that nobody knows. */
function stateOf({ reference, amount, status }: Given, order: Transferred): (typeof STATES)[string] | null {
  if (reference !== order.reference || fromMajor(amount, CURRENCY) !== order.amount) return null;
  return isText(status) && Object.hasOwn(STATES, status) ? STATES[status]! : null;
}

/** Monnify takes its fee out of the wallet beside the amount. */
function deliveryOf({ transactionReference, currency, fee, sessionId }: Given, { amount }: Transferred): FindResult {
  const charged = fromMajor(fee, CURRENCY);
  if (!isReference(transactionReference) || currency !== CURRENCY || charged === null) return UNREADABLE;
  return {
    outcome: 'delivered',
    providerReference: transactionReference,
    deliveredAmount: amount,
    cost: amount + charged,
    details: { session_id: isText(sessionId) ? sessionId : null },
  };
}

/** The error codes of account validation have one that is not about us: 99, the account is not known. */
export function nameOf(answer: CompanyAnswer, accountNumber: string): NameResult {
  const said = saidBy(answer);
  if (said.kind === 'no') return { outcome: UNKNOWN_ACCOUNT.has(plain(said.message)) ? 'not_found' : 'unavailable' };
  if (said.kind === 'nonsense' || said.body.accountNumber !== accountNumber) return { outcome: 'unavailable' };
  const { accountName } = said.body;
  return isText(accountName) ? { outcome: 'found', accountName } : { outcome: 'unavailable' };
}

const UNKNOWN_ACCOUNT: ReadonlySet<string> = new Set(['invalid account details supplied', 'invalid account']);

export function balanceOf(answer: CompanyAnswer): bigint | null {
  const said = saidBy(answer);
  return said.kind === 'yes' ? fromMajor(said.body.availableBalance, CURRENCY) : null;
}

import { Inject, Injectable } from '@nestjs/common';
import type { Of } from '../../core/config/settings';
import { type Currency, toJsonNumber } from '../../core/money/money';
import {
  type BankAccount,
  type NameResult,
  type PayoutItem,
  type PayoutProvider,
  PaysOut,
} from '../../modules/payouts/payouts.provider';
import type {
  Delivered,
  FindResult,
  NotDelivered,
  Order,
  OrderCallback,
  OrderDraft,
  ProviderResult,
  Refusal,
  Unsellable,
} from '../../modules/purchases/purchases.provider';
import { type CallbackRequest, fieldsOf, type Given, isText } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { CheckResult } from '../../providers/registry';
import { Banks } from './banks';
import {
  balancesOf,
  checkOf,
  dataAbout,
  type Envelope,
  envelopeOf,
  eventOf,
  PAYSTACK,
  paystackOf,
  saysNotFound,
  subunits,
  UNREADABLE,
  wordOf,
  wordsOf,
} from './paystack';

/** What Paystack calls bank accounts of a currency. */
const TYPES: Partial<Record<Currency, string>> = { NGN: 'nuban', GHS: 'ghipss' };

/**
 * Pays into bank accounts from the balance at Paystack. It takes a reference once: a repetition is refused, and looked
 * up. References are uuids, as ours are: Paystack takes 16 to 50 of `[a-z0-9_-]`.
 */
@Injectable()
@PaysOut({ name: 'paystack', mode: 'live', when: PAYSTACK })
export class PaystackPayouts implements PayoutProvider {
  private readonly paystack: Outside;
  private readonly banks: Banks;

  constructor(
    @Inject(PAYSTACK) private readonly settings: Of<typeof PAYSTACK>,
    http: ProviderHttp,
  ) {
    this.paystack = paystackOf(settings, http);
    this.banks = new Banks(this.paystack);
  }

  async canSell({ currency, item }: OrderDraft<PayoutItem>): Promise<boolean | Unsellable> {
    if (TYPES[currency] === undefined)
      return { outcome: 'refused', message: `No payouts are made in ${currency}.`, param: '/bank' };
    return this.banks.has(currency, item.bankCode);
  }

  async resolve(
    { bankCode, accountNumber }: BankAccount & { readonly livemode: boolean },
    signal: AbortSignal,
  ): Promise<NameResult> {
    const query = { account_number: accountNumber, bank_code: bankCode };
    return nameOf(await this.paystack.ask({ path: 'bank/resolve', query, signal }), accountNumber);
  }

  async purchase(order: Order<PayoutItem>, signal: AbortSignal): Promise<ProviderResult> {
    const recipient = recipientOf(await this.createRecipient(order, signal), order.item.accountNumber);
    if (typeof recipient !== 'string') return this.confirmed(order, recipient, signal);
    const { reference, amount, currency, item } = order;
    const json = {
      source: 'balance',
      amount: toJsonNumber(amount),
      currency,
      reference,
      recipient,
      ...(item.narration !== null && { reason: item.narration }),
    };
    const result = transferOf(await this.paystack.ask({ method: 'POST', path: 'transfer', json, signal }), order);
    return this.confirmed(order, result, signal);
  }

  async find({ reference, currency }: Order<PayoutItem>, signal: AbortSignal): Promise<FindResult> {
    const path = `transfer/verify/${encodeURIComponent(reference)}`;
    return findingOf(await this.paystack.ask({ path, signal }), { reference, currency });
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const balances = balancesOf(envelopeOf(await this.paystack.ask({ path: 'balance', signal })));
    const own = balances?.find(([code]) => code === currency);
    if (own === undefined) throw new Error(`no balance in ${currency} is told`);
    return own[1];
  }

  verify(callback: CallbackRequest): OrderCallback {
    const event = eventOf(callback, this.settings.secretKey);
    if (event === null) return { outcome: 'forged' };
    const { reference } = event.data;
    if (!event.name.startsWith('transfer.') || !isText(reference)) return { outcome: 'other' };
    return { outcome: 'genuine', reference, says: wordOf(event.name) };
  }

  check(signal: AbortSignal): Promise<CheckResult> {
    return checkOf(this.paystack, this.settings.secretKey, signal);
  }

  /** Paystack makes one recipient of an account, however often it is asked. */
  private createRecipient({ currency, item }: Order<PayoutItem>, signal: AbortSignal): Promise<CompanyAnswer> {
    const { bankCode, accountNumber, accountName } = item;
    const json = {
      type: TYPES[currency],
      name: accountName,
      account_number: accountNumber,
      bank_code: bankCode,
      currency,
    };
    return this.paystack.ask({ method: 'POST', path: 'transferrecipient', json, signal });
  }

  /**
   * What is refused now may have been done when the same was asked before: only Paystack's word about the reference
   * makes a refusal sure. A success is looked up, too: only there the fee stands.
   */
  private async confirmed(order: Order<PayoutItem>, result: Sent, signal: AbortSignal): Promise<ProviderResult> {
    if (result.outcome === 'unknown' || result.outcome === 'accepted') return result;
    const found = await this.find(order, signal);
    if (found.outcome === 'delivered' || found.outcome === 'accepted') return found;
    if (result.outcome === 'not_delivered' && found.outcome === 'not_known') return result;
    if (found.outcome === 'reversed') return { ...NEVER, ...RETURNED };
    if (found.outcome !== 'not_delivered') return { ...UNREADABLE, code: 'not_confirmed' };
    const { about: _, ...refused } = found;
    return refused;
  }
}

/** `exists`: there is a transfer by this reference, from now or from before. */
type Sent = NotDelivered | Exclude<ProviderResult, Delivered> | { readonly outcome: 'exists' };

const SELLS_NOTHING = {
  message: 'The provider cannot pay out at the moment.',
  recovery: 'retry_later',
  retryElsewhere: true,
} as const;

const BAD_ACCOUNT: Refusal = {
  code: 'invalid_recipient',
  message: 'The provider does not take the bank account.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
};

/** Refusals of a transfer that is being sent, by code. What is not listed is none. */
export const TRANSFER_REFUSALS: Readonly<Record<string, Refusal>> = {
  invalid_transfer_recipient: BAD_ACCOUNT,
  insufficient_balance: { code: 'provider_float_empty', ...SELLS_NOTHING },
  transfers_not_allowed: { code: 'provider_account_locked', ...SELLS_NOTHING },
};

/** Older errors have a message only. */
const WORDS: Readonly<Record<string, string>> = {
  'recipient specified is invalid': 'invalid_transfer_recipient',
  'your balance is not enough to fulfil this request': 'insufficient_balance',
  'you cannot initiate third party payouts at this time': 'transfers_not_allowed',
  'you cannot initiate third party payouts as a starter business': 'transfers_not_allowed',
};

const NEVER = { outcome: 'not_delivered', recovery: 'retry_later', retryElsewhere: true } as const;
const RETURNED = { code: 'returned_by_bank', message: 'The transfer could not be paid in, and came back.' } as const;

/** States in which Paystack has ended a transfer without paying. */
const ENDED: Readonly<Record<string, Pick<Refusal, 'code' | 'message'>>> = {
  failed: { code: 'transfer_failed', message: 'The transfer failed.' },
  abandoned: { code: 'transfer_not_confirmed', message: 'Nobody confirmed the transfer at the provider.' },
  blocked: { code: 'transfer_not_approved', message: 'The transfer was not approved at the provider.' },
  rejected: { code: 'transfer_not_approved', message: 'The transfer was not approved at the provider.' },
};

/** `otp` and `received` wait for somebody of ours at Paystack. */
const UNDER_WAY: readonly string[] = ['pending', 'otp', 'received'];

const DUPLICATE = 'please provide a unique reference. reference already exists on a transfer';

/**
 * The recipient's code. Else no transfer can have been sent by this request: it is sent after the recipient is made.
 */
export function recipientOf(answer: CompanyAnswer, accountNumber: string): string | Sent {
  const envelope = envelopeOf(answer);
  if (envelope === null) return UNREADABLE;
  if (!envelope.isDone)
    return answer.status === 400 || answer.status === 422 ? { ...NEVER, ...BAD_ACCOUNT } : UNREADABLE;
  const { recipient_code: code, details } = fieldsOf(envelope.data);
  return isText(code) && fieldsOf(details).account_number === accountNumber ? code : UNREADABLE;
}

/** What was asked for is under way, or refused. */
export function transferOf(answer: CompanyAnswer, { reference, currency }: Asked): Sent {
  const envelope = envelopeOf(answer);
  if (envelope === null) return UNREADABLE;
  if (!envelope.isDone) return refusalOf(envelope);
  const transfer = dataAbout(envelope, reference);
  if (transfer === null) return UNREADABLE;
  const result = resultOf(transfer, currency);
  return result.outcome === 'unknown' || result.outcome === 'accepted' ? result : { outcome: 'exists' };
}

function refusalOf(envelope: Envelope): Sent {
  const words = wordsOf(envelope);
  if (envelope.code === 'duplicate_transfer_reference' || words === DUPLICATE) return { outcome: 'exists' };
  const code = Object.hasOwn(TRANSFER_REFUSALS, envelope.code) ? envelope.code : WORDS[words];
  return envelope.http === 400 && code !== undefined ? { ...NEVER, ...TRANSFER_REFUSALS[code]! } : UNREADABLE;
}

type Asked = Pick<Order, 'reference' | 'currency'>;

/** What became of a transfer. Words about our account are no word about it. */
export function findingOf(answer: CompanyAnswer, { reference, currency }: Asked): FindResult {
  const envelope = envelopeOf(answer);
  if (saysNotFound(envelope, 'transfer_not_found', 'transfer not found')) return { outcome: 'not_known' };
  const transfer = dataAbout(envelope, reference);
  return transfer === null ? UNREADABLE : resultOf(transfer, currency);
}

/** How a transfer stands. */
function resultOf(transfer: Given, currency: Currency): Exclude<FindResult, { outcome: 'not_known' }> {
  const { status, transfer_code: code } = transfer;
  if (!isText(status) || !isText(code)) return UNREADABLE;
  if (UNDER_WAY.includes(status)) return { outcome: 'accepted', providerReference: code };
  if (status === 'reversed') return { outcome: 'reversed', ...RETURNED };
  if (Object.hasOwn(ENDED, status)) return { ...NEVER, about: 'order', ...ENDED[status]! };
  return status === 'success' ? deliveryOf(transfer, code, currency) : UNREADABLE;
}

function deliveryOf(transfer: Given, providerReference: string, currency: Currency): Delivered | typeof UNREADABLE {
  const { amount, fee_charged: fee, session } = transfer;
  const [paid, charged] = [subunits(amount), subunits(fee)];
  if (paid === null || paid === 0n || transfer.currency !== currency) return UNREADABLE;
  const { id } = fieldsOf(session);
  return {
    outcome: 'delivered',
    providerReference,
    deliveredAmount: paid,
    ...(charged !== null && { cost: paid + charged }),
    details: { session_id: isText(id) ? id : null },
  };
}

const NO_SUCH_ACCOUNT = 'could not resolve account name. check parameters or try again';

/** Whose account it is. */
export function nameOf(answer: CompanyAnswer, accountNumber: string): NameResult {
  const envelope = envelopeOf(answer);
  if (envelope === null) return { outcome: 'unavailable' };
  if (!envelope.isDone)
    return answer.status === 422 && wordsOf(envelope) === NO_SUCH_ACCOUNT
      ? { outcome: 'not_found' }
      : { outcome: 'unavailable' };
  const { account_number: number, account_name: name } = fieldsOf(envelope.data);
  return isText(name) && number === accountNumber
    ? { outcome: 'found', accountName: name }
    : { outcome: 'unavailable' };
}

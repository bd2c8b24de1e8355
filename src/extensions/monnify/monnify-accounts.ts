import { Inject, Injectable } from '@nestjs/common';
import { decimalText } from '../../core/money/money';
import {
  type AccountOrder,
  type ArrivalCallback,
  type CloseResult,
  type ConfirmResult,
  type ListQuestion,
  type ListResult,
  OffersVirtualAccounts,
  type OpenResult,
  type TransferQuestion,
  type VirtualAccountProvider,
} from '../../modules/virtual-accounts/virtual-accounts.provider';
import {
  type CallbackRequest,
  fieldsOf,
  type Given,
  isReference,
  isText,
  type UnknownOutcome,
  UNREADABLE,
} from '../../providers/answers';
import { numberOf } from '../../providers/decimals';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { CheckResult } from '../../providers/registry';
import { checked, CURRENCY, eventOf, MONNIFY, type MonnifySettings, monnifyOf, plain, saidBy } from './monnify';
import {
  arrivalOf,
  type Confirmation,
  confirmationOf,
  pageOf,
  refundOf,
  type RefundState,
} from './monnify-transactions';

const PAGE_ROWS = 100;
const PAGE_BYTES_MAX = 1_024 * 1_024;
const NAME = 'Wallet';
/** Nobody has it. */
const NO_ACCOUNT = 'duka-check';

interface Refund {
  readonly reference: string;
  readonly amount: bigint;
}

/**
 * Reserved accounts of Monnify: each is opened once for its reference, takes any number of transfers, and is
 * deallocated at its end. What a one-time account asks for Monnify is not told: it takes whatever comes.
 */
@Injectable()
@OffersVirtualAccounts({ name: 'monnify', mode: 'live', when: MONNIFY, currencies: ['NGN'] })
export class MonnifyAccounts implements VirtualAccountProvider {
  private readonly monnify: Outside;

  constructor(
    @Inject(MONNIFY) private readonly settings: MonnifySettings,
    http: ProviderHttp,
  ) {
    this.monnify = monnifyOf(settings, http);
  }

  /** Monnify refuses a reference that it has an account for, in a sentence: so whatever it refuses is looked up. */
  async open(order: AccountOrder, signal: AbortSignal): Promise<OpenResult> {
    const json = reservationOf(order, this.settings);
    const path = 'api/v2/bank-transfer/reserved-accounts';
    const answer = await this.monnify.ask({ method: 'POST', path, json, signal });
    const said = saidBy(answer);
    if (said.kind !== 'no') return openedOf(answer, order, this.settings.banks);
    const found = await this.look(order.reference, signal);
    if (!isUnheardOf(found)) return openedOf(found, order, this.settings.banks);
    return refusalOf(said);
  }

  async close({ reference }: AccountOrder, signal: AbortSignal): Promise<CloseResult> {
    const path = `api/v1/bank-transfer/reserved-accounts/reference/${encodeURIComponent(reference)}`;
    const answer = await this.monnify.ask({ method: 'DELETE', path, signal });
    if (isUnheardOf(answer)) return { outcome: 'closed' };
    const said = saidBy(answer);
    return said.kind === 'yes' && said.body.accountReference === reference ? { outcome: 'closed' } : UNREADABLE;
  }

  async find(transfer: TransferQuestion, signal: AbortSignal): Promise<ConfirmResult> {
    const found = await this.confirmed(transfer, signal);
    if (found.outcome !== 'received' && found.outcome !== 'refunded') return found;
    const state = await this.refundState(refundFor(found), signal);
    if (state === 'unreadable') return UNREADABLE;
    if (state === 'completed') return { ...found, outcome: 'returned' };
    // Not by us, and how much of it nobody says: for a person.
    return found.outcome === 'refunded' ? { outcome: 'unknown', code: 'refunded_elsewhere' } : found;
  }

  async list({ since, cursor }: ListQuestion, signal: AbortSignal): Promise<ListResult> {
    const page = /^\d{1,9}$/.test(cursor ?? '0') ? (cursor ?? '0') : '0';
    const query = { page, size: `${PAGE_ROWS}`, paymentStatus: 'PAID', from: `${since.getTime()}` };
    const request = { path: 'api/v1/transactions/search', query, signal, bytesMax: PAGE_BYTES_MAX };
    return pageOf(await this.monnify.ask(request), this.settings.emailDomain);
  }

  /** The whole of it, under a reference that is made of the transfer's: Monnify refunds once for one reference. */
  async giveBack(transfer: TransferQuestion, signal: AbortSignal): Promise<{ outcome: 'accepted' } | UnknownOutcome> {
    const found = await this.find(transfer, signal);
    if (found.outcome === 'unknown') return found;
    if (found.outcome === 'returned') return { outcome: 'accepted' };
    if (found.outcome !== 'received') return { outcome: 'unknown', code: 'not_received' };
    const refund = refundFor(found);
    const json = {
      transactionReference: transfer.providerReference,
      refundAmount: numberOf(decimalText({ amount: refund.amount, currency: CURRENCY })),
      refundReference: refund.reference,
      refundReason: 'Not what was asked for',
      customerNote: 'Returned',
    };
    const answer = await this.monnify.ask({ method: 'POST', path: 'api/v1/refunds/initiate-refund', json, signal });
    const said = saidBy(answer);
    const isRepeated = said.kind === 'no' && said.code === 'R9';
    if (said.kind === 'no' && !isRepeated) return { outcome: 'unknown', code: 'refund_refused' };
    return acceptedOf(isRepeated ? await this.refundState(refund, signal) : refundOf(answer, refund));
  }

  verify(callback: CallbackRequest): ArrivalCallback {
    const event = eventOf(callback, this.settings.secretKey);
    if (event === null) return { outcome: 'forged' };
    const arrival = event.type === 'SUCCESSFUL_TRANSACTION' ? arrivalOf(event.data, event.data.currency) : null;
    return arrival === null ? { outcome: 'other' } : { outcome: 'genuine', arrival };
  }

  /** Monnify has no question about a contract that does nothing: only an account shows whether it is right. */
  check(signal: AbortSignal): Promise<CheckResult> {
    return checked(
      () => this.look(NO_ACCOUNT, signal),
      (said) =>
        said.kind === 'no' && isUnheardOfSentence(said.message)
          ? 'Monnify lets the keys in. Whether it takes the contract code shows when an account is opened.'
          : null,
    );
  }

  private look(reference: string, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.monnify.ask({
      path: `api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reference)}`,
      signal,
    });
  }

  private async confirmed(transfer: TransferQuestion, signal: AbortSignal): Promise<Confirmation> {
    const query = { transactionReference: transfer.providerReference };
    const path = 'api/v2/merchant/transactions/query';
    return confirmationOf(await this.monnify.ask({ path, query, signal }), transfer);
  }

  private async refundState(refund: Refund, signal: AbortSignal): Promise<RefundState> {
    const path = `api/v1/refunds/${encodeURIComponent(refund.reference)}`;
    return refundOf(await this.monnify.ask({ path, signal }), refund);
  }
}

/** `MNFY|04|20211117112842|000170` → `back-MNFY-04-20211117112842-000170`. */
const refundFor = ({ providerReference, amount }: { providerReference: string; amount: bigint }): Refund => ({
  reference: `back-${providerReference.replaceAll('|', '-')}`,
  amount,
});

const acceptedOf = (state: RefundState): { outcome: 'accepted' } | UnknownOutcome =>
  state === 'pending' || state === 'completed'
    ? { outcome: 'accepted' }
    : { outcome: 'unknown', code: `refund_${state}` };

/** Monnify counts accounts per customer by the e-mail address, and tells transfers by it: each account has its own. */
function reservationOf(
  { reference, label }: AccountOrder,
  { contractCode, emailDomain, banks, bvn }: MonnifySettings,
): object {
  const name = label ?? NAME;
  return {
    accountReference: reference,
    accountName: name,
    currencyCode: CURRENCY,
    contractCode,
    customerEmail: `${reference}@${emailDomain}`,
    customerName: name,
    ...(bvn !== undefined && { bvn }),
    getAllAvailableBanks: false,
    preferredBanks: banks,
  };
}

const isUnheardOfSentence = (sentence: string): boolean => plain(sentence) === 'cannot find reserved account';

function isUnheardOf(answer: CompanyAnswer): boolean {
  const said = saidBy(answer);
  return said.kind === 'no' && isUnheardOfSentence(said.message);
}

/** Of several banks the first of ours that has an account. */
export function openedOf(answer: CompanyAnswer, { reference }: AccountOrder, banks: readonly string[]): OpenResult {
  const said = saidBy(answer);
  if (said.kind !== 'yes') return UNREADABLE;
  const { accountReference, reservationReference, status, accounts } = said.body;
  const isOurs = accountReference === reference && status === 'ACTIVE' && isReference(reservationReference);
  if (!isOurs || !Array.isArray(accounts)) return UNREADABLE;
  const given: Given[] = accounts.map(fieldsOf);
  const own = banks.map((code) => given.find(({ bankCode }) => bankCode === code)).find((one) => one !== undefined);
  const { bankCode, bankName, accountNumber, accountName } = own ?? given[0] ?? {};
  if (!isText(bankName) || !isText(accountName) || !isText(accountNumber) || !/^\d{10}$/.test(accountNumber))
    return UNREADABLE;
  const bank = { code: isText(bankCode) ? bankCode : null, name: bankName };
  return { outcome: 'opened', providerReference: reservationReference, bank, accountNumber, accountName };
}

/**
 * Why there is no account, once Monnify says that it has none of the reference. A request that it calls wrong (400, or
 * R42: the customer has too many) stays wrong; whatever else it says may be of the moment.
 */
export function refusalOf({ status, code }: { readonly status: number; readonly code: string }): OpenResult {
  if (status !== 400 && code !== 'R42') return { outcome: 'unknown', code: 'refused_without_proof' };
  return {
    outcome: 'not_opened',
    code: code === 'R42' ? 'too_many_accounts' : 'account_not_opened',
    message: 'The provider opens no such account.',
    recovery: 'none',
  };
}

import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { DomainError, found } from '../../core/errors/domain-error';
import { Extensions, FREE } from '../../core/extension/extensions';
import type { PaymentDraft } from '../../core/extension/points';
import type { Caller, Key } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Likeness, RequestClaim } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/money';
import { type EventOrigin, eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Line, Posted, Posting } from '../ledger/posting';
import {
  finalTransaction,
  settledEvent,
  type TransactionRecord,
  transactionWrite,
} from '../transactions/transactions.service';
import { Transfer } from './transfer.entity';
import { creditedEvent, lowBalanceEvents } from './wallets.service';

class SameWallet extends DomainError {
  constructor(param: string) {
    super({
      code: 'same_wallet',
      kind: 'unprocessable',
      title: 'Same wallet',
      detail: 'The wallet that pays and the one that is paid are the same.',
      param,
    });
  }
}

export interface NewTransfer {
  /** Public wallet ids as the caller gave them. */
  readonly fromWallet: string;
  readonly toWallet: string;
  /** Public id of the beneficiary that named it. */
  readonly beneficiaryId?: string | null;
  /** Minor units. */
  readonly amount: bigint;
  /** Expected currency of both wallets. */
  readonly currency?: Currency;
  readonly reference: string | null;
  readonly narration: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate?: boolean;
}

export const aboutOf = ({ id }: TransferDraft, { accountId, livemode, requestId }: Caller) =>
  ({ operation: 'transfer', accountId, livemode, objectType: 'trf', objectId: id, requestId }) as const;

export const draftOf = (transfer: Transfer): PaymentDraft => ({
  amount: transfer.amount,
  currency: transfer.currency,
  walletId: transfer.fromWalletId,
  recipient: transfer.toWalletId,
  network: null,
  reference: transfer.reference,
  metadata: transfer.metadata,
  details: { to_account_id: transfer.toAccountId, narration: transfer.narration },
});

/** Whom a draft asks for the rows that are not its own. */
export interface RowSources {
  readonly extensions: Extensions;
  readonly likeness: Likeness | null;
}

/**
 * One transfer on its way into the ledger: its posting, and the rows that go with it. Throws `NotFound`, `SameWallet`.
 */
export class TransferDraft {
  readonly id: string;
  readonly debitId: string;
  readonly creditId: string;
  readonly from: string;
  readonly to: string;
  /** The field that names the wallet that is paid. */
  private readonly payeeParam: string;
  /** Found out here: a batch runs in the name of whoever began it. */
  private readonly causes: readonly string[];
  /** That of the gates, once they were asked. */
  pass = FREE;
  made?: Transfer;

  constructor(
    protected readonly caller: Caller,
    protected readonly order: NewTransfer,
    protected readonly request: RequestClaim,
    protected readonly sources: RowSources,
  ) {
    this.id = newIdOf(caller.accountId);
    this.debitId = newIdOf(caller.accountId);
    this.causes = sources.extensions.causes();
    this.payeeParam = order.beneficiaryId ? '/beneficiary_id' : '/to_wallet';
    this.from = found(decodeId('wal', order.fromWallet), 'wallet', '/from_wallet');
    this.to = found(decodeId('wal', order.toWallet), 'wallet', this.payeeParam);
    if (this.from === this.to) throw new SameWallet(this.payeeParam);
    // The wallet's account may be another one than the caller's.
    this.creditId = newIdOf(this.to);
  }

  readonly describe = (id: string) => ({
    id: encodeId('wal', id),
    param: id === this.from ? '/from_wallet' : this.payeeParam,
  });

  get claim(): Claim {
    const {
      caller: { accountId, livemode },
      sources: { likeness },
    } = this;
    return {
      accountId,
      livemode,
      ...this.request,
      reference: this.order.reference,
      resource: 'trf',
      resourceId: this.id,
      likeness,
    };
  }

  posting(): Posting {
    const { accountId, livemode } = this.caller;
    const { amount, currency } = this.order;
    const line = (ledgerAccountId: string, sum: bigint, transactionId: string): Line => ({
      ledgerAccountId,
      bucket: 'available',
      amount: sum,
      transactionId,
    });
    return {
      id: this.id,
      accountId,
      livemode,
      currency,
      among: 'wallet',
      lines: [line(this.from, -amount, this.debitId), line(this.to, amount, this.creditId)],
      claim: this.claim,
      writes: (posted) => this.writes(posted),
    };
  }

  /** The rows that go with its two lines. */
  writes(posted: Posted): Write[] {
    const credit = posted.account(this.to);
    const { origin } = this;
    const transfer = this.make(posted, credit.accountId, 'successful');
    const paid = this.paid(posted);
    const isOwn = credit.accountId === transfer.accountId;
    const { extensions } = this.sources;
    return [
      transferWrite(transfer),
      transactionWrite(paid),
      ...successWrites(transfer, origin, extensions, this.causes),
      settledEvent(paid, origin),
      ...this.pass.writes,
      // The account that receives did not call.
      ...arrivalWrites(transfer, posted, isOwn ? { sourceId: this.id, origin } : { sourceId: null, origin: NO_ORIGIN }),
      ...lowBalanceEvents(posted, origin),
    ];
  }

  protected get origin() {
    return { requestId: this.caller.requestId, idempotencyKey: this.request.key };
  }

  /** The transfer as it begins. */
  protected make(posted: Posted, toAccountId: string, status: 'processing' | 'successful'): Transfer {
    const { accountId, livemode } = this.caller;
    const { amount, reference, narration, metadata } = this.order;
    return (this.made = {
      accountId,
      livemode,
      id: this.id,
      fromWalletId: this.from,
      toWalletId: this.to,
      toAccountId,
      debitTransactionId: this.debitId,
      creditTransactionId: this.creditId,
      amount,
      fee: 0n,
      currency: posted.account(this.from).currency,
      reference,
      narration,
      metadata,
      status,
      failure: null,
    });
  }

  /** What the payer sees of it. */
  protected paid(posted: Posted): TransactionRecord {
    const { available, currency } = posted.account(this.from);
    const { accountId, livemode } = this.caller;
    const { amount, reference, narration, metadata, beneficiaryId } = this.order;
    const said = { ...(narration !== null && { narration }), ...(beneficiaryId && { beneficiary_id: beneficiaryId }) };
    return finalTransaction({
      accountId,
      livemode,
      id: this.debitId,
      walletId: this.from,
      type: 'transfer_out',
      direction: 'debit',
      amount,
      currency,
      sourceId: this.id,
      counterpartyId: this.to,
      reference,
      metadata,
      details: Object.keys(said).length === 0 ? null : said,
      balanceBefore: available + amount,
      balanceAfter: available,
      at: posted.at,
    });
  }
}

/** That a transfer took place, and what follows from it. */
export function successWrites(
  { accountId, livemode, id }: Key,
  origin: EventOrigin,
  extensions: Extensions,
  causes: readonly string[],
): Write[] {
  const about = { accountId, livemode, objectType: 'trf', objectId: id } as const;
  const event = eventWrite({ ...about, type: 'transfer.successful', origin });
  return [event, ...extensions.afterPayment(event, { operation: 'transfer', ...about }, causes)];
}

/** A transfer, to the account that receives it. */
type Arriving = Pick<
  Transfer,
  'livemode' | 'fromWalletId' | 'toWalletId' | 'creditTransactionId' | 'amount' | 'reference' | 'narration'
>;

/** What the account sees that is paid. `sourceId`: the transfer, where it is its own. */
export function arrivalWrites(
  { livemode, fromWalletId, toWalletId, creditTransactionId, amount, reference, narration }: Arriving,
  posted: Posted,
  { sourceId, origin }: { sourceId: string | null; origin: EventOrigin },
): Write[] {
  const wallet = posted.account(toWalletId);
  const received = finalTransaction({
    accountId: wallet.accountId,
    livemode,
    id: creditTransactionId,
    walletId: toWalletId,
    type: 'transfer_in',
    direction: 'credit',
    amount,
    currency: wallet.currency,
    sourceId,
    counterpartyId: fromWalletId,
    details: narration === null && reference === null ? null : { narration, sender_reference: reference },
    balanceBefore: wallet.available - amount,
    balanceAfter: wallet.available,
    at: posted.at,
  });
  const arrival = { transactionId: creditTransactionId, amount, sender: fromWalletId, reference };
  return [transactionWrite(received), settledEvent(received, origin), creditedEvent(wallet, arrival, origin)];
}

/** One that is final from the start, as nearly all are: they do not carry the columns of the others. */
const transferWrite = rows(Transfer).insert({ except: ['status', 'failure'] });

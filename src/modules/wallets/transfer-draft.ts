import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { DomainError, found } from '../../core/errors/domain-error';
import { Extensions, FREE } from '../../core/extension/extensions';
import type { PaymentDraft } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Likeness, RequestClaim } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/money';
import { eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Line, Posted, Posting } from '../ledger/posting';
import { finalTransaction, settledEvent, transactionWrite } from '../transactions/transactions.service';
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
    const [debit, credit] = [posted.account(this.from), posted.account(this.to)];
    const {
      caller: { accountId, livemode, requestId },
      order: { amount, reference, narration, metadata, beneficiaryId },
    } = this;
    const said = { ...(narration !== null && { narration }), ...(beneficiaryId && { beneficiary_id: beneficiaryId }) };
    const transfer: Transfer = (this.made = {
      accountId,
      livemode,
      id: this.id,
      fromWalletId: this.from,
      toWalletId: this.to,
      toAccountId: credit.accountId,
      debitTransactionId: this.debitId,
      creditTransactionId: this.creditId,
      amount,
      fee: 0n,
      currency: debit.currency,
      reference,
      narration,
      metadata,
      status: 'successful',
      failure: null,
    });
    const same = { livemode, amount, currency: debit.currency, at: posted.at } as const;
    const isOwn = credit.accountId === accountId;
    const origin = { requestId, idempotencyKey: this.request.key };
    const paid = finalTransaction({
      ...same,
      accountId,
      id: this.debitId,
      walletId: this.from,
      type: 'transfer_out',
      direction: 'debit',
      sourceId: this.id,
      counterpartyId: this.to,
      reference,
      metadata,
      details: Object.keys(said).length === 0 ? null : said,
      balanceBefore: debit.available + amount,
      balanceAfter: debit.available,
    });
    const received = finalTransaction({
      ...same,
      accountId: credit.accountId,
      id: this.creditId,
      walletId: this.to,
      type: 'transfer_in',
      direction: 'credit',
      sourceId: isOwn ? this.id : null,
      counterpartyId: this.from,
      details: narration === null && reference === null ? null : { narration, sender_reference: reference },
      balanceBefore: credit.available - amount,
      balanceAfter: credit.available,
    });
    const event = eventWrite({
      accountId,
      livemode,
      type: 'transfer.successful',
      objectType: 'trf',
      objectId: this.id,
      origin,
    });
    // The account that receives did not call.
    const itsOrigin = isOwn ? origin : NO_ORIGIN;
    return [
      transferWrite(transfer),
      transactionWrite(paid),
      transactionWrite(received),
      event,
      settledEvent(paid, origin),
      settledEvent(received, itsOrigin),
      ...this.told(event),
      ...this.pass.writes,
      creditedEvent(credit, { transactionId: this.creditId, amount, sender: this.from, reference }, itsOrigin),
      ...lowBalanceEvents(posted, origin),
    ];
  }

  private told(event: Write): Write[] {
    const { accountId, livemode } = this.caller;
    const payment = { operation: 'transfer', accountId, livemode, objectType: 'trf', objectId: this.id } as const;
    return this.sources.extensions.afterPayment(event, payment, this.causes);
  }
}

/** One that is final from the start, as nearly all are: they do not carry the columns of the others. */
const transferWrite = rows(Transfer).insert({ except: ['status', 'failure'] });

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { retryAway } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import { Extensions, FREE, type Pass } from '../../core/extension/extensions';
import type { PaymentDraft } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Likeness, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import { eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { AccountsService } from '../accounts/accounts.service';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import type { BeneficiaryDetails } from '../beneficiaries/beneficiary.entity';
import { LedgerService } from '../ledger/ledger.service';
import { type Line, type Posted, type Posting, PostingRefused, type Replayed } from '../ledger/posting';
import { finalTransaction, settledEvent, transactionWrite } from '../transactions/transactions.service';
import { Transfer } from './transfer.entity';
import { creditedEvent, lowBalanceEvents, WalletsService } from './wallets.service';

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

/** A transfer as it is asked for: to a wallet or, where that is null, to a beneficiary. */
export type WantedTransfer = Omit<NewTransfer, 'toWallet'> & { readonly toWallet: string | null };

/** A transfer that would take place, with the lines it would write. */
export interface TransferPreview {
  readonly transfer: Transfer;
  readonly posted: Posted;
}

@Injectable()
export class TransfersService implements OnModuleInit {
  private readonly lookUp: RowLookUp<Transfer>;

  constructor(
    private readonly ledger: LedgerService,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly beneficiaries: BeneficiariesService,
    @InjectRepository(Transfer) private readonly transfers: Repository<Transfer>,
  ) {
    this.lookUp = new RowLookUp(transfers);
  }

  onModuleInit(): void {
    this.beneficiaries.include({ kind: 'wallet', check: (caller, details) => this.checkPayee(caller, details) });
  }

  /**
   * Moves money between two wallets, final at once. Throws `NotFound`, `BeneficiaryKindMismatch`, `SameWallet`,
   * `PostingRefused` (`insufficient_funds`, `wallet_frozen`, …), `IdempotencyKeyReused`, `DuplicateReference`,
   * `IdempotencyKeyRequired`, `LikelyDuplicate`, `BlockedByHook`, `GateUnavailable`, `LedgerUnavailable`.
   */
  async transfer(caller: Caller, wanted: WantedTransfer, request: RequestClaim): Promise<Made<Transfer>> {
    const { beneficiaryId = null, reference } = wanted;
    if (beneficiaryId === null) return this.carryOut(caller, wanted as NewTransfer, request);
    const { accountId, livemode } = caller;
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'trf', resourceId: '' };
    // One that was carried out is answered whatever has become of its beneficiary.
    const made = await this.idempotency.answer(
      claim,
      async () => this.carryOut(caller, await this.withPayee(caller, wanted), request),
      (replay) => this.replayed(caller, replay),
    );
    return this.beneficiaries.noteUse(caller, beneficiaryId, made);
  }

  /** What `transfer` would do now; writes nothing. */
  async preview(caller: Caller, wanted: WantedTransfer, request: RequestClaim): Promise<TransferPreview> {
    const draft = this.draft(caller, await this.withPayee(caller, wanted), request, null);
    const posted = await this.ledger.preview(draft.posting(), draft.describe);
    await this.extensions.gate({ ...aboutOf(draft, caller), dryRun: true, draft: draftOf(draft.made!) });
    return { transfer: draft.made!, posted };
  }

  /** The order with the wallet of the beneficiary that it names. Throws `NotFound`, `BeneficiaryKindMismatch`. */
  async withPayee(caller: Caller, wanted: WantedTransfer): Promise<NewTransfer> {
    const payee = await this.beneficiaries.requirePayable(caller, wanted.beneficiaryId ?? null, 'wallet');
    return { ...wanted, toWallet: payee?.details.wallet_id ?? wanted.toWallet! };
  }

  /** The caller's transfer. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Transfer> {
    return found(id === null ? null : await this.lookUp.find({ accountId, livemode, id }), 'transfer');
  }

  /** Newest first, below `before`. */
  list({ accountId, livemode }: Viewer, before: string | null, take: number): Promise<Transfer[]> {
    return this.transfers.find({
      where: { accountId, livemode, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take,
    });
  }

  private async carryOut(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<Made<Transfer>> {
    const draft = this.draft(caller, order, request, await this.likenessOf(caller, order, request));
    const outcome = await (this.hasGates ? this.postThroughGates(draft, caller) : this.post(draft, caller));
    if (outcome.status === 'replayed') return this.replayed(caller, outcome);
    this.extensions.wake();
    return { made: draft.made!, replayedBy: null };
  }

  private async replayed(caller: Caller, { resourceId, by }: Replay): Promise<Made<Transfer>> {
    return { made: await retryAway(() => this.require(caller, resourceId)), replayedBy: by };
  }

  /** Of a beneficiary: no more is told of a wallet than by a transfer. Throws `NotFound`, `PostingRefused`. */
  private async checkPayee({ livemode }: Viewer, { wallet_id: walletId }: BeneficiaryDetails['wallet']) {
    const param = '/wallet/wallet_id';
    const id = decodeId('wal', walletId);
    const known = id === null ? null : await this.wallets.findAny(id);
    const wallet = found(known?.livemode === livemode ? known : null, 'wallet', param);
    if (wallet.status === 'closed')
      throw new PostingRefused({ reason: 'account_closed', ledgerAccountId: wallet.id }, () => ({
        id: walletId,
        param,
      }));
    return { details: { wallet_id: walletId }, number: walletId, verifiedName: null };
  }

  private draft(caller: Caller, order: NewTransfer, request: RequestClaim, likeness: Likeness | null): TransferDraft {
    return new TransferDraft(caller, order, request, { extensions: this.extensions, likeness });
  }

  private likenessOf(
    caller: Caller,
    { reference, allowDuplicate, fromWallet, toWallet, amount }: NewTransfer,
    { key }: RequestClaim,
  ): Promise<Likeness | null> {
    return this.accounts.likenessOf(caller, { key, reference, allowDuplicate }, () =>
      likenessValue('transfer', fromWallet, toWallet, amount),
    );
  }

  /**
   * Somebody wants to be asked before a transfer: only then is there more to find out than the ledger does by itself.
   */
  private get hasGates(): boolean {
    return !this.extensions.isEmpty('svc_before_payment', 'transfer');
  }

  /**
   * A request that was carried out before is not asked about again. A new one is looked at as the ledger would see it
   * now. Throws `BlockedByHook`, `GateUnavailable`.
   */
  private async postThroughGates(draft: TransferDraft, caller: Caller): Promise<Posted | Replayed> {
    const work = async (): Promise<Pass> => {
      await retryAway(() => this.ledger.preview(draft.posting(), draft.describe));
      return this.extensions.gate({ ...aboutOf(draft, caller), dryRun: false, draft: draftOf(draft.made!) });
    };
    const earlier = await this.idempotency.answer<Pass | Replay>(draft.claim, work, (replay) => replay);
    if ('resourceId' in earlier) return { status: 'replayed', ...earlier };
    draft.pass = earlier;
    return earlier.make(
      () => this.post(draft, caller),
      ({ status }) => status === 'posted',
    );
  }

  private async post(draft: TransferDraft, caller: Caller): Promise<Posted | Replayed> {
    try {
      return await this.ledger.require(draft.posting(), draft.describe);
    } catch (error) {
      this.extensions.onFault(error, {
        ...aboutOf(draft, caller),
        dryRun: false,
        draft: draft.made ? draftOf(draft.made) : null,
      });
      throw error;
    }
  }
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
interface RowSources {
  readonly extensions: Extensions;
  readonly likeness: Likeness | null;
}

/**
 * One transfer on its way into the ledger: its posting, and the rows that go with it. Throws `NotFound`, `SameWallet`.
 */
export class TransferDraft {
  readonly id: string;
  private readonly debitId: string;
  private readonly creditId: string;
  private readonly from: string;
  private readonly to: string;
  /** The field that names the wallet that is paid. */
  private readonly payeeParam: string;
  /** Found out here: a batch runs in the name of whoever began it. */
  private readonly causes: readonly string[];
  /** That of the gates, once they were asked. */
  pass = FREE;
  made?: Transfer;

  constructor(
    private readonly caller: Caller,
    private readonly order: NewTransfer,
    private readonly request: RequestClaim,
    private readonly sources: RowSources,
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

const transferWrite = rows(Transfer).insert();

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadPipeline, RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { retryAway } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { Extensions, type Pass } from '../../core/extension/extensions';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Claim, Likeness, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { AccountsService } from '../accounts/accounts.service';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import type { BeneficiaryDetails } from '../beneficiaries/beneficiary.entity';
import { LedgerService } from '../ledger/ledger.service';
import { type Posted, PostingRefused, type Replayed } from '../ledger/posting';
import { CellTransferDraft } from './cell-transfer-draft';
import { CellTransfersService } from './cell-transfers.service';
import { aboutOf, draftOf, type NewTransfer, TransferDraft } from './transfer-draft';
import { Transfer } from './transfer.entity';
import { WalletsService } from './wallets.service';

/** A transfer as it is asked for: to a wallet or, where that is null, to a beneficiary. */
export type WantedTransfer = Omit<NewTransfer, 'toWallet'> & { readonly toWallet: string | null };

/** A transfer that would take place, with the lines it would write. */
export interface TransferPreview {
  readonly transfer: Transfer;
  readonly posted: Posted;
}

@Injectable()
export class TransfersService implements OnModuleInit {
  private readonly transfers: RowLookUp<Transfer>;

  constructor(
    private readonly ledger: LedgerService,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly beneficiaries: BeneficiariesService,
    private readonly between: CellTransfersService,
    reads: ReadPipeline,
  ) {
    this.transfers = new RowLookUp(reads, rows(Transfer).lookUp());
  }

  onModuleInit(): void {
    this.beneficiaries.include({ kind: 'wallet', check: (caller, details) => this.checkPayee(caller, details) });
  }

  /**
   * Moves money between two wallets, final at once; to one of another cell within `waitMs`, or `processing` and later.
   * Throws `NotFound`, `BeneficiaryKindMismatch`, `SameWallet`,
   * `PostingRefused` (`insufficient_funds`, `wallet_frozen`, …), `IdempotencyKeyReused`, `DuplicateReference`,
   * `IdempotencyKeyRequired`, `LikelyDuplicate`, `BlockedByHook`, `GateUnavailable`, `LedgerUnavailable`.
   */
  async transfer(caller: Caller, wanted: WantedTransfer, request: RequestClaim, waitMs = 0): Promise<Made<Transfer>> {
    const { made, replayedBy } = await this.make(caller, wanted, request);
    return { made: await this.between.settle(made, waitMs), replayedBy };
  }

  private async make(caller: Caller, wanted: WantedTransfer, request: RequestClaim): Promise<Made<Transfer>> {
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
    const draft = await this.draft(caller, await this.withPayee(caller, wanted), request, null);
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
    return found(id === null ? null : await this.transfers.find({ accountId, livemode, id }), 'transfer');
  }

  /** Newest first, below `before`. */
  list(viewer: Viewer, before: string | null, take: number): Promise<Transfer[]> {
    return this.transfers.list(viewer, before, take);
  }

  private async carryOut(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<Made<Transfer>> {
    const draft = await this.draft(caller, order, request, await this.likenessOf(caller, order, request));
    const outcome = await (this.hasGates ? this.postThroughGates(draft, caller) : this.post(draft, caller));
    if (outcome.status === 'replayed') return this.replayed(caller, outcome);
    this.extensions.wake();
    if (draft instanceof CellTransferDraft) this.between.begin(draft.crossing!);
    return { made: draft.made!, replayedBy: null };
  }

  private async replayed(caller: Caller, { resourceId, by }: Replay): Promise<Made<Transfer>> {
    return { made: await retryAway(() => this.require(caller, resourceId)), replayedBy: by };
  }

  /** Of a beneficiary: no more is told of a wallet than by a transfer. Throws `NotFound`, `PostingRefused`. */
  private async checkPayee({ livemode }: Viewer, { wallet_id: walletId }: BeneficiaryDetails['wallet']) {
    const param = '/wallet/wallet_id';
    const id = decodeId('wal', walletId);
    const known =
      id === null || this.between.isHere(id)
        ? id && (await this.wallets.findAny(id))
        : await this.between.payee(livemode, id, param);
    const wallet = found(known && known.livemode === livemode ? known : null, 'wallet', param);
    if (wallet.status === 'closed')
      throw new PostingRefused({ reason: 'account_closed', ledgerAccountId: id! }, () => ({ id: walletId, param }));
    return { details: { wallet_id: walletId }, number: walletId, verifiedName: null };
  }

  private async draft(
    caller: Caller,
    order: NewTransfer,
    request: RequestClaim,
    likeness: Likeness | null,
  ): Promise<TransferDraft> {
    const { extensions, between } = this;
    const from: ConstructorParameters<typeof TransferDraft> = [caller, order, request, { extensions, likeness }];
    const draft = new TransferDraft(...from);
    if (between.isHere(draft.to)) return draft;
    const payee = await between.payee(caller.livemode, draft.to, draft.describe(draft.to).param);
    if (order.currency !== undefined && order.currency !== payee.currency)
      throw new PostingRefused({ reason: 'currency_mismatch', ledgerAccountId: draft.to }, draft.describe);
    return new CellTransferDraft(from, payee, await between.firstLook(caller));
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

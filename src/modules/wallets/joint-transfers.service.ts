import { Injectable } from '@nestjs/common';
import { Cells } from '../../core/cells/cells';
import type { Write } from '../../core/database/bulk';
import { constraintOf, retryAway } from '../../core/database/unit-of-work';
import { FieldRefused, refusalAt, refusedAt } from '../../core/errors/domain-error';
import { Extensions } from '../../core/extension/extensions';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Claim, Replay, RequestClaim } from '../../core/idempotency/claim';
import { CLAIMS_PKEY, claimWrites } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import { LedgerService } from '../ledger/ledger.service';
import { type Done, type Entry, type Making, type Posted, PostingRefused, type Refusal } from '../ledger/posting';
import type { Transfer } from './transfer.entity';
import { aboutOf, draftOf, type NewTransfer, TransferDraft } from './transfer-draft';
import { TransfersService, type WantedTransfer } from './transfers.service';
import { WalletsService } from './wallets.service';

/** One of several transfers. */
export interface JointOrder {
  readonly order: WantedTransfer;
  /** Its own, beside that of all of them. */
  readonly request: RequestClaim;
  /** By which refusals name it: `/items/3`. */
  readonly pointer: string;
}

/** Transfers of one currency of which all take place, or none. */
interface Joint {
  /** Uuid of what they belong to. */
  readonly id: string;
  readonly claim: Claim;
  readonly orders: readonly JointOrder[];
  /** Rows that are written with them: in the order of `orders`. Pure and quick. */
  readonly writes: (transfers: readonly Transfer[]) => readonly Write[];
}

/** Its lines in the posting are `LINES` from `LINES` times its place on. */
const LINES = 2;

/** Moves money between many wallets in one posting: all of it, or nothing. */
@Injectable()
export class JointTransfersService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
    private readonly wallets: WalletsService,
    private readonly transfers: TransfersService,
    private readonly beneficiaries: BeneficiariesService,
    private readonly cells: Cells,
  ) {}

  /**
   * The transfers, or a replay of what the claim is bound to. Throws what `TransfersService.transfer` throws, with the
   * pointer of the first order at fault before its field.
   */
  async transfer(caller: Caller, { id, claim, orders, writes }: Joint): Promise<readonly Transfer[] | Replay> {
    return this.idempotency.answer<readonly Transfer[] | Replay>(
      claim,
      async () => {
        const all = await this.prepare(caller, orders);
        const posting = all.posting(id, claim, writes);
        const outcome = await this.throughGates(caller, all, () => this.post(caller, all, posting));
        if (outcome.status === 'replayed') return outcome;
        this.extensions.wake();
        await this.noteUses(caller, orders);
        return outcome.made;
      },
      (replay) => replay,
    );
  }

  /** What `transfer` would do now; writes nothing. */
  async preview(caller: Caller, id: string, orders: readonly JointOrder[]): Promise<readonly Transfer[]> {
    const all = await this.prepare(caller, orders);
    const { made } = await all.named(() => this.ledger.preview(all.posting(id, null), all.describe));
    for (const [i, draft] of all.drafts.entries())
      await at(orders[i]!, () =>
        this.extensions.gate({ ...aboutOf(draft, caller), dryRun: true, draft: draftOf(made[i]!) }),
      );
    return made;
  }

  /** Each by itself: whose wallets, which currency, whether its reference is new. */
  private async prepare(caller: Caller, orders: readonly JointOrder[]): Promise<JointDraft> {
    const payers = new Map<string, Promise<Currency>>();
    const payer = (wallet: string): Promise<Currency> => {
      const known = payers.get(wallet);
      if (known !== undefined) return known;
      const read = this.wallets.require(caller, decodeId('wal', wallet), '/from_wallet').then((of) => of.currency);
      read.catch(() => undefined);
      payers.set(wallet, read);
      return read;
    };
    const drafts: TransferDraft[] = [];
    let currency: Currency | undefined;
    for (const each of orders) {
      const { request } = each;
      const draft = await at(each, async () => {
        const order = await this.transfers.withPayee(caller, each.order);
        const made = new TransferDraft(caller, order, request, { extensions: this.extensions, likeness: null });
        if (!this.cells.isHere(made.to))
          throw new FieldRefused(
            made.describe(made.to).param,
            `${order.toWallet} is kept in another cell, where all of a batch cannot take place at once: send it alone.`,
          );
        const own = await payer(order.fromWallet);
        currency ??= own;
        if (own !== currency || (order.currency ?? own) !== own) throw mismatch(made, order);
        return made;
      });
      drafts.push(draft);
    }
    await this.requireNew(drafts, orders);
    return new JointDraft(caller, orders, drafts, currency);
  }

  private async noteUses(caller: Caller, orders: readonly JointOrder[]): Promise<void> {
    for (const id of new Set(orders.map(({ order: { beneficiaryId = null } }) => beneficiaryId)))
      await this.beneficiaries.noteUse(caller, id, { made: null, replayedBy: null });
  }

  /** Throws `DuplicateReference` of the first whose reference was used before. */
  private async requireNew(drafts: readonly TransferDraft[], orders: readonly JointOrder[]): Promise<void> {
    const looks = drafts.map(({ claim }) => this.idempotency.replayOf(claim));
    for (const look of looks) look.catch(() => undefined);
    for (const [i, look] of looks.entries()) await at(orders[i]!, () => look);
  }

  /** What the books would refuse no gate is asked about; a gate that refuses one refuses all. */
  private async throughGates(
    caller: Caller,
    { drafts, orders, posting, describe, named }: JointDraft,
    post: () => Promise<Outcome>,
  ): Promise<Outcome> {
    if (this.extensions.isEmpty('svc_before_payment', 'transfer')) return post();
    const { made } = await named(() => retryAway(() => this.ledger.preview(posting(drafts[0]!.id, null), describe)));
    const ask = async (i: number): Promise<Outcome> => {
      const draft = drafts[i];
      if (draft === undefined) return post();
      const context = { ...aboutOf(draft, caller), dryRun: false, draft: draftOf(made[i]!) };
      draft.pass = await at(orders[i]!, () => this.extensions.gate(context));
      return draft.pass.make(
        () => ask(i + 1),
        ({ status }) => status === 'posted',
      );
    };
    return ask(0);
  }

  private async post(caller: Caller, all: JointDraft, posting: Making<readonly Transfer[]>): Promise<Outcome> {
    try {
      return await all.named(() => this.ledger.require(posting, all.describe));
    } catch (error) {
      // Somebody used one of the references since they were looked at.
      if (constraintOf(error)?.startsWith(CLAIMS_PKEY)) await this.requireNew(all.drafts, all.orders);
      for (const draft of all.drafts)
        this.extensions.onFault(error, { ...aboutOf(draft, caller), dryRun: false, draft: null });
      throw error;
    }
  }
}

type Outcome = Done<readonly Transfer[]> | (Replay & { readonly status: 'replayed' });

/** Several transfers on their way into the ledger, as one posting. */
class JointDraft {
  constructor(
    private readonly caller: Caller,
    readonly orders: readonly JointOrder[],
    readonly drafts: readonly TransferDraft[],
    private readonly currency: Currency | undefined,
  ) {}

  readonly describe = (id: string) => this.drafts[0]!.describe(id);

  readonly posting = (
    id: string,
    claim: Claim | null,
    writes: Joint['writes'] = () => [],
  ): Making<readonly Transfer[]> => {
    const { accountId, livemode } = this.caller;
    const lines = this.drafts.flatMap((draft) =>
      draft.posting().lines.map((line) => ({ ...line, postingId: draft.id })),
    );
    return {
      id,
      accountId,
      livemode,
      currency: this.currency,
      among: 'wallet',
      lines,
      claim,
      writes: (posted) => {
        const own = this.drafts.flatMap((draft, i) => [
          ...draft.writes(after(posted, posted.entries.slice(LINES * i, LINES * (i + 1)))),
          ...claimWrites(draft.claim),
        ]);
        const made = this.drafts.map((draft) => draft.made!);
        return { rows: [...own, ...writes(made)], made };
      },
    };
  };

  /** What the books refuse is said of the first order at fault. */
  readonly named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PostingRefused)) throw error;
      const i = this.firstAtFault(error.refusal);
      throw refusalAt(this.orders[i]!.pointer, new PostingRefused(error.refusal, this.drafts[i]!.describe));
    }
  };

  /** As the ledger decides, in the order of the lines. Every payer is known to be the caller's. */
  private firstAtFault(refusal: Refusal): number {
    if (!('ledgerAccountId' in refusal)) return 0;
    let net = 0n;
    const line = this.drafts
      .flatMap((draft) => draft.posting().lines)
      .findIndex(({ ledgerAccountId, amount }) => {
        if (ledgerAccountId !== refusal.ledgerAccountId) return false;
        net += amount;
        if (refusal.reason === 'insufficient_funds') return amount < 0n && -net === refusal.needed;
        if (refusal.reason === 'account_frozen') return amount < 0n;
        if (refusal.reason === 'balance_limit') return amount > 0n;
        return true;
      });
    return Math.max(0, Math.floor(line / LINES));
  }
}

/** The books as they stood after the lines of one of the transfers. */
function after(posted: Posted, entries: readonly Entry[]): Posted {
  const states = new Map(
    entries.map(({ ledgerAccountId, seq, availableAfter, heldAfter, createdAt }) => {
      const state = { seq, available: availableAfter, held: heldAfter, updatedAt: createdAt };
      return [ledgerAccountId, { ...posted.account(ledgerAccountId), ...state }];
    }),
  );
  return { ...posted, entries, account: (id) => states.get(id)! };
}

const mismatch = (draft: TransferDraft, { fromWallet }: NewTransfer): PostingRefused =>
  new PostingRefused({ reason: 'currency_mismatch', ledgerAccountId: decodeId('wal', fromWallet)! }, draft.describe);

/** A refusal of one order names it. */
const at = <T>({ pointer }: JointOrder, work: () => Promise<T>): Promise<T> => refusedAt(pointer, work);

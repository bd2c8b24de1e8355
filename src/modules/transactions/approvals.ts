import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Caller, Key } from '../../core/http/caller';
import { decodeId, encodeId } from '../../core/http/ids';
import type { Claim, Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import type { TransactionType } from '../../vocabulary/products';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { Approval } from './approval.entity';
import { type Happening, TimelineService, type TimelineSource } from './timeline.service';
import { type TransactionRecord, TransactionsService } from './transactions.service';

export type ApprovalDecision = NonNullable<Approval['decision']>;

/** What a second person said. */
export interface Verdict {
  readonly decision: ApprovalDecision;
  /** User uuid. */
  readonly decidedBy: string;
  /** Written with the decision. */
  readonly writes: readonly Write[];
}

/** What a module does with a transaction of its own that waits. */
interface Waiting {
  /** Lets it go, or gives its money back, and writes the rows with that. */
  decide(viewer: Viewer, id: string, decision: ApprovalDecision, rows: readonly Write[]): Promise<TransactionRecord>;
  /** Gives its money back to its account, which asks for that, and writes the rows with that. */
  cancel(caller: Caller, id: string, rows: readonly Write[]): Promise<TransactionRecord>;
}

const DAY_MS = 24 * 3_600_000;

const insertApproval = rows(Approval).insert();
const approvalChange = rows(Approval).update({
  name: 'decide_approvals',
  change: ['decision', 'decidedBy', 'decidedAt'],
  where: 't.decision IS NULL',
});

/** A transaction of this id waits for a second person: to be written with its hold. */
export const approvalWrite = ({ accountId, livemode, person }: Caller, id: string): Write =>
  insertApproval({
    accountId,
    livemode,
    id,
    madeBy: person?.userId ?? null,
    decision: null,
    decidedBy: null,
    decidedAt: null,
  });

/** Until when a second person may decide, by the account's clock. */
export const approveBy = (now: Date): Date => new Date(now.getTime() + DAY_MS);

/** What waits, with its money held, until a second person lets it go: payouts and refunds. */
@Injectable()
export class Approvals implements TimelineSource, OnModuleInit {
  private readonly waiting = new Map<TransactionType, Waiting>();

  constructor(
    @InjectRepository(Approval) private readonly approvals: Repository<Approval>,
    private readonly transactions: TransactionsService,
    private readonly timelines: TimelineService,
    private readonly idempotency: Idempotency,
    private readonly ledgerAccounts: LedgerAccountsService,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  /** Called once by each module whose transactions may wait. */
  include(type: TransactionType, waiting: Waiting): void {
    this.waiting.set(type, waiting);
  }

  /**
   * A second person lets a transaction go, or does not; whoever asked for it may only decline it, and so may all while
   * its wallet does not pay. Throws `NotFound`, `SecondPersonNeeded`, `PostingRefused`, and what says that nobody is
   * waited for.
   */
  async decide(viewer: Viewer, publicId: string, { decision, decidedBy, writes }: Verdict): Promise<TransactionRecord> {
    const { accountId, livemode } = viewer;
    const id = decodeId('txn', publicId);
    const approval = found(id === null ? null : await this.find({ accountId, livemode, id }), 'approval');
    if (decision === 'approved' && approval.madeBy === decidedBy) throw new SecondPersonNeeded(publicId);
    const { type, walletId } = await this.transactions.require(viewer, publicId);
    if (decision === 'approved')
      await this.ledgerAccounts.requirePaying({ accountId, id: walletId }, (wallet) => ({
        id: encodeId('wal', wallet),
        param: null,
      }));
    const decided = approvalChange({ ...approval, decision, decidedBy, decidedAt: new Date() });
    return this.waiting.get(type)!.decide(viewer, publicId, decision, [decided, ...writes]);
  }

  /**
   * `otherwise` cancels what is of a type that waits for no second person. Throws `NotFound`, `InsufficientScope`,
   * `IdempotencyKeyReused`, and what says that nobody is waited for.
   */
  async cancel(
    caller: Caller,
    idOrReference: string,
    request: RequestClaim,
    otherwise: Waiting,
  ): Promise<Made<TransactionRecord>> {
    const { accountId, livemode } = caller;
    const { id: resourceId, type } = await this.transactions.requireChangeable(caller, idOrReference);
    const id = encodeId('txn', resourceId);
    const claim: Claim = { accountId, livemode, ...request, reference: null, resource: 'txn', resourceId };
    const waiting = this.waiting.get(type) ?? otherwise;
    return this.idempotency.change(
      claim,
      (rows) => waiting.cancel(caller, id, rows),
      () => this.transactions.require(caller, id),
    );
  }

  async of({ accountId, livemode, id }: Key): Promise<Happening[]> {
    const approval = await this.find({ accountId, livemode, id });
    if (!approval?.decidedAt) return [];
    return [{ at: approval.decidedAt, kind: 'review.decision', data: { outcome: approval.decision } }];
  }

  private find({ accountId, livemode, id }: Key): Promise<Approval | null> {
    return this.approvals.findOneBy({ accountId, livemode, id });
  }
}

/** Who asked for it is not the second person. */
class SecondPersonNeeded extends DomainError {
  constructor(resourceId: string) {
    super({
      code: 'second_person_needed',
      kind: 'forbidden',
      title: 'Second person needed',
      detail: 'You asked for this: somebody else of the team must approve it.',
      resourceId,
    });
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { found } from '../../../core/errors/domain-error';
import { decodeId, encodeId, lowestIdAt } from '../../../core/http/ids';
import type { Viewer } from '../../../core/resources/resources';
import type { TransactionType } from '../../../vocabulary/products';
import { TransactionDto } from '../../transactions/transaction.dto';
import { TransactionsService } from '../../transactions/transactions.service';
import type { NeededApprovalDto, NeededApprovalsDto, PersonNameDto } from './approvals.dto';

interface ApprovalRow {
  readonly id: string;
  readonly made_by: string | null;
  readonly maker: PersonNameDto | null;
  readonly decider: PersonNameDto | null;
  readonly decided_at: Date | null;
}

const NAMED = `(SELECT jsonb_build_object('name', u.name, 'email', u.email) FROM users u WHERE u.id = `;
const SELECT = `
  SELECT a.id, a.made_by, a.decided_at, ${NAMED} a.made_by) AS maker, ${NAMED} a.decided_by) AS decider
    FROM approvals a`;
/** Account, mode, the lowest id, number of rows. */
const SELECT_WAITING = `${SELECT}
    JOIN transactions t USING (account_id, livemode, id)
   WHERE a.account_id = $1 AND a.livemode = $2 AND a.id >= $3 AND a.decision IS NULL AND t.status = 'pending'
   ORDER BY a.id LIMIT $4`;
const SELECT_ONE = `${SELECT} WHERE a.account_id = $1 AND a.livemode = $2 AND a.id = $3`;
/** The entry of a decision is written with it, so its id is of that moment: account, bounds of ids, public id. */
const SELECT_REASON = `
  SELECT detail->>'reason' AS reason FROM audit_log
   WHERE account_id = $1 AND id BETWEEN $2 AND $3 AND target = $4 AND action = ANY ($5) ORDER BY id DESC LIMIT 1`;

const WAITING_MAX = 100;
/** A day at most, by a clock that is never behind. */
const WAITS_MS = 2 * 24 * 3_600_000;
const SLACK_MS = 60_000;

/** How entries of decisions begin. */
const KINDS: Partial<Record<TransactionType, string>> = { payout: 'payout', payment_refund: 'refund' };
const ACTIONS = Object.values(KINDS).flatMap((kind) => [`${kind}.approved`, `${kind}.declined`]);

/** Payouts and refunds that wait, or waited, for a second person, with who they are. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: TransactionsService,
  ) {}

  /** Those that wait, the longest first. */
  async waiting(viewer: Viewer, userId: string): Promise<NeededApprovalsDto> {
    const since = lowestIdAt(new Date(Date.now() - WAITS_MS));
    const mode = [viewer.accountId, viewer.livemode];
    const rows: ApprovalRow[] = await this.dataSource.query(SELECT_WAITING, [...mode, since, WAITING_MAX + 1]);
    const shown = rows.slice(0, WAITING_MAX);
    const data = await Promise.all(shown.map((row) => this.show(viewer, row, userId)));
    return { data, has_more: rows.length > WAITING_MAX };
  }

  /** Throws `NotFound` for one that needs nobody. */
  async require(viewer: Viewer, publicId: string, userId: string): Promise<NeededApprovalDto> {
    const id = decodeId('txn', publicId);
    const mode = [viewer.accountId, viewer.livemode];
    const rows: ApprovalRow[] = id === null ? [] : await this.dataSource.query(SELECT_ONE, [...mode, id]);
    return this.show(viewer, found(rows[0] ?? null, 'approval'), userId);
  }

  /** What waits, as the audit log calls it. Throws `NotFound`. */
  async kindOf(viewer: Viewer, publicId: string): Promise<string> {
    const { type } = await this.transactions.require(viewer, publicId);
    return found(KINDS[type] ?? null, 'approval');
  }

  private async show(viewer: Viewer, row: ApprovalRow, userId: string): Promise<NeededApprovalDto> {
    const [transaction, reason] = await Promise.all([
      this.transactions.require(viewer, encodeId('txn', row.id)),
      this.reasonOf(viewer, row),
    ]);
    return {
      transaction: TransactionDto.of(transaction),
      made_by: row.maker,
      is_mine: row.made_by === userId,
      decided_by: row.decider,
      decided_at: row.decided_at,
      reason,
    };
  }

  private async reasonOf({ accountId }: Viewer, { id, decided_at: at }: ApprovalRow): Promise<string | null> {
    if (at === null) return null;
    const bounds = [-SLACK_MS, SLACK_MS].map((slack) => lowestIdAt(new Date(at.getTime() + slack)));
    const rows = await this.dataSource.query(SELECT_REASON, [accountId, ...bounds, encodeId('txn', id), ACTIONS]);
    return rows[0]?.reason ?? null;
  }
}

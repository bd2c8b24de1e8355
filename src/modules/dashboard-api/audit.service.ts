import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { constraintOf, type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt, newId, newIdOf } from '../../core/http/ids';
import { OtherCells } from './people/other-cells.service';

/** Something that a person did. */
export interface AuditEntry {
  readonly accountId: string;
  /** Null when it is not sure who it was. */
  readonly userId: string | null;
  /** The e-mail address, as it was then. */
  readonly actor: string;
  /** `<thing>.<done>`, or the method and route of a request to the public API. */
  readonly action: string;
  /** Public id of what it was done to. */
  readonly target?: string | null;
  readonly ip: string | null;
  readonly detail?: object;
}

export interface AuditRecord extends Required<AuditEntry> {
  readonly id: string;
}

const insertEntry = bulkInsert('audit_log', {
  account_id: 'uuid',
  id: 'uuid',
  user_id: 'uuid?',
  actor: 'text',
  action: 'text',
  target: 'text?',
  ip: 'text?',
  detail: 'jsonb',
});

/** An entry that is written in the transaction of what was done. */
export const auditWrite = (
  { accountId, userId, actor, action, target = null, ip, detail = {} }: AuditEntry,
  id = newIdOf(accountId),
): Write => insertEntry.row({ account_id: accountId, id, user_id: userId, actor, action, target, ip, detail });

/** Of one id an entry in each account, in its slot. */
const INSERT_OF_PERSON = `
  INSERT INTO audit_log (account_id, id, user_id, actor, action, ip, detail)
  SELECT account_id, overlay($1::text PLACING right(account_id::text, 3) FROM 34)::uuid, $2, email, $3, $4, '{}'
    FROM team_members WHERE user_id = $2 AND removed_at IS NULL
  ON CONFLICT DO NOTHING`;
const SELECT = `
  SELECT account_id AS "accountId", id, user_id AS "userId", actor, action, target, ip, detail FROM audit_log
   WHERE account_id = $1 AND id < $2 AND id >= $4 AND ($5::text IS NULL OR strpos(lower(actor), $5) > 0)
     AND ($6::text IS NULL OR strpos(translate(lower(action), '._', '  '), translate($6, '._', '  ')) > 0)
     AND ($7::text IS NULL OR strpos(ip, $7) > 0) AND ($8::text IS NULL OR target = $8)
   ORDER BY id DESC LIMIT $3`;

const READ_AT_ONCE = 500;

/** Which entries are asked for; parts of who, what and where from. */
export interface AuditFilter {
  readonly actor?: string | null;
  readonly action?: string | null;
  readonly ip?: string | null;
  readonly target?: string | null;
  readonly from?: Date;
  /** Before then. */
  readonly until?: Date;
}

interface AuditPart {
  readonly before: string | null;
  readonly take: number;
}

const SELECT_ABOUT = `
  SELECT account_id AS "accountId", id, user_id AS "userId", actor, action, target, ip, detail FROM audit_log
   WHERE account_id = $1 AND id >= $2 AND target = ANY ($3::text[]) AND action = ANY ($4::text[])
   ORDER BY id LIMIT 50`;

/** Who did what. Only ever added to. */
@Injectable()
export class AuditService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly others: OtherCells,
  ) {}

  /** In the cell that keeps the account. */
  async record(entry: AuditEntry): Promise<void> {
    const id = newIdOf(entry.accountId);
    if (this.others.isHere(entry.accountId)) await this.recordHere({ ...entry, id });
    else await this.others.ask(entry.accountId, 'record', { ...entry, id });
  }

  async recordHere({ id, ...entry }: AuditEntry & { readonly id: string }): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [auditWrite(entry, id)]));
    } catch (error) {
      // Another cell asks once more when it did not hear the answer.
      if (!constraintOf(error)?.startsWith('audit_log')) throw error;
    }
  }

  /**
   * In one transaction what is done and its entry; where another cell keeps the account, there, after it. A person is
   * not an account's. Null: nothing came of it.
   */
  async along(work: (tx: Tx) => Promise<AuditEntry | null>): Promise<void> {
    const entry = await this.unitOfWork.run(async (tx) => {
      const made = await work(tx);
      if (made !== null && this.others.isHere(made.accountId)) await this.unitOfWork.write(tx, [auditWrite(made)]);
      return made;
    });
    if (entry !== null && !this.others.isHere(entry.accountId)) await this.record(entry);
  }

  /** Likewise, where whoever does it asks on the way for what is written with it. */
  async with<T>(work: (writesOf: (entry: AuditEntry) => readonly Write[]) => Promise<T>): Promise<T> {
    let elsewhere = null as AuditEntry | null;
    const result = await work((entry) => {
      if (this.others.isHere(entry.accountId)) return [auditWrite(entry)];
      elsewhere = entry;
      return [];
    });
    if (elsewhere !== null) await this.record(elsewhere);
    return result;
  }

  /** As `record`, in every account that a person is of; nothing for somebody in no team. */
  async recordOf(userId: string, action: string, ip: string): Promise<void> {
    const entry = { id: newId(), userId, action, ip };
    await this.recordOfHere(entry);
    if (this.others.areThere) await this.others.askAll('record-of-person', entry);
  }

  async recordOfHere(entry: {
    readonly id: string;
    readonly userId: string;
    readonly action: string;
    readonly ip: string;
  }): Promise<void> {
    await this.dataSource.query(INSERT_OF_PERSON, [entry.id, entry.userId, entry.action, entry.ip]);
  }

  /** What people did to some things by these actions since a moment, oldest first; at most 50. */
  about(
    accountId: string,
    targets: readonly string[],
    actions: readonly string[],
    since: Date,
  ): Promise<AuditRecord[]> {
    return this.dataSource.query(SELECT_ABOUT, [accountId, lowestIdAt(since), targets, actions]);
  }

  /** Newest first, below the uuid `before`. */
  list(accountId: string, filter: AuditFilter, { before, take }: AuditPart): Promise<AuditRecord[]> {
    const { actor, action, ip, target, from, until } = filter;
    // Ids tell their time: a month that is not asked for is not read.
    const end = until && lowestIdAt(until);
    const below = [before ?? HIGHEST_ID, end ?? HIGHEST_ID].sort()[0];
    const since = from ? lowestIdAt(from) : LOWEST_ID;
    const words = [actor, action, ip].map((word) => word?.trim().toLowerCase() || null);
    return this.dataSource.query(SELECT, [accountId, below, take, since, ...words, target?.trim() || null]);
  }

  /** All that a filter lets through, read part by part. */
  async *all(accountId: string, filter: AuditFilter): AsyncGenerator<AuditRecord> {
    let before: string | null = null;
    for (;;) {
      const rows: AuditRecord[] = await this.list(accountId, filter, { before, take: READ_AT_ONCE });
      yield* rows;
      if (rows.length < READ_AT_ONCE) return;
      before = rows.at(-1)!.id;
    }
  }
}

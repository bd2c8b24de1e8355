import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HIGHEST_ID, newId } from '../../core/http/ids';

/** Something that a person did. */
export interface Deed {
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

export interface AuditRecord extends Required<Deed> {
  readonly id: string;
}

const INSERT = 'INSERT INTO audit_log (account_id, id, user_id, actor, action, target, ip, detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)';
const INSERT_OF_PERSON = `
  INSERT INTO audit_log (account_id, id, user_id, actor, action, ip, detail)
  SELECT account_id, $1, $2, email, $3, $4, '{}' FROM team_members WHERE user_id = $2 AND removed_at IS NULL ORDER BY id LIMIT 1`;
const SELECT = `
  SELECT account_id AS "accountId", id, user_id AS "userId", actor, action, target, ip, detail FROM audit_log
   WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`;

/** Who did what. Only ever added to. */
@Injectable()
export class AuditService {
  constructor(private readonly dataSource: DataSource) {}

  async record({ accountId, userId, actor, action, target = null, ip, detail = {} }: Deed): Promise<void> {
    await this.dataSource.query(INSERT, [accountId, newId(), userId, actor, action, target, ip, JSON.stringify(detail)]);
  }

  /** Likewise, in the account that a person is of; nothing for somebody in no team. */
  async recordOf(userId: string, action: string, ip: string): Promise<void> {
    await this.dataSource.query(INSERT_OF_PERSON, [newId(), userId, action, ip]);
  }

  /** Newest first, below the uuid `before`. */
  list(accountId: string, before: string | null, take: number): Promise<AuditRecord[]> {
    return this.dataSource.query(SELECT, [accountId, before ?? HIGHEST_ID, take]);
  }
}

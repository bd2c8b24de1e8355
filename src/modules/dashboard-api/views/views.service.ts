import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { constraintOf, type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { DomainError, found } from '../../../core/errors/domain-error';
import { newIdOf } from '../../../core/http/ids';
import type { SignedIn } from '../people/sessions.service';
import { LimitExceeded } from '../../../core/database/quota';

/** What is remembered of a list, as its address says it. */
export interface ViewContent {
  readonly page: string;
  readonly name: string;
  readonly search: string;
  /** Everybody of the account sees it. */
  readonly shared: boolean;
}

export interface SavedView extends ViewContent {
  readonly id: string;
  /** Whose it is. */
  readonly isMine: boolean;
  readonly by: string;
}

type Person = Pick<SignedIn, 'accountId' | 'userId'>;

class ViewNameTaken extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Name taken',
      detail: 'You have a view of this name already.',
      param: '/name',
    });
  }
}

const VIEWS_MAX = 50;

const SELECT = `
  SELECT v.id, v.page, v.name, v.search, v.shared, v.user_id = $2 AS "isMine", u.name AS by
    FROM saved_views v JOIN users u ON u.id = v.user_id
   WHERE v.account_id = $1 AND (v.user_id = $2 OR v.shared)`;
const SAVE = `
  INSERT INTO saved_views (account_id, user_id, id, page, name, search, shared) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT ON CONSTRAINT saved_views_by_name
  DO UPDATE SET search = excluded.search, shared = excluded.shared, updated_at = excluded.updated_at
  RETURNING id`;
const CHANGE = `
  UPDATE saved_views SET name = coalesce($4, name), shared = coalesce($5, shared), updated_at = now()
   WHERE account_id = $1 AND user_id = $2 AND id = $3 RETURNING id`;
const REMOVE = 'DELETE FROM saved_views WHERE account_id = $1 AND user_id = $2 AND id = $3 RETURNING id';

/** Filters that people gave a name. Each belongs to one person of an account, who alone changes it. */
@Injectable()
export class ViewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** One's own and those that others share, by name. */
  list({ accountId, userId }: Person, page: string): Promise<SavedView[]> {
    return this.dataSource.query(`${SELECT} AND v.page = $3 ORDER BY lower(v.name), v.id`, [accountId, userId, page]);
  }

  /** One of the same name is replaced. Throws `LimitExceeded`. */
  save(me: Person, { page, name, search, shared }: ViewContent): Promise<SavedView> {
    const { accountId, userId } = me;
    return this.unitOfWork.run(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`saved_views:${accountId}:${userId}`]);
      const rows: { id: string }[] = await tx.query(SAVE, [
        accountId,
        userId,
        newIdOf(accountId),
        page,
        name,
        search,
        shared,
      ]);
      const [{ count }]: [{ count: number }] = await tx.query(
        'SELECT count(*)::integer AS count FROM saved_views WHERE account_id = $1 AND user_id = $2',
        [accountId, userId],
      );
      if (count > VIEWS_MAX) throw new LimitExceeded(`A person keeps at most ${VIEWS_MAX} views.`);
      return this.require(tx, me, rows[0]!.id);
    });
  }

  /** Throws `NotFound`, `ViewNameTaken`. */
  async change(me: Person, id: string, { name, shared }: Partial<ViewContent>): Promise<SavedView> {
    const values = [me.accountId, me.userId, uuidOf(id), name ?? null, shared ?? null];
    try {
      return await this.unitOfWork.run(async (tx) => {
        const [rows]: [{ id: string }[]] = await tx.query(CHANGE, values);
        found(rows[0], 'view');
        return this.require(tx, me, id);
      });
    } catch (error) {
      if (constraintOf(error) === 'saved_views_by_name') throw new ViewNameTaken();
      throw error;
    }
  }

  /** Throws `NotFound`. */
  async remove({ accountId, userId }: Person, id: string): Promise<void> {
    const [rows]: [{ id: string }[]] = await this.dataSource.query(REMOVE, [accountId, userId, uuidOf(id)]);
    found(rows[0], 'view');
  }

  private async require(tx: Tx, { accountId, userId }: Person, id: string): Promise<SavedView> {
    const [view]: SavedView[] = await tx.query(`${SELECT} AND v.id = $3`, [accountId, userId, id]);
    return view!;
  }
}

const NOBODYS = '00000000-0000-0000-0000-000000000000';

/** What is no id is answered like an unknown one. */
const uuidOf = (text: string): string => (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : NOBODYS);

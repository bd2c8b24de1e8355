import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { isStatementTimeout, UnitOfWork } from '../../../core/database/unit-of-work';
import { encodeId, timeOf } from '../../../core/http/ids';
import { toJsonNumber } from '../../../core/money/money';
import { Resources } from '../../../core/resources/resources';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import type { SignedIn } from '../people/sessions.service';
import { POWERS, scopesOf } from '../roles';
import { type Kind, KINDS } from './kinds';
import type { HitDto, HitsDto, Mode, SearchAnswerDto } from './search.dto';
import { exactStatement, likeStatement } from './statements';
import { type Sought, soughtOf } from './sought';

type Seeker = Pick<SignedIn, 'accountId' | 'role'>;

interface Row {
  readonly prefix: IdPrefix;
  /** Null: a mark that there are older ones. */
  readonly id: string | null;
  readonly page_prefix: IdPrefix | null;
  readonly page_id: string | null;
  readonly title: string;
  readonly subtitle: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly status: string | null;
}

/** Of each kind one more than is shown: whether there are others. */
interface Wanted {
  readonly kinds: readonly Kind[];
  readonly sought: Sought;
  readonly most: number;
}

type Found = Row & { readonly id: string };

const isFound = (row: Row): row is Found => row.id !== null;

/** Who types does not wait for longer: then there is what the indexes know. */
const LIKE_TIMEOUT_MS = 1_500;

/** Of each kind, and where one kind alone is looked for. */
const SHOWN = 5;
const SHOWN_ALONE = 20;

const OTHER = { test: 'live', live: 'test' } as const satisfies Record<Mode, Mode>;

/** Finds things of an account by whatever people have in hand, as far as their role may read them. */
@Injectable()
export class SearchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
    private readonly resources: Resources,
    private readonly clock: Clock,
  ) {}

  /**
   * By an id, a reference, a number, an amount, a name, or a part of one; grouped by kind, newest first. More of one
   * kind alone.
   */
  async find(seeker: Seeker, mode: Mode, text: string, type: string | null = null): Promise<SearchAnswerDto> {
    const sought = soughtOf(text);
    const kinds = this.kindsFor(seeker, mode, sought).filter((kind) => type === null || kind.type === type);
    const most = type === null ? SHOWN : SHOWN_ALONE;
    // PostgreSQL refuses to look for text that it cannot hold.
    if (kinds.length === 0 || text.includes('\0')) return { data: [], looked_through: [], complete: true };
    const [exact, like] = await Promise.all([
      this.exact(seeker, mode, { kinds, sought, most }),
      sought.isWholeId ? [] : this.like(seeker, mode, { kinds, sought, most }),
    ]);
    const rows = [...exact, ...(like ?? [])];
    return {
      data: await this.grouped(seeker, mode, rows.filter(isFound), most),
      looked_through: kinds
        .filter(({ prefix }) => rows.some((row) => row.prefix === prefix && !isFound(row)))
        .map(({ type, newest }) => ({ type, newest })),
      complete: like !== null,
    };
  }

  /** What has the whole id in the other mode: who follows a link looks for it in the wrong one. */
  async ofOtherMode(seeker: Seeker, mode: Mode, text: string): Promise<HitsDto[]> {
    const sought = soughtOf(text);
    const kinds = sought.isWholeId ? this.kindsFor(seeker, OTHER[mode], sought) : [];
    if (kinds.length === 0) return [];
    const rows = await this.exact(seeker, OTHER[mode], { kinds, sought, most: SHOWN });
    return this.grouped(seeker, OTHER[mode], rows.filter(isFound), SHOWN);
  }

  private kindsFor({ role }: Seeker, mode: Mode, { prefix }: Sought): Kind[] {
    const scopes = scopesOf(role, mode === 'live');
    return KINDS.filter((kind) => prefix === null || prefix === kind.prefix).filter((kind) =>
      kind.permission
        ? POWERS[role].dashboard.includes(kind.permission)
        : this.resources.isReadable({ scopes }, kind.prefix),
    );
  }

  private exact({ accountId }: Seeker, mode: Mode, { kinds, sought: { ids, texts }, most }: Wanted): Promise<Row[]> {
    return this.dataSource.query(exactStatement(kinds, most + 1), [accountId, mode === 'live', ...ids, ...texts]);
  }

  /** Null: it took too long. */
  private async like({ accountId }: Seeker, mode: Mode, { kinds, sought, most }: Wanted): Promise<Row[] | null> {
    const { parts, bits, amounts } = sought;
    if (parts.every((part) => part === null) && bits === null && amounts.length === 0) return [];
    const money = [amounts.map(({ currency }) => currency), amounts.map(({ amount }) => amount.toString())];
    try {
      return await this.uow.run(async (tx) => {
        await tx.query(`SET LOCAL statement_timeout = ${LIKE_TIMEOUT_MS}`);
        return tx.query(likeStatement(kinds, sought, most + 1), [accountId, mode === 'live', ...parts, bits, ...money]);
      });
    } catch (error) {
      if (isStatementTimeout(error)) return null;
      throw error;
    }
  }

  private async grouped({ accountId }: Seeker, mode: Mode, rows: readonly Found[], most: number): Promise<HitsDto[]> {
    const times = await this.clock.times({ accountId, livemode: mode === 'live' });
    const hitOf = (row: Found): HitDto => ({
      id: encodeId(row.prefix, row.id),
      stands_with: row.page_prefix && row.page_id && encodeId(row.page_prefix, row.page_id),
      title: row.title,
      subtitle: row.subtitle || null,
      amount: row.amount === null ? null : toJsonNumber(BigInt(row.amount)),
      currency: row.currency,
      status: row.status,
      created_at: times?.shown(timeOf(row.id)) ?? timeOf(row.id),
      mode,
    });
    return KINDS.flatMap(({ prefix, type }) => {
      const found = new Map(rows.filter((row) => row.prefix === prefix).map((row) => [row.id, row]));
      const newest = [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
      const data = newest.slice(0, most).map(hitOf);
      return data.length === 0 ? [] : [{ type, data, has_more: newest.length > most }];
    });
  }
}

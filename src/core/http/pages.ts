import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { configure } from 'safe-stable-stringify';
import { Env } from '../config/env';
import { DomainError } from '../errors/domain-error';
import { Seals } from '../secrets/secret-box';
import type { Caller } from './caller';

interface PageNeeds {
  /** Where its forms may lead beside this service, through redirects too. */
  readonly formOrigins?: readonly string[];
  /** It shows pictures of this service. */
  readonly hasImages?: boolean;
}

/**
 * Sends a page for people. It loads nothing but our own style sheet, runs no script, is framed by nobody, and its
 * address, which may be a secret, is told to nobody.
 */
export function sendPage(
  reply: FastifyReply,
  page: string,
  { formOrigins = [], hasImages = false }: PageNeeds = {},
): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasImages ? ["img-src 'self'"] : []),
    `form-action ${["'self'", ...formOrigins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  void reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .send(page);
}

/** To another address, to be read with GET. */
export const seeOther = (reply: FastifyReply, url: string): void =>
  void reply.header('referrer-policy', 'no-referrer').redirect(url, 303);

const canonicalJson = configure({ deterministic: true });
const SEAL_BYTES = 16;

/** Query of every list; lists extend it with their filters. See `PageQuery` in `fields.ts`. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** One page of a list, newest first. */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  /** Null on the last page. */
  next_cursor: string | null;
}

/** Where a row stands in its list: the values of the `ORDER BY`, as strings. */
export type Position = readonly string[];

class InvalidCursor extends DomainError {
  constructor() {
    super({
      code: 'invalid_cursor',
      kind: 'malformed',
      title: 'Invalid cursor',
      detail: 'The cursor is not one that this list gave for these filters. Start again without it.',
      param: '/cursor',
    });
  }
}

/** A page that was asked for. Read `limit + 1` rows after `after`: the one too many tells that there are more. */
export class Page {
  constructor(
    readonly limit: number,
    readonly after: Position | null,
    private readonly seal: (position: Position) => string,
  ) {}

  /** Rows to read: one more than are shown. */
  get take(): number {
    return this.limit + 1;
  }

  /** The answer, from up to `take` rows in the order of the list. */
  of<Row, T>(rows: readonly Row[], present: (row: Row) => T, positionOf: (row: Row) => Position): List<T> {
    const shown = rows.slice(0, this.limit);
    const hasMore = rows.length > this.limit;
    return {
      object: 'list',
      data: shown.map(present),
      has_more: hasMore,
      next_cursor: hasMore ? this.seal(positionOf(shown[this.limit - 1]!)) : null,
    };
  }

  /**
   * The same of a list that never ends: its cursor stands behind the last row, also when more are yet to come. `start`:
   * before all rows.
   */
  following<Row, T>(
    rows: readonly Row[],
    present: (row: Row) => T,
    { positionOf, start }: { positionOf: (row: Row) => Position; start: Position },
  ): List<T> {
    const last = rows.slice(0, this.limit).at(-1);
    return {
      ...this.of(rows, present, positionOf),
      next_cursor: this.seal(last === undefined ? (this.after ?? start) : positionOf(last)),
    };
  }
}

const EXPORT_PAGE_ROWS = 1_000;

/**
 * All rows of a list for an export, read page by page as somebody takes them: each page is a statement of its own, so
 * that a slow reader keeps no snapshot. `read` gives up to `take` rows behind `after`; as lists show the newest first,
 * what is added meanwhile stays out.
 */
export async function* everyRow<Row, After>(
  read: (after: After | null, take: number) => Promise<Row[]>,
  positionOf: (row: Row) => After,
): AsyncGenerator<Row> {
  for (let after: After | null = null; ;) {
    const rows: Row[] = await read(after, EXPORT_PAGE_ROWS);
    yield* rows;
    if (rows.length < EXPORT_PAGE_ROWS) return;
    after = positionOf(rows.at(-1)!);
  }
}

/**
 * Opens pages. Cursors are sealed with HMAC-SHA256 and good only for the account, mode, list and filters they came
 * from.
 */
@Injectable()
export class Pages {
  private readonly seals: Seals;

  constructor(env: Env) {
    this.seals = new Seals('duka/cursor/v1', env, SEAL_BYTES);
  }

  /** `list` names the list (`wallets`, `wallet_entries:<uuid>`). Throws `InvalidCursor`. */
  open(caller: Pick<Caller, 'accountId' | 'livemode'>, list: string, { limit, cursor, ...filters }: PageRequest): Page {
    const scope = canonicalJson([caller.accountId, caller.livemode, list, filters])!;
    const after = cursor === undefined ? null : this.unseal(scope, cursor);
    return new Page(limit, after, (position) => this.seal(scope, position));
  }

  private seal(scope: string, position: Position): string {
    const text = JSON.stringify(position);
    return Buffer.concat([this.seals.of(`${scope}\n${text}`), Buffer.from(text)]).toString('base64url');
  }

  private unseal(scope: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const text = bytes.subarray(SEAL_BYTES).toString();
    // Decoding skips foreign characters: only the exact spelling that was given out counts.
    if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== cursor) throw new InvalidCursor();
    if (!this.seals.isOf(bytes.subarray(0, SEAL_BYTES), `${scope}\n${text}`)) throw new InvalidCursor();
    return JSON.parse(text) as Position;
  }
}

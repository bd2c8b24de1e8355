import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { bitsOfIdPart, HIGHEST_ID } from '../../../core/http/ids';
import { type Currency, decimalsOf } from '../../../core/money/money';
import type { Viewer } from '../../../core/resources/resources';
import { STATUS_NOW } from '../../ledger/ledger-rows';
import { type WalletRecord, WalletsService, type WalletStatus } from '../../wallets/wallets.service';
import { type Day, falling, movedByCurrency } from './overview.service';

const OWN_WALLETS = `FROM wallets w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
   WHERE w.account_id = $1 AND w.livemode = $2`;

/** Money of all open wallets, by currency: account, mode. */
const SELECT_TOTALS = `
  SELECT w.currency, count(*)::integer AS wallets, sum(a.available)::text AS available, sum(a.held)::text AS held
  ${OWN_WALLETS} AND a.status <> 'closed' GROUP BY w.currency`;

/** The fullest wallet of each currency, then the second of each, …: account, mode, number of rows. */
const SELECT_FULLEST = `
  SELECT id FROM (
    SELECT w.id, row_number() OVER (PARTITION BY w.currency ORDER BY a.available + a.held DESC, w.id) AS place
    ${OWN_WALLETS} AND a.status <> 'closed') AS ranked
   ORDER BY place, id LIMIT $3`;

/** Account, mode, currency, status, pattern of texts, patterns of the bits of ids. */
const WANTED = `${OWN_WALLETS}
     AND ($3::text IS NULL OR w.currency = $3) AND ($4::text IS NULL OR ${STATUS_NOW} = $4)
     AND ($5::text IS NULL OR w.label ILIKE $5 OR w.reference ILIKE $5 OR w.currency ILIKE $5
       OR ('x' || replace(w.id::text, '-', ''))::bit(128)::text LIKE ANY ($6::text[]))`;
const SELECT_WANTED = `SELECT w.id ${WANTED} AND w.id < $7 ORDER BY w.id DESC LIMIT $8`;
const COUNT_WANTED = `SELECT count(*)::integer AS count ${WANTED}`;

/** What of an id is typed: fewer characters would be of too many. */
const ID_PART_MIN = 4;
/** Of 26 characters 130 bits: two more than a uuid has. */
const SPARE_BITS = '00';

interface TotalRow {
  readonly currency: Currency;
  readonly wallets: number;
  readonly available: string;
  readonly held: string;
}

/** Money of all wallets of one currency. Minor units. */
export interface CurrencyTotal {
  readonly currency: Currency;
  readonly wallets: number;
  readonly available: bigint;
  readonly held: bigint;
}

export interface WalletSearch {
  /** Part of a label or a reference, a currency, or the beginning or the end of an id. */
  readonly q?: string;
  readonly currency?: Currency;
  readonly status?: WalletStatus;
}

/** Wallets of accounts that have hundreds: their sums, the fullest, and those that somebody looks for. */
@Injectable()
export class WalletsOverviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsService,
  ) {}

  /** Sums of all open wallets, by currency. */
  async totals({ accountId, livemode }: Viewer): Promise<CurrencyTotal[]> {
    const rows: TotalRow[] = await this.dataSource.query(SELECT_TOTALS, [accountId, livemode]);
    return rows.map((row) => ({ ...row, available: BigInt(row.available), held: BigInt(row.held) }));
  }

  /** The fullest of each currency. */
  async fullest({ accountId, livemode }: Viewer, take: number): Promise<WalletRecord[]> {
    return this.withBalances(await this.dataSource.query(SELECT_FULLEST, [accountId, livemode, take]));
  }

  /** Newest first, below the uuid `before`. */
  async list(viewer: Viewer, search: WalletSearch, before: string | null, take: number): Promise<WalletRecord[]> {
    const values = [...valuesOf(viewer, search), before ?? HIGHEST_ID, take];
    return this.withBalances(await this.dataSource.query(SELECT_WANTED, values));
  }

  /** How many there are on all pages. */
  async count(viewer: Viewer, search: WalletSearch): Promise<number> {
    const [row] = (await this.dataSource.query(COUNT_WANTED, valuesOf(viewer, search))) as [{ count: number }];
    return row.count;
  }

  private async withBalances(rows: readonly { id: string }[]): Promise<WalletRecord[]> {
    const found = await Promise.all(rows.map(({ id }) => this.wallets.findAny(id)));
    return found.filter((wallet) => wallet !== null);
  }
}

function valuesOf({ accountId, livemode }: Viewer, { q, currency, status }: WalletSearch): unknown[] {
  const text = q?.trim() || null;
  const pattern = text && `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return [accountId, livemode, currency ?? null, status ?? null, pattern, text ? idPatterns(text) : []];
}

/** Of an id as people have it: the whole, its beginning, or the end that lists show of it. */
function idPatterns(text: string): string[] {
  const part = text.toLowerCase().replace(/^(?:wal_|…)/, '');
  const bits = part.length < ID_PART_MIN ? null : bitsOfIdPart(part);
  if (bits === null) return [];
  const beginning = bits.startsWith(SPARE_BITS) ? [`${bits.slice(SPARE_BITS.length)}%`] : [];
  // A whole id has more bits than a uuid: it is found by its beginning.
  return [...beginning, `%${bits}`];
}

/** Most money first, in whole units of each currency; of equal ones that which moved most. */
export function byMoney(totals: readonly CurrencyTotal[], days: readonly Day[]): CurrencyTotal[] {
  const sums = movedByCurrency(days);
  const moved = (currency: Currency): bigint => {
    const { amountIn = 0n, amountOut = 0n } = sums.get(currency) ?? {};
    return amountIn + amountOut;
  };
  const ranked = totals.map((total) => {
    const scale = 10n ** BigInt(DECIMALS_MAX - decimalsOf(total.currency));
    return { total, money: (total.available + total.held) * scale, moved: moved(total.currency) * scale };
  });
  return ranked
    .sort((a, b) => falling(a.money, b.money) || falling(a.moved, b.moved) || compareText(a.total, b.total))
    .map(({ total }) => total);
}

const DECIMALS_MAX = 3;

const compareText = (a: CurrencyTotal, b: CurrencyTotal): number => (a.currency < b.currency ? -1 : 1);

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Currency, CURRENCIES } from '../../../../core/money/money';
import { RatesService, type StoredRate } from '../../../conversions/rates.service';
import { type Rate, valueOf } from '../../../conversions/rate';
import { PLATFORM_ACCOUNT_ID } from '../../../ledger/posting';
import { Verifications } from '../../../ledger/verifications';
import { AuditService } from '../../audit.service';
import type { SignedIn } from '../../people/sessions.service';

/** Of these the platform has one for each account: they are shown as one. */
const PER_ACCOUNT = `('sandbox_source', 'card_debts', 'fx_position')`;
const KIND = `split_part(name, ':', 1)`;

/** Every ledger account, summed up by what it is: one statement, so that the sums are of one moment. */
const SELECT_SUMS = `
  SELECT livemode, currency, account_id = '${PLATFORM_ACCOUNT_ID}' AS "isPlatform",
         CASE WHEN ${KIND} IN ${PER_ACCOUNT} THEN ${KIND} ELSE name END AS name,
         count(*)::integer AS count, sum(available)::text AS available, sum(held)::text AS held
    FROM ledger_accounts GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4`;

export const UNSEALED_MAX = 10_000;
const SELECT_HEAD = `
  SELECT id, position::text, encode(chain, 'hex') AS chain FROM ledger_batches
   WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1`;
const SELECT_UNSEALED = `
  SELECT count(*)::integer AS unsealed, min(id::text) AS oldest
    FROM (SELECT id FROM ledger_batches WHERE position IS NULL ORDER BY id LIMIT ${UNSEALED_MAX}) b`;
const SELECT_SEALER = `SELECT finished_at AS at FROM recurring_runs WHERE job = 'ledger.seal'`;

/** What the platform holds by conversions, and what came and went today by an account's clocks, elsewhere in UTC. */
const SELECT_POSITIONS = `
  SELECT a.currency, sum(a.available)::text AS amount, coalesce(sum(e.taken), 0)::text AS taken,
         coalesce(sum(e.given), 0)::text AS given
    FROM ledger_accounts a
    CROSS JOIN (SELECT date_trunc('day', now() AT TIME ZONE z.name) AT TIME ZONE z.name AS began
                  FROM (SELECT coalesce((SELECT time_zone FROM accounts WHERE id = $1), 'UTC') AS name) z) today
    LEFT JOIN LATERAL (
      SELECT sum(amount) FILTER (WHERE amount > 0) AS taken, sum(amount) FILTER (WHERE amount < 0) AS given
        FROM ledger_entries WHERE account_id = a.account_id AND ledger_account_id = a.id AND created_at >= today.began
    ) e ON true
   WHERE a.account_id = '${PLATFORM_ACCOUNT_ID}' AND split_part(a.name, ':', 1) = 'fx_position' AND a.livemode = $2
   GROUP BY a.currency`;

/** Ledger accounts of one name, currency and mode. Minor units. */
export interface BookSum {
  readonly livemode: boolean;
  readonly currency: Currency;
  readonly isPlatform: boolean;
  readonly name: string;
  readonly count: number;
  readonly available: string;
  readonly held: string;
}

/** How far the chain is. */
export interface SealState {
  /** The last link; null: nothing was sealed yet. */
  readonly head: { readonly id: string; readonly position: string; readonly chain: string } | null;
  /** Batches that wait for theirs: of so many no more are counted. */
  readonly unsealed: number;
  /** Null: none waits. */
  readonly oldest: string | null;
  /** When the sealer was done last. */
  readonly sealerAt: Date | null;
}

/** Minor units: below zero the platform is short. */
export interface FxPositionState {
  readonly currency: Currency;
  readonly amount: bigint;
  /** What it was as the day began, and what came and went since. */
  readonly before: bigint;
  readonly taken: bigint;
  readonly given: bigint;
  /** In the currency that is asked for; null: there is no rate. */
  readonly value: bigint | null;
  readonly rate: Rate | null;
}

/** The books of the platform as operators look at them. */
@Injectable()
export class BooksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rates: RatesService,
    private readonly verifications: Verifications,
    private readonly audit: AuditService,
  ) {}

  sums(): Promise<BookSum[]> {
    return this.dataSource.query(SELECT_SUMS);
  }

  async seal(): Promise<SealState> {
    const [[head], [unsealed], [sealer]] = await Promise.all([
      this.dataSource.query<NonNullable<SealState['head']>[]>(SELECT_HEAD),
      this.dataSource.query<Pick<SealState, 'unsealed' | 'oldest'>[]>(SELECT_UNSEALED),
      this.dataSource.query<{ at: Date }[]>(SELECT_SEALER),
    ]);
    return { ...unsealed!, head: head ?? null, sealerAt: sealer?.at ?? null };
  }

  /** Has a worker prove the books. Throws `VerificationUnderWay`. */
  verify({ homeAccountId: accountId, userId, email }: SignedIn, ip: string): Promise<void> {
    const entry = { accountId, userId, actor: email, action: 'books.verification_ordered', ip };
    return this.audit.with((writesOf) => this.verifications.order(email, (target) => writesOf({ ...entry, target })));
  }

  /** By currency; those in which nothing was ever converted are left out. */
  async positions({ accountId }: SignedIn, livemode: boolean, target: Currency): Promise<FxPositionState[]> {
    const rows: { currency: Currency; amount: string; taken: string; given: string }[] = await this.dataSource.query(
      SELECT_POSITIONS,
      [accountId, livemode],
    );
    rows.sort((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency));
    return Promise.all(
      rows.map(async ({ currency, ...sums }) => {
        const [amount, taken, given] = [BigInt(sums.amount), BigInt(sums.taken), BigInt(sums.given)];
        const rate = currency === target ? null : await this.rates.mid(livemode, currency, target);
        const value = currency === target ? amount : rate && valueOf(amount, rate, { from: currency, to: target });
        return { currency, amount, taken, given, before: amount - taken - given, value, rate };
      }),
    );
  }

  listRates(livemode: boolean): Promise<StoredRate[]> {
    return this.rates.listNewest(livemode);
  }
}

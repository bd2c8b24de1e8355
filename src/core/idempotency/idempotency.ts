import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isFenced } from '../cells/slot-moves';
import { Batcher } from '../database/batcher';
import type { Write } from '../database/bulk';
import { ReadPipeline } from '../database/pipeline';
import { constraintOf, retryAway, type Tx, UnitOfWork } from '../database/unit-of-work';
import { DomainError } from '../errors/domain-error';
import { Recurring } from '../queue/recurring-jobs';
import type { Claim, Made, Replay, StoredClaim } from './claim';
import {
  claimId,
  CLAIMS_PKEY,
  claimWrites,
  DELETE_EXPIRED_LIKENESSES,
  expiredLikenessesParams,
  likenessesOf,
  matchClaim,
  SELECT_CLAIMS,
  selectClaimsParams,
  storedClaims,
} from './claims';

const DAY_MS = 24 * 3_600 * 1_000;
const KEPT_DAYS = 30;
/** Of 8 kB: about 150,000 claims are looked at in one statement. */
const PAGES_AT_ONCE = 2_048;
const PAGES = `SELECT (pg_relation_size('claims') / current_setting('block_size')::integer)::integer AS pages`;
/** Of the pages from `$2` on, before `$3`. Old references are between them for ever: no index would pass over those. */
const DELETE_OLD_CLAIMS = `
  DELETE FROM claims
   WHERE ctid >= $2::tid AND ctid < $3::tid AND kind IN ('key', 'likeness')
     AND created_at < now() - make_interval(days => $1) AND NOT ${isFenced('account_id')}`;

/**
 * Runs a change at most once per key and reference, in one transaction with the claim. Two requests with the same key
 * at once: the second waits for the first and answers as its replay. Postings claim inside the ledger's batch instead.
 */
@Injectable()
export class Idempotency {
  /** Look-ups of requests that arrive together are one query. */
  private readonly lookUps: Batcher<readonly StoredClaim[], StoredClaim[]>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    reads: ReadPipeline,
    private readonly dataSource: DataSource,
  ) {
    const work = async (asked: (readonly StoredClaim[])[]) => {
      const { rows } = await reads.query<StoredClaim>(SELECT_CLAIMS, selectClaimsParams(asked.flat()));
      const stored = new Map(rows.map((row) => [claimId(row), row]));
      return asked.map((claims) => claims.flatMap((claim) => stored.get(claimId(claim)) ?? []));
    };
    this.lookUps = new Batcher(work, {
      batchMax: 500,
      parallel: 2,
      queueMax: 100_000,
      overflow: () => new Error('too many look-ups of claims are waiting'),
    });
  }

  /**
   * Null: `effect` took place now. Throws `IdempotencyKeyReused`, `DuplicateReference`, `LikelyDuplicate` and whatever
   * `effect` throws.
   */
  async once(claim: Claim, effect: (tx: Tx) => Promise<void>): Promise<Replay | null> {
    try {
      await this.unitOfWork.run(async (tx) => {
        const likenesses = likenessesOf(storedClaims(claim));
        if (likenesses.length > 0) await tx.query(DELETE_EXPIRED_LIKENESSES.text, expiredLikenessesParams(likenesses));
        await this.unitOfWork.write(tx, claimWrites(claim));
        await effect(tx);
      });
      return null;
    } catch (error) {
      if (!constraintOf(error)?.startsWith(CLAIMS_PKEY)) throw error;
      return this.replay(claim);
    }
  }

  /** What is stored for a key or a reference, if anything. */
  async find(claim: Pick<StoredClaim, 'accountId' | 'livemode' | 'kind' | 'value'>): Promise<StoredClaim | null> {
    // PostgreSQL refuses to look for text that it cannot hold, and with it for all that is looked up together.
    if (claim.value.includes('\0')) return null;
    const [stored] = await this.select([claim as StoredClaim]);
    return stored ?? null;
  }

  /**
   * What carried the request out before; null: nothing did. For work that must not be done again for a replay. Throws
   * `IdempotencyKeyReused`, `DuplicateReference`.
   */
  async replayOf(claim: Claim): Promise<Replay | null> {
    const claims = storedClaims(claim);
    if (claims.length === 0) return null;
    const stored = new Map((await retryAway(() => this.select(claims))).map((row) => [claimId(row), row]));
    const match = matchClaim(claim, (id) => stored.get(id));
    if (match instanceof DomainError) throw match;
    return match;
  }

  /**
   * `replayed` of what carried the request out before, else `work`, for work that claims in a posting. A twin that was
   * sent at the same time may go through while `work` looks at what it has changed: then its answer counts, not the
   * refusal.
   */
  async answer<Answer>(
    claim: Claim,
    work: () => Promise<Answer>,
    replayed: (replay: Replay) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const seen = await this.replayOf(claim);
    if (seen) return replayed(seen);
    try {
      return await work();
    } catch (error) {
      const twin = await this.replayOf(claim);
      if (twin) return replayed(twin);
      throw error;
    }
  }

  /**
   * For a request that changes what it names: `change` writes the rows of the claim with it, and `load` gives the thing
   * as it is now, for a replay.
   */
  change<T>(claim: Claim, change: (rows: readonly Write[]) => Promise<T>, load: () => Promise<T>): Promise<Made<T>> {
    return this.answer<Made<T>>(
      claim,
      async () => ({ made: await change(claimWrites(claim)), replayedBy: null }),
      async ({ by }) => ({ made: await retryAway(load), replayedBy: by }),
    );
  }

  /**
   * Forgets idempotency keys after 30 days, and likenesses, which count for two minutes, with them. References stay for
   * ever. In chunks: one long delete would keep its locks and its dead rows until its end, and lose all of it to a
   * time-out.
   */
  @Recurring({ name: 'idempotency.purge', everyMs: DAY_MS })
  async purge(): Promise<void> {
    const [{ pages }]: [{ pages: number }] = await this.dataSource.query(PAGES);
    for (let page = 0; page < pages; page += PAGES_AT_ONCE)
      await this.dataSource.query(DELETE_OLD_CLAIMS, [KEPT_DAYS, `(${page},0)`, `(${page + PAGES_AT_ONCE},0)`]);
  }

  private async replay(claim: Claim): Promise<Replay> {
    const match = await this.replayOf(claim);
    if (match === null) throw new Error('a claim was refused as a duplicate but is not stored');
    return match;
  }

  private select(claims: readonly StoredClaim[]): Promise<StoredClaim[]> {
    return this.lookUps.add(claims);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Client, DatabaseError } from 'pg';
import { arrayParam, combineWrites } from '../../core/database/bulk';
import { type Pipeline, send } from '../../core/database/pipeline';
import { constraintOf, isConnectionLoss, isTransient, pauseWhileAway } from '../../core/database/unit-of-work';
import type { DomainError } from '../../core/errors/domain-error';
import { newId } from '../../core/http/ids';
import { ledgerLostBatches } from '../../core/metrics/metrics';
import type { StoredClaim } from '../../core/idempotency/claim';
import {
  claimId,
  CLAIMS_PKEY,
  DELETE_EXPIRED_LIKENESSES,
  expiredLikenessesParams,
  likenessesOf,
  SELECT_CLAIMS,
  selectClaimsParams,
  storedClaims,
} from '../../core/idempotency/claims';
import { type Plan, planBatch } from './batch-plan';
import { accountsOf, type Books, LedgerUnavailable, type Outcome, type Posting } from './posting';
import {
  type AccountRow,
  BEGIN,
  COMMIT,
  FIND_BATCH,
  type HoldRow,
  LOCK_ACCOUNTS,
  LOCK_HOLDS,
  ROLLBACK,
  toAccountState,
  toHoldState,
} from './ledger-rows';

type Answer = Outcome | DomainError | Error;

/** A batch whose COMMIT was sent and not answered: the row of its id in `ledger_batches` decides. */
interface Uncertain {
  batchId: string;
  plan: Plan | null;
}

/** How a batch is carried through. */
export interface Conduct {
  /** Until when to wait for a database that is away, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Called when the COMMIT is sent: the next batch may queue its statements behind it. */
  readonly handOver: () => void;
}

interface Patience {
  readonly deadline: number;
  /** Spent on deadlocks and the like. */
  retries: number;
}

const RETRIES_MAX = 5;
/** How long answers wait at most for the batch behind them to send its rows. */
const YIELD_MS = 10;

/** Carries a batch of postings through one database transaction in two round trips, on a connection of its own. */
export class BatchWriter {
  /** Settles when the connection's transaction before has sent its last statement. */
  private turn: Promise<void> = Promise.resolve();
  /** The batch that was acknowledged last, and on which connection. */
  private last: { readonly client: Client; readonly batchId: string } | null = null;
  private readonly log = new Logger('ledger');

  constructor(private readonly pipeline: Pipeline) {}

  /** One answer per posting. A batch that fails as a whole is split, so that a poison posting fails alone. */
  async write(postings: readonly Posting[], conduct: Conduct): Promise<Answer[]> {
    const uncertain: Uncertain = { batchId: newId(), plan: null };
    const patience: Patience = { deadline: conduct.deadline, retries: 0 };
    for (;;) {
      try {
        return await this.attempt(postings, uncertain, conduct.handOver);
      } catch (error) {
        if (await worthAnotherTry(error, patience)) continue;
        // Not split while its outcome is open: the halves would be new batches, and could take effect a second time.
        if (isConnectionLoss(error) || uncertain.plan) return postings.map(() => unavailable(uncertain, error));
        if (postings.length === 1) return [error as Error];
        const middle = postings.length >> 1;
        return [
          ...(await this.write(postings.slice(0, middle), conduct)),
          ...(await this.write(postings.slice(middle), conduct)),
        ];
      }
    }
  }

  private async attempt(postings: readonly Posting[], uncertain: Uncertain, handOver: () => void): Promise<Answer[]> {
    const endTurn = await this.takeTurn();
    try {
      const client = await this.pipeline.connection();
      const ending = await this.transact(client, postings, uncertain);
      endTurn();
      handOver();
      const answers = await ending();
      // The receivers keep this thread busy: first let the batch behind this one send its rows, if it is about to.
      await Promise.race([this.turn, sleep(YIELD_MS)]);
      return answers;
    } finally {
      endTurn();
    }
  }

  /** Runs one transaction up to its last statement, which is sent; the function returned waits for the answer to it. */
  private async transact(
    client: Client,
    postings: readonly Posting[],
    uncertain: Uncertain,
  ): Promise<() => Promise<Answer[]>> {
    try {
      const { books, claims, committed } = await this.open(client, postings, uncertain);
      if (committed && uncertain.plan) return this.leave(client, uncertain.plan);
      uncertain.plan = null;
      const plan = planBatch(uncertain.batchId, postings, { books, claims, now: Date.now() });
      if (plan.writes.length === 0) return this.leave(client, plan);
      return this.commit(client, plan, uncertain);
    } catch (error) {
      // Fails too when the connection is gone, which is then what the caller hears of.
      if (!isConnectionLoss(error)) await send(client, ROLLBACK);
      throw error;
    }
  }

  private leave(client: Client, plan: Plan): () => Promise<Answer[]> {
    const rolledBack = send(client, ROLLBACK);
    return () => rolledBack.then(() => plan.outcomes);
  }

  /** One transaction at a time on the connection. */
  private async takeTurn(): Promise<() => void> {
    const before = this.turn;
    let end!: () => void;
    this.turn = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  }

  /** First round trip: locks the accounts and holds, then reads the claims, which no one can add behind those locks. */
  private async open(client: Client, postings: readonly Posting[], { batchId, plan }: Uncertain) {
    const accountIds = new Set(postings.flatMap(accountsOf));
    const holds = postings.flatMap((posting) =>
      (posting.holds ?? []).map(({ holdId }) => ({ owner: posting.accountId, holdId })),
    );
    const claims = postings.flatMap(({ claim }) => (claim ? storedClaims(claim) : []));
    const likenesses = likenessesOf(claims);
    const { last } = this;
    const isNewConnection = last !== null && last.client !== client;
    const [, accountRows, holdRows, , claimRows, batchRows, lastRows] = await all([
      send(client, BEGIN),
      send<AccountRow>(client, LOCK_ACCOUNTS, [arrayParam('uuid', [...accountIds])]),
      holds.length > 0 &&
        send<HoldRow>(client, LOCK_HOLDS, [
          arrayParam(
            'uuid',
            holds.map(({ owner }) => owner),
          ),
          arrayParam(
            'uuid',
            holds.map(({ holdId }) => holdId),
          ),
        ]),
      likenesses.length > 0 && send(client, DELETE_EXPIRED_LIKENESSES, expiredLikenessesParams(likenesses)),
      claims.length > 0 && send<StoredClaim>(client, SELECT_CLAIMS, selectClaimsParams(claims)),
      plan !== null && send(client, FIND_BATCH, [batchId]),
      isNewConnection && send(client, FIND_BATCH, [last.batchId]),
    ]);
    if (isNewConnection) this.noteWhetherKept(last.batchId, lastRows !== false && lastRows.rows.length > 0);
    const books: Books = {
      accounts: new Map(accountRows.rows.map((row) => [row.id, toAccountState(row)])),
      holds: new Map(holdRows ? holdRows.rows.map((row) => [row.id, toHoldState(row)]) : []),
    };
    const stored = new Map(claimRows ? claimRows.rows.map((row) => [claimId(row), row]) : []);
    return { books, claims: stored, committed: batchRows !== false && batchRows.rows.length > 0 };
  }

  /** A standby that took over, or a backup that was restored, may know less than what was answered. */
  private noteWhetherKept(batchId: string, isKept: boolean): void {
    this.last = null;
    if (isKept) return;
    ledgerLostBatches.inc();
    this.log.error({ msg: 'a batch that was acknowledged is gone: the database is an older one', batch: batchId });
  }

  /** Second round trip: every row and the COMMIT, sent together. A fault ends the transaction in the database, too. */
  private commit(client: Client, plan: Plan, uncertain: Uncertain): () => Promise<Answer[]> {
    const { query, params } = combineWrites(plan.writes);
    uncertain.plan = plan;
    const answered = all([send(client, query, params), send(client, COMMIT)]);
    return async () => {
      try {
        const { command: tag } = (await answered).at(-1)!;
        if (tag === 'COMMIT') {
          this.last = { client, batchId: uncertain.batchId };
          return plan.outcomes;
        }
        uncertain.plan = null;
        throw new Error(`the batch ended with ${tag}`);
      } catch (error) {
        // Only the server can say that it did not take place.
        if (error instanceof DatabaseError && !isConnectionLoss(error)) uncertain.plan = null;
        throw error;
      }
    };
  }
}

/** Waits for every answer of a pipelined burst, then throws the first fault: the later ones only follow from it. */
async function all<T extends readonly unknown[]>(queries: readonly [...T]): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(queries);
  const fault = results.find((result): result is PromiseRejectedResult => result.status === 'rejected');
  if (fault) throw fault.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    [K in keyof T]: Awaited<T[K]>;
  };
}

/** Waits a little and says yes, as long as the fault is one that passes. */
async function worthAnotherTry(error: unknown, patience: Patience): Promise<boolean> {
  if (isConnectionLoss(error)) {
    if (performance.now() > patience.deadline) return false;
    await pauseWhileAway();
    return true;
  }
  if (!(isTransient(error) || isClaimRace(error)) || patience.retries === RETRIES_MAX) return false;
  patience.retries++;
  await sleep(Math.random() * 5 * 2 ** patience.retries);
  return true;
}

const isClaimRace = (error: unknown): boolean => constraintOf(error)?.startsWith(CLAIMS_PKEY) ?? false;

function unavailable({ plan }: Uncertain, cause: unknown): LedgerUnavailable {
  const detail = plan
    ? 'The database went away while this was being committed: whether it took effect is not known yet. Send it again ' +
      'with the same key.'
    : 'The database is not reachable. Nothing was changed; send the request again with the same key.';
  return new LedgerUnavailable(detail, { cause });
}

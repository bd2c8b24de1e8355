import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { bulkUpdate } from '../../core/database/bulk';
import { MetricReads } from '../../core/database/metric-reads';
import { lockName } from '../../core/database/options';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { timeOf } from '../../core/http/ids';
import { sample, sampledGauges } from '../../core/metrics/metrics';
import { Recurring } from '../../core/queue/recurring-jobs';

/** Taken until the transaction ends, by whoever asks first: there is one sealer at a time. */
const TRY_LOCK_SEAL = `SELECT pg_try_advisory_xact_lock(hashtextextended(${lockName('duka seal')}, 0)) AS locked`;

const SELECT_HEAD = `
  SELECT position, chain FROM ledger_batches WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1`;

const SELECT_UNSEALED = `
  SELECT id, uuid_send(id) || digest AS content FROM ledger_batches WHERE position IS NULL ORDER BY id LIMIT $1`;

/** A batch that was sealed meanwhile is a fault, and fails the whole chunk. */
const sealBatch = bulkUpdate(
  'ledger_batches',
  { id: 'uuid', position: 'bigint', chain: 'bytea' },
  {
    name: 'seal_ledger_batches',
    key: ['id'],
    set: { position: 'v.position', chain: 'v.chain' },
    where: 't.position IS NULL',
  },
);

/** Counted up to here. */
const WAITING_MAX = 50_000;
const SELECT_WAITING = `
  SELECT count(*)::integer AS batches,
         (SELECT id FROM ledger_batches WHERE position IS NULL ORDER BY id LIMIT 1) AS first
    FROM (SELECT FROM ledger_batches WHERE position IS NULL LIMIT ${WAITING_MAX}) w`;

const provideLag = sampledGauges({
  ledger_unsealed_batches: {
    help: `Batches of the ledger that the hash chain does not have yet, up to ${WAITING_MAX}.`,
  },
  ledger_seal_lag_seconds: { help: 'Age of the oldest batch of the ledger that the hash chain does not have yet.' },
});

/** Often, and few at once: who pays meanwhile does not notice. */
const EVERY_MS = 2_000;
const CHUNK_BATCHES = 500;
/** A run ends here even with more to seal: the next one goes on, and a stopping process is not kept. */
const CHUNKS_MAX = 40;

/** The last link of the chain. Kept outside of the database, it also proves that the chain was not made anew. */
export interface SealHead {
  readonly position: bigint;
  readonly chain: Buffer;
}

/** What the first link is made from. */
const GENESIS: SealHead = { position: 0n, chain: Buffer.alloc(32) };

/**
 * Chains the ledger's batches, off the path of postings: each link is SHA-256 over the link before, the batch's id and
 * its digest. Positions follow the order of sealing, so a batch that commits late is simply a later link.
 */
@Injectable()
export class SealService {
  private readonly log = new Logger('seal');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    reads: MetricReads,
  ) {
    provideLag(async () => {
      const { batches, first } = await reads.row<{ batches: number; first: string | null }>(SELECT_WAITING);
      return {
        ledger_unsealed_batches: sample(batches),
        ledger_seal_lag_seconds: sample(first === null ? 0 : ageOf(first)),
      };
    });
  }

  @Recurring({ name: 'ledger.seal', everyMs: EVERY_MS })
  async seal(): Promise<void> {
    for (let chunk = 0; chunk < CHUNKS_MAX; chunk++) {
      const sealed = await this.unitOfWork.run((tx) => this.sealChunk(tx));
      if (sealed === null) return;
      const { head, isFull } = sealed;
      this.log.log({ position: head.position.toString(), chain: head.chain.toString('hex') });
      // To find none walks through all that was sealed while somebody holds a snapshot.
      if (!isFull) return;
    }
  }

  /** The new head; null when there was nothing to do, or someone else does it. */
  private async sealChunk(tx: Tx): Promise<{ readonly head: SealHead; readonly isFull: boolean } | null> {
    const [{ locked }]: [{ locked: boolean }] = await tx.query(TRY_LOCK_SEAL);
    if (!locked) return null;
    const batches: { id: string; content: Buffer }[] = await tx.query(SELECT_UNSEALED, [CHUNK_BATCHES]);
    if (batches.length === 0) return null;
    const [stored]: { position: string; chain: Buffer }[] = await tx.query(SELECT_HEAD);
    let head = stored ? { position: BigInt(stored.position), chain: stored.chain } : GENESIS;
    const writes = batches.map(({ id, content }) => {
      head = { position: head.position + 1n, chain: createHash('sha256').update(head.chain).update(content).digest() };
      return sealBatch.row({ id, ...head });
    });
    await this.unitOfWork.write(tx, writes);
    return { head, isFull: batches.length === CHUNK_BATCHES };
  }
}

/** Seconds; clocks of processes differ a little. */
const ageOf = (id: string): number => Math.max(0, Date.now() - timeOf(id).getTime()) / 1_000;

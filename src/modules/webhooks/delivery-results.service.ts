import { Injectable } from '@nestjs/common';
import { arrayParam } from '../../core/database/array-param';
import { Batcher } from '../../core/database/batcher';
import { bulkInsert } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { newId } from '../../core/http/ids';
import { FINISH } from './deliveries.queries';
import type { Claimed } from './delivery-claims.service';
import { DeliveryQueue } from './delivery-queue.service';
import { EndpointHealth } from './endpoint-health.service';
import type { Outcome } from './outcome.batch';
import type { Attempted } from './webhooks.types';

const BATCH_MAX = 100;
const PARALLEL = 2;

/** What came of a claimed delivery. */
export interface Result extends Outcome {
  readonly claimed: Claimed;
  /** Null: none was made, as the endpoint is disabled or deleted. */
  readonly attempted: Attempted | null;
  /** The account's present. */
  readonly at: Date;
}

const insertAttempt = bulkInsert('webhook_attempts', {
  account_id: 'uuid', livemode: 'boolean', id: 'uuid', delivery_id: 'uuid', number: 'integer', url: 'text', code: 'text', http_status: 'integer?',
  duration_ms: 'integer', response_body: 'text?',
});

/** Writes attempts and what they changed. Those that end at the same time share a transaction. */
@Injectable()
export class DeliveryResults {
  private readonly batcher = new Batcher<Result, void>((results) => this.write(results), {
    batchMax: BATCH_MAX,
    parallel: PARALLEL,
    queueMax: Infinity,
    overflow: () => new Error('too many deliveries at once'),
  });

  constructor(
    private readonly uow: UnitOfWork,
    private readonly health: EndpointHealth,
    private readonly queue: DeliveryQueue,
  ) {}

  record(result: Result): Promise<void> {
    return this.batcher.add(result);
  }

  private async write(results: readonly Result[]): Promise<undefined[]> {
    const sorted = [...results].sort((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1));
    const finished = await this.uow.run(async (tx) => {
      await this.uow.write(tx, sorted.flatMap(attemptOf));
      const ids = await this.finish(tx, sorted);
      await this.health.record(tx, sorted);
      return ids;
    });
    await this.queue.enqueue(
      sorted.flatMap(({ claimed: { accountId, livemode, id, endpointId, attempts }, nextAttemptAt }) =>
        nextAttemptAt === null || !finished.has(id) ? [] : { accountId, livemode, id, endpointId, attempts: attempts + 1, nextAttemptAt },
      ),
    );
    return results.map(() => undefined);
  }

  private async finish(tx: Tx, results: readonly Result[]): Promise<Set<string>> {
    const [rows]: [{ id: string }[], number] = await tx.query(FINISH, [
      arrayParam('uuid', results.map(({ claimed }) => claimed.accountId)),
      arrayParam('boolean', results.map(({ claimed }) => claimed.livemode)),
      arrayParam('uuid', results.map(({ claimed }) => claimed.id)),
      arrayParam('text', results.map(({ claimed }) => claimed.lease)),
      arrayParam('text', results.map(({ status }) => status)),
      arrayParam('integer', results.map(({ claimed, attempted }) => claimed.attempts + (attempted === null ? 0 : 1))),
      arrayParam('timestamptz', results.map(({ nextAttemptAt }) => nextAttemptAt)),
      arrayParam('text', results.map(({ attempted }) => attempted?.code)),
      arrayParam('timestamptz', results.map(({ nextAttemptAt, at }) => (nextAttemptAt === null ? at : null))),
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}

const attemptOf = ({ claimed, attempted }: Result) =>
  attempted === null
    ? []
    : insertAttempt.row({
        account_id: claimed.accountId, livemode: claimed.livemode, id: newId(), delivery_id: claimed.id, number: claimed.attempts + 1, url: claimed.url,
        code: attempted.code, http_status: attempted.httpStatus, duration_ms: attempted.durationMs,
        // PostgreSQL has no text with a zero byte.
        response_body: attempted.responseBody?.replaceAll('\0', '\ufffd') ?? null,
      });

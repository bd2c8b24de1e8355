import { Injectable } from '@nestjs/common';
import { arrayParam } from '../../core/database/array-param';
import { Batcher } from '../../core/database/batcher';
import { retryAway, retryTransient } from '../../core/database/sqlstate';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { newId } from '../../core/http/ids';
import { RECORD } from './deliveries.queries';
import type { Claimed } from './delivery-claims.service';
import { DeliveryQueue } from './delivery-queue.service';
import { DeliveryStatements } from './delivery-statements.service';
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

/** Writes attempts and what they changed. Those that end at the same time share a statement. */
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
    private readonly statements: DeliveryStatements,
    private readonly health: EndpointHealth,
    private readonly queue: DeliveryQueue,
  ) {}

  record(result: Result): Promise<void> {
    return this.batcher.add(result);
  }

  private async write(results: readonly Result[]): Promise<undefined[]> {
    const sorted = [...results].sort((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1));
    const params = paramsOf(sorted);
    const changing = sorted.filter((result) => this.health.isChanging(result));
    // What was posted would come again if it were lost now: it is written once PostgreSQL is back, and not twice.
    const finished = new Set(
      await retryAway(() => (changing.length === 0 ? this.alone(params) : this.withHealth(params, changing))),
    );
    await this.queue.enqueue(
      sorted.flatMap(({ claimed: { accountId, livemode, id, endpointId, attempts }, nextAttemptAt }) =>
        nextAttemptAt === null || !finished.has(id)
          ? []
          : { accountId, livemode, id, endpointId, attempts: attempts + 1, nextAttemptAt },
      ),
    );
    return results.map(() => undefined);
  }

  /** Mostly there is nothing to learn about the endpoints. */
  private async alone(params: unknown[]): Promise<string[]> {
    const rows = await retryTransient(() => this.statements.record<{ id: string }>(RECORD, params));
    return rows.map(({ id }) => id);
  }

  private withHealth(params: unknown[], changing: readonly Result[]): Promise<string[]> {
    return this.uow.run(async (tx) => {
      const [rows]: [{ id: string }[], number] = await tx.query(RECORD.text, params);
      await this.health.record(tx, changing);
      return rows.map(({ id }) => id);
    });
  }
}

const paramsOf = (results: readonly Result[]): Buffer[] => [
  arrayParam(
    'uuid',
    results.map(({ claimed }) => claimed.accountId),
  ),
  arrayParam(
    'boolean',
    results.map(({ claimed }) => claimed.livemode),
  ),
  arrayParam(
    'uuid',
    results.map(({ claimed }) => claimed.id),
  ),
  arrayParam(
    'text',
    results.map(({ claimed }) => claimed.lease),
  ),
  arrayParam(
    'text',
    results.map(({ status }) => status),
  ),
  arrayParam(
    'integer',
    results.map(({ claimed, attempted }) => claimed.attempts + (attempted === null ? 0 : 1)),
  ),
  arrayParam(
    'timestamptz',
    results.map(({ nextAttemptAt }) => nextAttemptAt),
  ),
  arrayParam(
    'text',
    results.map(({ attempted }) => attempted?.code),
  ),
  arrayParam(
    'timestamptz',
    results.map(({ nextAttemptAt, at }) => (nextAttemptAt === null ? at : null)),
  ),
  arrayParam(
    'uuid',
    results.map(({ attempted }) => (attempted === null ? null : newId())),
  ),
  arrayParam(
    'text',
    results.map(({ claimed }) => claimed.url),
  ),
  arrayParam(
    'integer',
    results.map(({ attempted }) => attempted?.httpStatus),
  ),
  arrayParam(
    'integer',
    results.map(({ attempted }) => attempted?.durationMs),
  ),
  arrayParam(
    'text',
    results.map(({ attempted }) => attempted?.responseBody),
  ),
];

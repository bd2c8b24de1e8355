import { Injectable } from '@nestjs/common';
import { arrayParam } from '../../core/database/array-param';
import { Batcher } from '../../core/database/batcher';
import { retryTransient } from '../../core/database/sqlstate';
import type { StoredEvent } from '../../core/outbox/event-log';
import { CLAIM } from './deliveries.queries';
import type { DeliveryJob, DeliveryKey } from './deliveries.types';
import { DeliveryStatements } from './delivery-statements.service';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

const BATCH_MAX = 100;
const PARALLEL = 2;

type EndpointFields =
  | 'url'
  | 'includeSecrets'
  | 'secret'
  | 'previousSecret'
  | 'previousUntil'
  | 'status'
  | 'deletedAt'
  | 'inFlightMax'
  | 'perSecondMax'
  | 'faults'
  | 'failingSince'
  | 'lastSuccessAt';
type EventFields = 'type' | 'objectType' | 'objectId' | 'snapshot' | 'requestId' | 'idempotencyKey' | 'number';

/** A delivery that belongs to this worker until its lease ends, with its endpoint and its event as they are now. */
export interface Claimed extends DeliveryKey, Pick<WebhookEndpoint, EndpointFields>, Pick<StoredEvent, EventFields> {
  readonly endpointId: string;
  readonly eventId: string;
  /** Attempts that were made before. */
  readonly attempts: number;
  readonly isReplay: boolean;
  /** Tells this claim from a later one. */
  readonly lease: string;
  /** How far the clock of the account is ahead. */
  readonly offsetMs: string;
}

/** Takes deliveries, so that two workers never make the same attempt. Workers that take one at the same time share a statement. */
@Injectable()
export class DeliveryClaims {
  private readonly batcher = new Batcher<DeliveryJob, Claimed | null>((jobs) => this.take(jobs), {
    batchMax: BATCH_MAX,
    parallel: PARALLEL,
    queueMax: Infinity,
    overflow: () => new Error('too many deliveries at once'),
  });

  constructor(private readonly statements: DeliveryStatements) {}

  /** Null: not due, made already, or somebody else has it. */
  claim(job: DeliveryJob): Promise<Claimed | null> {
    return this.batcher.add(job);
  }

  private async take(jobs: readonly DeliveryJob[]): Promise<(Claimed | null)[]> {
    // In one order, so that two batches with the same rows do not wait for each other.
    const sorted = [...jobs].sort((a, b) => (a.id < b.id ? -1 : 1));
    const params = [
      arrayParam(
        'uuid',
        sorted.map(({ accountId }) => accountId),
      ),
      arrayParam(
        'boolean',
        sorted.map(({ livemode }) => livemode),
      ),
      arrayParam(
        'uuid',
        sorted.map(({ id }) => id),
      ),
      arrayParam(
        'integer',
        sorted.map(({ attempt }) => attempt - 1),
      ),
    ];
    const rows = await retryTransient(() => this.statements.claim<Claimed & Record<string, unknown>>(CLAIM, params));
    const claimed = new Map(rows.map((row) => [row.id, row]));
    return jobs.map(({ id }) => {
      const row = claimed.get(id) ?? null;
      // One job of two for the same attempt has it.
      claimed.delete(id);
      return row;
    });
  }
}

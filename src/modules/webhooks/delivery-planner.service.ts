import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { newId } from '../../core/http/ids';
import type { DueDelivery } from './deliveries.types';
import { plannedDelayMs } from './schedule.batch';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

type Receiver = Pick<WebhookEndpoint, 'accountId' | 'livemode' | 'id' | 'faults'>;

/** An event for an endpoint. */
export interface Planned {
  readonly endpoint: Receiver;
  readonly event: { readonly id: string; readonly type: string };
  readonly isReplay: boolean;
  /** `disabled`: recorded only, so that there is an answer to why it was not sent. */
  readonly status: 'pending' | 'disabled';
}

const insertDelivery = bulkInsert('webhook_deliveries', {
  account_id: 'uuid', livemode: 'boolean', id: 'uuid', endpoint_id: 'uuid', event_id: 'uuid', event_type: 'text', status: 'text',
  is_replay: 'boolean', next_attempt_at: 'timestamptz?', completed_at: 'timestamptz?',
});

/** Writes deliveries: one row per event and endpoint. */
@Injectable()
export class DeliveryPlanner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Deliveries to one endpoint. Hand the answer to `DeliveryQueue.enqueue` once the transaction is committed. */
  create(
    tx: Tx,
    { endpoint, events, isReplay }: { endpoint: Receiver; events: readonly Planned['event'][]; isReplay: boolean },
  ): Promise<DueDelivery[]> {
    return this.write(tx, events.map((event) => ({ endpoint, event, isReplay, status: 'pending' })));
  }

  /** Answers those that are to be sent. */
  async write(tx: Tx, planned: readonly Planned[]): Promise<DueDelivery[]> {
    const made = await Promise.all(planned.map((each) => this.rowOf(each)));
    await this.uow.write(tx, made.map(({ write }) => write));
    return made.flatMap(({ due }) => due ?? []);
  }

  private async rowOf({ endpoint, event, isReplay, status }: Planned): Promise<{ write: Write; due: DueDelivery | null }> {
    const { accountId, livemode } = endpoint;
    const now = await this.clock.now(endpoint);
    const id = newId();
    const nextAttemptAt = status === 'pending' ? new Date(now.getTime() + plannedDelayMs(endpoint.faults)) : null;
    const write = insertDelivery.row({
      account_id: accountId, livemode, id, endpoint_id: endpoint.id, event_id: event.id, event_type: event.type, status,
      is_replay: isReplay, next_attempt_at: nextAttemptAt, completed_at: nextAttemptAt === null ? now : null,
    });
    return { write, due: nextAttemptAt && { accountId, livemode, id, endpointId: endpoint.id, attempts: 0, nextAttemptAt } };
  }
}

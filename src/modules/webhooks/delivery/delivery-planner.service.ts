import { Injectable } from '@nestjs/common';
import { arrayParam } from '../../../core/database/array-param';
import { bulkInsert, type Write } from '../../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { newId } from '../../../core/http/ids';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { plannedDelayMs } from '../sandbox/webhook-faults';
import type { DueDelivery } from './delivery-queue.service';

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
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  endpoint_id: 'uuid',
  event_id: 'uuid',
  event_type: 'text',
  status: 'text',
  is_replay: 'boolean',
  next_attempt_at: 'timestamptz?',
  completed_at: 'timestamptz?',
});

/** Writes deliveries: one row per event and endpoint. */
@Injectable()
export class DeliveryPlanner {
  constructor(private readonly uow: UnitOfWork) {}

  /** Answers those that are to be sent: hand them to `DeliveryQueue.enqueue` once the transaction is committed. */
  async write(tx: Tx, planned: readonly Planned[]): Promise<DueDelivery[]> {
    const offsets = await this.offsets(tx, planned);
    const made = planned.map((each) => rowOf(each, offsets.get(each.endpoint.accountId) ?? 0));
    await this.uow.write(
      tx,
      made.map(({ write }) => write),
    );
    return made.flatMap(({ due }) => due ?? []);
  }

  /** How far test clocks are ahead. By the transaction's own connection: there may be no other one. */
  private async offsets(tx: Tx, planned: readonly Planned[]): Promise<ReadonlyMap<string, number>> {
    const accounts = new Set(
      planned.filter(({ endpoint }) => !endpoint.livemode).map(({ endpoint }) => endpoint.accountId),
    );
    if (accounts.size === 0) return new Map();
    const rows: { id: string; ms: string }[] = await tx.query(
      'SELECT account_id AS id, offset_ms AS ms FROM test_clocks WHERE account_id = ANY($1::uuid[])',
      [arrayParam('uuid', [...accounts])],
    );
    return new Map(rows.map(({ id, ms }) => [id, Number(ms)]));
  }
}

function rowOf(
  { endpoint, event, isReplay, status }: Planned,
  offsetMs: number,
): { write: Write; due: DueDelivery | null } {
  const { accountId, livemode } = endpoint;
  const nowMs = Date.now() + (livemode ? 0 : offsetMs);
  const id = newId();
  const nextAttemptAt = status === 'pending' ? new Date(nowMs + plannedDelayMs(endpoint.faults)) : null;
  const write = insertDelivery.row({
    account_id: accountId,
    livemode,
    id,
    endpoint_id: endpoint.id,
    event_id: event.id,
    event_type: event.type,
    status,
    is_replay: isReplay,
    next_attempt_at: nextAttemptAt,
    completed_at: nextAttemptAt === null ? new Date() : null,
  });
  return {
    write,
    due: nextAttemptAt && { accountId, livemode, id, endpointId: endpoint.id, attempts: 0, nextAttemptAt },
  };
}

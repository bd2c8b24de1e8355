import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A delivery of an event, as it stands. */
export interface SentDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly attempts: number;
  readonly completedAt: Date | null;
}

// An event about an object is never older than it: the id of the one bounds those of the other.
const SELECT_DELIVERIES = `
  SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType", d.status, d.attempts, d.completed_at AS "completedAt"
    FROM events e JOIN webhook_deliveries d ON d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.id >= $3
   WHERE e.account_id = $1 AND e.livemode = $2 AND e.id >= $3 AND e.id < $4 AND e.object_id = $3 AND NOT e.is_sample`;

/** Tells to whom the events about one object were sent. */
@Injectable()
export class DeliveryHistory {
  constructor(private readonly dataSource: DataSource) {}

  /** `before`: an id that no event of it has reached. */
  about(
    { accountId, livemode, id }: { readonly accountId: string; readonly livemode: boolean; readonly id: string },
    before: string,
  ): Promise<SentDelivery[]> {
    return this.dataSource.query(SELECT_DELIVERIES, [accountId, livemode, id, before]);
  }
}

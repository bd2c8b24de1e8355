import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, LessThan, type Repository } from 'typeorm';
import type { Check } from '../../core/database/checks';
import { found } from '../../core/errors/domain-error';
import { HIGHEST_ID } from '../../core/http/ids';
import { type EventType, OWN_EVENT_TYPES } from '../../vocabulary/event-types';
import { Presents, type Viewer } from '../../core/resources/resources';
import {
  type AttemptedDelivery,
  DeliveryDetailsDto,
  type DeliveryFilters,
  type UnsentReason,
} from './delivery/delivery.dto';
import { HAS_NO_DELIVERY, IS_FOR } from './relay.service';
import { WebhookAttempt, WebhookDelivery } from './delivery/webhook-delivery.entity';
import type { WebhookEndpoint } from './endpoints/webhook-endpoint.entity';
import { isToldOf, TEST_EVENT, typesShown } from './events/event-patterns';

/**
 * What decides whether an endpoint is told of an event: account, mode, event, endpoint, transaction that made the
 * endpoint.
 */
const SELECT_EVENT_FOR_ENDPOINT = `
  SELECT type, (object_type = 'whk' AND object_id = $4 AND type <> ALL ($6)) AS "isItself", xact < $5 AS "isBefore",
         xact < (SELECT xact FROM relay_position WHERE name = 'webhooks') AS "isRelayed",
         EXISTS (
           SELECT 1 FROM webhook_deliveries d
            WHERE d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.endpoint_id = $4
         ) AS "isSent"
    FROM events e WHERE account_id = $1 AND livemode = $2 AND id = $3`;

/** Account, mode, endpoint, type of test events, idempotency key. */
const SELECT_TEST_DELIVERY = `
  SELECT d.id FROM webhook_deliveries d JOIN events e USING (account_id, livemode)
   WHERE account_id = $1 AND livemode = $2 AND d.endpoint_id = $3 AND d.event_type = $4 AND e.id = d.event_id
     AND e.idempotency_key = $5
   ORDER BY d.id DESC LIMIT 1`;

interface EventSeen {
  readonly isSent: boolean;
  readonly type: EventType;
  readonly isItself: boolean;
  readonly isBefore: boolean;
  readonly isRelayed: boolean;
}

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
  SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType", d.status,
         d.attempts, d.completed_at AS "completedAt"
    FROM events e
    JOIN webhook_deliveries d
      ON d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id AND d.id >= $3
   WHERE e.account_id = $1 AND e.livemode = $2 AND e.id >= $3 AND e.id < $4 AND e.object_id = $3 AND NOT e.is_sample`;

/** Later than a relay that works leaves an event, within the days that are looked at. */
const OWED_TOO_LONG = `
  e.id < uuid_v7_floor(now() - interval '15 minutes') AND e.id >= uuid_v7_floor(now() - interval '3 days')`;

/** Events that an endpoint was to be told of, listening then as it does now, and was not. */
const OWED = `
  SELECT e.id AS event_id, e.type, w.id AS endpoint_id, e.xact::text, r.xact::text AS relay_position
    FROM events e JOIN webhook_endpoints w ON ${IS_FOR} CROSS JOIN relay_position r
   WHERE r.name = 'webhooks' AND ${OWED_TOO_LONG} AND e.id >= uuid_v7_floor(w.updated_at) AND ${HAS_NO_DELIVERY}`;

/** What must hold between events and the endpoints that are told of them. */
export const WEBHOOK_CHECKS: readonly Check[] = [{ name: 'events_have_deliveries', violations: OWED }];

/** Reads deliveries and their attempts. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    @InjectRepository(WebhookAttempt) private readonly attempts: Repository<WebhookAttempt>,
    private readonly dataSource: DataSource,
  ) {}

  /** Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<AttemptedDelivery> {
    const delivery = found(
      id === null ? null : await this.deliveries.findOneBy({ accountId, livemode, id }),
      'delivery',
    );
    const attempts = await this.attempts.find({
      where: { accountId, livemode, deliveryId: delivery.id },
      order: { id: 'ASC' },
    });
    return { delivery, attempts };
  }

  @Presents('dlv', 'webhooks:read')
  async present(viewer: Viewer, id: string): Promise<DeliveryDetailsDto> {
    return DeliveryDetailsDto.with(await this.require(viewer, id));
  }

  /** Newest first, below the uuid `before`. */
  async list(
    endpoint: WebhookEndpoint,
    { status, eventId, types, httpStatus }: DeliveryFilters,
    before: string | null,
    take: number,
  ): Promise<WebhookDelivery[]> {
    if (eventId === null) return [];
    const { accountId, livemode, id: endpointId } = endpoint;
    const where = {
      accountId,
      livemode,
      endpointId,
      id: LessThan(before ?? HIGHEST_ID),
      ...(status && { status }),
      ...(eventId && { eventId }),
      ...(types && { eventType: In(typesShown(types)) }),
      ...(httpStatus !== undefined && { lastHttpStatus: httpStatus }),
    };
    return this.deliveries.find({ where, order: { id: 'DESC' }, take });
  }

  /** Of one event, to all endpoints, the newest first, below the uuid `before`, with their attempts. */
  async ofEvent(
    { accountId, livemode }: Viewer,
    eventId: string,
    before: string | null,
    take: number,
  ): Promise<AttemptedDelivery[]> {
    const sent = await this.deliveries.find({
      where: { accountId, livemode, eventId, id: LessThan(before ?? HIGHEST_ID) },
      order: { id: 'DESC' },
      take,
    });
    const where = { accountId, livemode, deliveryId: In(sent.map(({ id }) => id)) };
    const attempts = sent.length === 0 ? [] : await this.attempts.find({ where, order: { id: 'ASC' } });
    const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    return sent.map((delivery) => ({ delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
  }

  /** The test of an endpoint that a request with this idempotency key made. */
  async findTest({ accountId, livemode }: Viewer, endpointId: string, key: string | null): Promise<string | null> {
    const [test]: { id: string }[] = await this.deliveries.query(SELECT_TEST_DELIVERY, [
      accountId,
      livemode,
      endpointId,
      TEST_EVENT,
      key,
    ]);
    return test?.id ?? null;
  }

  /**
   * Why an event was not sent to an endpoint, for filters that find no delivery. Null when they ask for no event, or
   * for one that has deliveries.
   */
  async whyUnsent(
    { accountId, livemode, id, events, includeSecrets, createdIn }: WebhookEndpoint,
    { eventId }: DeliveryFilters,
  ): Promise<UnsentReason | null> {
    if (eventId === undefined) return null;
    const [event]: EventSeen[] = await this.dataSource.query(SELECT_EVENT_FOR_ENDPOINT, [
      accountId,
      livemode,
      eventId,
      id,
      createdIn,
      OWN_EVENT_TYPES,
    ]);
    if (event === undefined) return 'unknown_event';
    if (event.isSent) return null;
    if (event.isItself) return 'about_itself';
    if (!isToldOf({ events, includeSecrets }, event.type)) return 'filtered';
    if (event.isBefore) return 'before_endpoint';
    return event.isRelayed ? 'not_listening_then' : 'relay_pending';
  }

  /** All deliveries of some events, the first one first. */
  async ofEvents({ accountId, livemode }: Viewer, eventIds: readonly string[]): Promise<AttemptedDelivery[]> {
    const deliveries = await this.deliveries.find({
      where: { accountId, livemode, eventId: In(eventIds) },
      order: { id: 'ASC' },
    });
    const ids = deliveries.map(({ id }) => id);
    const attempts = await this.attempts.find({
      where: { accountId, livemode, deliveryId: In(ids) },
      order: { id: 'ASC' },
    });
    return deliveries.map((delivery) => ({
      delivery,
      attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
    }));
  }

  /** To whom the events about one object were sent. `before`: an id that no event of it has reached. */
  about(
    { accountId, livemode, id }: { readonly accountId: string; readonly livemode: boolean; readonly id: string },
    before: string,
  ): Promise<SentDelivery[]> {
    return this.dataSource.query(SELECT_DELIVERIES, [accountId, livemode, id, before]);
  }
}

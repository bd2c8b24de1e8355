import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { found } from '../../core/errors/not-found';
import { HIGHEST_ID } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import { TEST_EVENT } from './endpoint-patterns.batch';
import { SELECT_TEST_DELIVERY } from './replays.queries';
import { WebhookAttempt } from './webhook-attempt.entity';
import { WebhookDelivery } from './webhook-delivery.entity';
import type { WebhookEndpoint } from './webhook-endpoint.entity';
import type { DeliveryStatus } from './webhooks.types';

/** A delivery with its attempts, the first one first. */
export interface AttemptedDelivery {
  readonly delivery: WebhookDelivery;
  readonly attempts: readonly WebhookAttempt[];
}

/** `eventId`: null for an id that no event can have. */
export interface DeliveryFilters {
  readonly status?: DeliveryStatus;
  readonly eventId?: string | null;
}

/** Reads deliveries and their attempts. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    @InjectRepository(WebhookAttempt) private readonly attempts: Repository<WebhookAttempt>,
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

  /** Newest first, below the uuid `before`. */
  async list(
    endpoint: WebhookEndpoint,
    { status, eventId }: DeliveryFilters,
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
    };
    return this.deliveries.find({ where, order: { id: 'DESC' }, take });
  }

  /** The newest delivery of an event to an endpoint. */
  async findNewest({ accountId, livemode }: Viewer, endpointId: string, eventId: string): Promise<string | null> {
    const newest = await this.deliveries.findOne({
      where: { accountId, livemode, endpointId, eventId },
      order: { id: 'DESC' },
    });
    return newest?.id ?? null;
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
}

import { Injectable } from '@nestjs/common';
import { ReadPipeline } from '../../core/database/database.module';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { EventEpochs } from '../../core/outbox/event-epochs';
import type { EventType } from '../../core/outbox/event-types';
import type { DueDelivery } from './deliveries.types';
import { DeliveryPlanner, type Planned } from './delivery-planner.service';
import { DeliveryQueue } from './delivery-queue.service';
import { LOOK, MATCHES, MATCHES_ONCE, MOVE, POSITION, TRY_LOCK, WINDOW_END } from './relay.queries';
import type { EndpointStatus, WebhookFault } from './webhook-endpoint.entity';

/** Events of one transaction of the relay, but for those of the last one, which come whole. */
const WINDOW_EVENTS = 500;
/** Transactions without anything to send that are passed over in one go; to note each would cost a commit each. */
const GAP = 10_000n;

interface Look {
  readonly xact: string;
  readonly horizon: string;
  /** Whether the numbers are those of this server. */
  readonly isHere: boolean;
  readonly hasEndpoints: boolean;
  readonly hasEvents: boolean;
}

interface Position {
  readonly xact: string;
  readonly horizon: string;
  /** Of the epoch. */
  readonly base: string;
  readonly lowestId: string;
}

interface Match {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly endpointId: string;
  readonly status: EndpointStatus;
  readonly faults: WebhookFault | null;
}

/** What is sent from here on, and whether another window follows. */
interface Step {
  readonly due: readonly DueDelivery[];
  readonly isMore: boolean;
}

/**
 * Turns events into deliveries. It reads by the number of their transaction, up to the oldest one that is still open: below
 * it everything is decided, so a transaction that commits late is not passed over. One relay works at a time.
 */
@Injectable()
export class Relay {
  constructor(
    private readonly reads: ReadPipeline,
    private readonly uow: UnitOfWork,
    private readonly epochs: EventEpochs,
    private readonly planner: DeliveryPlanner,
    private readonly queue: DeliveryQueue,
  ) {}

  /** All that was decided until now, unless another relay is at it. */
  async relayNow(signal?: AbortSignal): Promise<void> {
    const { rows } = await this.reads.query<Look & Record<string, unknown>>(LOOK, []);
    const look = rows[0]!;
    if (!look.isHere) await this.epochs.renew();
    else if (look.hasEndpoints && look.hasEvents) while ((await this.relayWindow()) && signal?.aborted !== true);
    else if (BigInt(look.horizon) - BigInt(look.xact) > GAP) await this.uow.run((tx) => this.pass(tx, look));
  }

  private async relayWindow(): Promise<boolean> {
    const { due, isMore } = await this.uow.run((tx) => this.advance(tx));
    await this.queue.enqueue(due);
    return isMore;
  }

  private async advance(tx: Tx): Promise<Step> {
    const position = await this.lock(tx);
    if (position === null) return { due: [], isMore: false };
    const { xact, horizon, base, lowestId } = position;
    const [next]: { xact: string }[] = await tx.query(WINDOW_END, [xact, horizon, lowestId, WINDOW_EVENTS]);
    const end = next === undefined ? horizon : next.xact === xact ? String(BigInt(xact) + 1n) : next.xact;
    const matches: Match[] = await tx.query(BigInt(xact) <= BigInt(base) ? MATCHES_ONCE : MATCHES, [
      xact,
      end,
      lowestId,
    ]);
    const due = await this.planner.write(tx, matches.map(plannedOf));
    await this.move(tx, xact, { to: end, isAll: next === undefined });
    return { due, isMore: next !== undefined };
  }

  /** Moves on over what has nothing for anybody: only to where that was seen, as an endpoint may have been made meanwhile. */
  private async pass(tx: Tx, { xact, horizon }: Look): Promise<void> {
    const position = await this.lock(tx);
    if (position?.xact === xact) await this.move(tx, xact, { to: horizon, isAll: true });
  }

  private async lock(tx: Tx): Promise<Position | null> {
    const [{ isMine }] = (await tx.query(TRY_LOCK)) as [{ isMine: boolean }];
    return isMine ? ((await tx.query(POSITION)) as [Position])[0] : null;
  }

  private async move(tx: Tx, from: string, { to, isAll }: { to: string; isAll: boolean }): Promise<void> {
    const [moved]: [unknown[], number] = await tx.query(MOVE, [from, to, isAll]);
    if (moved.length === 0) throw new Error('two relays worked at a time');
  }
}

const plannedOf = ({ accountId, livemode, eventId, eventType, endpointId, status, faults }: Match): Planned => ({
  endpoint: { accountId, livemode, id: endpointId, faults },
  event: { id: eventId, type: eventType },
  isReplay: false,
  status: status === 'enabled' ? 'pending' : 'disabled',
});

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import type { DeliveryJob } from './delivery-queue.service';
import type { Attempted } from './webhook-sender.service';

const LANES_MAX = 10_000;
/** Attempts under way in a process, in live and in test mode. */
const IN_FLIGHT_ALL = { true: 192, false: 64 };
/** Attempts that ended while PostgreSQL is slow to write what came of them. */
const UNWRITTEN_MAX = 500;
/**
 * Of all endpoints of an account in one mode: half of the places of the smallest mode, so that a storm of one leaves
 * room for others.
 */
const IN_FLIGHT_ACCOUNT = 32;
/**
 * Who answers within this on average may take all places: each is free again in a moment. A slower endpoint gets none
 * of the last half; an account counts as slower until it is known.
 */
export const QUICK_MS = 250;
const NOT_KNOWN_MS = 1_000;
/** Of an endpoint that gives no answers: each attempt takes a place for as long as a time-out. */
const IN_FLIGHT_SILENT = 2;
const SILENT_AFTER = 3;
const WAIT_MIN_MS = 20;
const REFILL_SHARE = 1 / 4;
/** Longer would leave an endpoint idle that has recovered meanwhile. */
const WAIT_MAX_MS = 30_000;
/** So much of what its messages per second allow an endpoint may catch up on: nobody comes to the millisecond. */
const CATCH_UP_MS = 50;
const SMOOTHING = 0.2;
const SILENT = new Set<string>(['timeout', 'connection_failed']);

type Limits = Pick<WebhookEndpoint, 'inFlightMax' | 'perSecondMax'>;

/** What this process knows of the deliveries to one endpoint, of one account, or of one mode. */
interface Lane extends Limits {
  inFlight: number;
  /** Attempts in a row without any answer. */
  silent: number;
  /** Mean time of an attempt. */
  meanMs: number;
  /** When the next message may go, where messages per second are limited. */
  freeAt: number;
  /** When the last of those that were sent away may come again. */
  lastWaitUntil: number;
  onFreed: () => unknown;
}

/** One place until more is known: an endpoint may have asked for no more. */
const newLane = (meanMs: number): Lane => ({
  inFlightMax: 1,
  perSecondMax: null,
  inFlight: 0,
  silent: 0,
  meanMs,
  freeAt: 0,
  lastWaitUntil: 0,
  onFreed: () => undefined,
});

/** A limit: how many places it leaves, and after how long there is another one. */
interface Limit {
  readonly lane: Lane;
  readonly free: number;
  readonly spacingMs: number;
}

/** Places that are taken, and must be given back; where there is none, milliseconds after which to ask again. */
export interface Taken {
  readonly places: number;
  readonly waitMs: number;
}

/**
 * Keeps one endpoint, all endpoints of one account, and all that are slow from taking all places: counts per process,
 * as there is no counter that all kinds of queues share.
 */
@Injectable()
export class DeliverySlots {
  private readonly lanes = new LRUCache<string, Lane>({ max: LANES_MAX });
  private unwritten = 0;

  /** As many as are wanted, at most. `now`: of a clock that nobody sets. */
  take(job: DeliveryJob, wanted: number, now = performance.now()): Taken {
    const { free, lane, spacingMs } = this.limitsOf(job, now).reduce((a, b) => (b.free < a.free ? b : a));
    if (free < 1) return { places: 0, waitMs: waitMs(lane, spacingMs, now) };
    const places = Math.min(free, wanted);
    for (const each of this.lanesOf(job)) each.inFlight += places;
    const own = this.laneOf(job.endpointId);
    own.freeAt = Math.max(own.freeAt, now - CATCH_UP_MS) + places * gapMsOf(own);
    return { places, waitMs: 0 };
  }

  /** Places that there was nothing for. */
  giveBack(job: DeliveryJob, places: number): void {
    for (const lane of this.lanesOf(job)) lane.inFlight = Math.max(0, lane.inFlight - places);
    const own = this.laneOf(job.endpointId);
    own.freeAt -= places * gapMsOf(own);
  }

  learn(endpointId: string, { inFlightMax, perSecondMax }: Limits): void {
    Object.assign(this.laneOf(endpointId), { inFlightMax, perSecondMax });
  }

  /** An attempt has ended: its endpoint can have the next. What came of it is to be `written`. */
  release(job: DeliveryJob, attempted: Attempted | null): void {
    this.unwritten++;
    for (const lane of this.lanesOf(job)) {
      lane.inFlight = Math.max(0, lane.inFlight - 1);
      lane.onFreed();
      if (attempted === null) continue;
      lane.silent = SILENT.has(attempted.code) ? lane.silent + 1 : 0;
      lane.meanMs += SMOOTHING * (attempted.durationMs - lane.meanMs);
    }
  }

  written(): void {
    this.unwritten--;
  }

  /** When enough of an endpoint's places are free to ask for the next deliveries, and not one by one. */
  room({ endpointId }: DeliveryJob): Promise<void> {
    const lane = this.laneOf(endpointId);
    return new Promise((resolve) => {
      lane.onFreed = () => lane.inFlightMax - lane.inFlight >= lane.inFlightMax * REFILL_SHARE && resolve();
      lane.onFreed();
    });
  }

  private limitsOf(job: DeliveryJob, now: number): Limit[] {
    const [lane, ofAccount, ofAll] = this.lanesOf(job);
    const isSilent = lane.silent >= SILENT_AFTER;
    const max = isSilent ? Math.min(IN_FLIGHT_SILENT, lane.inFlightMax) : lane.inFlightMax;
    const isQuick = !isSilent && lane.meanMs < QUICK_MS;
    const all = IN_FLIGHT_ALL[`${job.livemode}`] / (isQuick ? 1 : 2);
    const limits = [
      { lane, free: max - lane.inFlight, spacingMs: Math.max(lane.meanMs / max, 1) },
      { lane: ofAll, free: all - ofAll.inFlight, spacingMs: Math.max(ofAll.meanMs / all, 1) },
      { lane: ofAll, free: UNWRITTEN_MAX - this.unwritten, spacingMs: 1 },
    ];
    if (lane.perSecondMax !== null) limits.push({ lane, free: allowedNow(lane, now), spacingMs: gapMsOf(lane) });
    if (ofAccount.meanMs >= QUICK_MS)
      limits.push({
        lane: ofAccount,
        free: IN_FLIGHT_ACCOUNT - ofAccount.inFlight,
        spacingMs: ofAccount.meanMs / IN_FLIGHT_ACCOUNT,
      });
    return limits;
  }

  private lanesOf({ endpointId, accountId, livemode }: DeliveryJob): [endpoint: Lane, account: Lane, mode: Lane] {
    return [
      this.laneOf(endpointId),
      this.laneOf(`${accountId}:${livemode}`, NOT_KNOWN_MS),
      this.laneOf(String(livemode)),
    ];
  }

  private laneOf(key: string, meanMs = 0): Lane {
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    const lane = newLane(meanMs);
    this.lanes.set(key, lane);
    return lane;
  }
}

const gapMsOf = ({ perSecondMax }: Lane): number => (perSecondMax === null ? 0 : 1_000 / perSecondMax);

/** Messages that may go now where their number per second is limited. */
function allowedNow(lane: Lane, now: number): number {
  if (now < lane.freeAt) return 0;
  return 1 + Math.floor((now - Math.max(lane.freeAt, now - CATCH_UP_MS)) / gapMsOf(lane));
}

/** Those who wait come back one after the other, as places become free: all at once would be sent away again. */
function waitMs(lane: Lane, spacingMs: number, now: number): number {
  lane.lastWaitUntil = Math.min(Math.max(lane.lastWaitUntil, now + WAIT_MIN_MS) + spacingMs, now + WAIT_MAX_MS);
  return Math.ceil(lane.lastWaitUntil - now);
}

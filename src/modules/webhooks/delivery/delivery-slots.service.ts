import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import type { DeliveryJob } from './delivery-queue.service';
import type { Attempted } from './webhook-sender.service';

const LANES_MAX = 10_000;
const IN_FLIGHT = 8;
/**
 * Of all endpoints of an account in one mode: half of the places of the smallest queue, so that a storm of one leaves
 * room for others.
 */
const IN_FLIGHT_ACCOUNT = 32;
/**
 * Whose endpoints answer within this on average may take all places: each is free again in a moment, and to send jobs
 * away costs a worker as much as it does to deliver them. An account counts as slower until it is known.
 */
const QUICK_MS = 250;
const NOT_KNOWN_MS = 1_000;
/** Of an endpoint that gives no answers: each attempt takes a worker's place for as long as a time-out. */
const IN_FLIGHT_SILENT = 2;
const SILENT_AFTER = 3;
const WAIT_MIN_MS = 20;
/** Longer would leave an endpoint idle that has recovered meanwhile. */
const WAIT_MAX_MS = 30_000;
const SMOOTHING = 0.2;
const SILENT = new Set<string>(['timeout', 'connection_failed']);

type Limits = Pick<WebhookEndpoint, 'inFlightMax' | 'perSecondMax'>;

/** Whose delivery it is, and where it goes. */
type Sent = Pick<DeliveryJob, 'accountId' | 'livemode' | 'endpointId'>;

/** What this process knows of the deliveries to one endpoint, or of one account. */
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
}

const newLane = (meanMs: number): Lane => ({
  inFlightMax: IN_FLIGHT,
  perSecondMax: null,
  inFlight: 0,
  silent: 0,
  meanMs,
  freeAt: 0,
  lastWaitUntil: 0,
});

/**
 * Keeps one endpoint, and all endpoints of one account, from taking all places: counts per process, as there is no
 * counter that all kinds of queues share.
 */
@Injectable()
export class DeliverySlots {
  private readonly lanes = new LRUCache<string, Lane>({ max: LANES_MAX });

  /** 0: the place is taken, and must be given back. Else milliseconds after which to ask again. */
  take({ endpointId, ...owner }: Sent, now = Date.now()): number {
    const lane = this.laneOf(endpointId);
    const ofAccount = this.laneOf(accountOf(owner), NOT_KNOWN_MS);
    if (ofAccount.inFlight >= IN_FLIGHT_ACCOUNT && ofAccount.meanMs >= QUICK_MS)
      return waitMs(ofAccount, ofAccount.meanMs / IN_FLIGHT_ACCOUNT, now);
    const max = lane.silent >= SILENT_AFTER ? Math.min(IN_FLIGHT_SILENT, lane.inFlightMax) : lane.inFlightMax;
    const gapMs = lane.perSecondMax === null ? 0 : 1_000 / lane.perSecondMax;
    if (lane.inFlight >= max || now < lane.freeAt) return waitMs(lane, Math.max(lane.meanMs / max, gapMs, 1), now);
    lane.inFlight++;
    ofAccount.inFlight++;
    lane.freeAt = now + gapMs;
    return 0;
  }

  learn(endpointId: string, { inFlightMax, perSecondMax }: Limits): void {
    Object.assign(this.laneOf(endpointId), { inFlightMax, perSecondMax });
  }

  release({ endpointId, ...owner }: Sent, attempted: Attempted | null): void {
    for (const lane of [this.laneOf(endpointId), this.laneOf(accountOf(owner), NOT_KNOWN_MS)]) {
      lane.inFlight = Math.max(0, lane.inFlight - 1);
      if (attempted === null) continue;
      lane.silent = SILENT.has(attempted.code) ? lane.silent + 1 : 0;
      lane.meanMs += SMOOTHING * (attempted.durationMs - lane.meanMs);
    }
  }

  private laneOf(key: string, meanMs = 0): Lane {
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    const lane = newLane(meanMs);
    this.lanes.set(key, lane);
    return lane;
  }
}

const accountOf = ({ accountId, livemode }: Omit<Sent, 'endpointId'>): string => `${accountId}:${livemode}`;

/** Those who wait come back one after the other, as places become free: all at once would be sent away again. */
function waitMs(lane: Lane, spacingMs: number, now: number): number {
  lane.lastWaitUntil = Math.min(Math.max(lane.lastWaitUntil, now + WAIT_MIN_MS) + spacingMs, now + WAIT_MAX_MS);
  return Math.ceil(lane.lastWaitUntil - now);
}

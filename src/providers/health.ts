import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RoutedProduct } from '../vocabulary/products';

/** Whose calls are looked at together: one network at one provider, in live mode or not. */
export interface Watched {
  readonly product: RoutedProduct;
  readonly provider: string;
  readonly network: string;
  readonly livemode: boolean;
}

/** How a provider did in the last minutes, as this process saw it. */
export interface Wellness {
  /** Share of calls that it ended as it should, from 0 to 1; near 1 while there are few. */
  readonly successRate: number;
  /** 95 of 100 answers took at most this; null: too few to say. */
  readonly p95Ms: number | null;
  readonly calls: number;
}

interface Slice {
  /** Number of the slice since 1970. */
  at: number;
  calls: number;
  failures: number;
  /** Calls by the power of two of their milliseconds. */
  readonly durations: Uint32Array;
}

/** As it counts for routes, and when that was last decided. */
interface Standing {
  readonly slices: Slice[];
  factor: number;
  decidedAt: number;
}

const SLICE_MS = 15_000;
/** Five minutes. */
const SLICES = 20;
const BUCKETS = 20;
const LINES_MAX = 10_000;

/** Before there are calls a provider is taken to have ended so many well. */
const BELIEVED_CALLS = 10;
/** How steeply a provider loses its share with its success: at half of the best it keeps a sixteenth. */
const STEEPNESS = 4;
/** Nobody loses all: calls that do come say when it is well again. */
export const SHARE_MIN = 0.01;
/** A standing is kept so long, and changes by no less, that shares do not swing. */
const DECIDED_EVERY_MS = 10_000;
const CHANGE_MIN = 0.1;
/** Slower than this, and than twice the best, costs share. */
const SLOW_MS = 2_000;
const P95_CALLS_MIN = 20;

/**
 * How well providers do, by the calls of this process in the last five minutes: what shares of routes are corrected by.
 * Not a breaker: that one stops asking, this one asks less.
 */
@Injectable()
export class Health {
  private readonly lines = new LRUCache<string, Standing>({ max: LINES_MAX });

  /** `isWell`: it was delivered, is under way, or was refused for a reason that is not the provider's. */
  note(watched: Watched, isWell: boolean, ms: number, now = Date.now()): void {
    const slice = sliceOf(this.standingOf(watched).slices, now);
    slice.calls++;
    if (!isWell) slice.failures++;
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log2(Math.max(1, ms)))));
    slice.durations[bucket]!++;
  }

  of(watched: Watched, now = Date.now()): Wellness {
    const { slices } = this.standingOf(watched);
    const first = Math.floor(now / SLICE_MS) - SLICES;
    let [calls, failures] = [0, 0];
    const durations = new Uint32Array(BUCKETS);
    for (const slice of slices) {
      if (slice.at <= first) continue;
      calls += slice.calls;
      failures += slice.failures;
      slice.durations.forEach((count, bucket) => (durations[bucket]! += count));
    }
    const successRate = (calls - failures + BELIEVED_CALLS) / (calls + BELIEVED_CALLS);
    return { successRate, p95Ms: calls < P95_CALLS_MIN ? null : percentile(durations, calls), calls };
  }

  /**
   * By what the weights of those who stand at one position are multiplied, from `SHARE_MIN` to 1: the best keeps its
   * own. In the order of `equals`.
   */
  factors(equals: readonly Watched[], now = Date.now()): number[] {
    const wells = equals.map((watched) => this.of(watched, now));
    const best = Math.max(...wells.map(({ successRate }) => successRate));
    const quickest = Math.min(...wells.map(({ p95Ms }) => p95Ms ?? Infinity));
    return equals.map((watched, i) => {
      const { successRate, p95Ms } = wells[i]!;
      const isSlow = p95Ms !== null && p95Ms > SLOW_MS && p95Ms > 2 * quickest;
      const wanted = Math.max(SHARE_MIN, (successRate / best) ** STEEPNESS * (isSlow ? quickest / p95Ms : 1));
      return this.decided(this.standingOf(watched), wanted, now);
    });
  }

  private decided(standing: Standing, wanted: number, now: number): number {
    if (now - standing.decidedAt < DECIDED_EVERY_MS) return standing.factor;
    const isEnd = wanted === SHARE_MIN || wanted === 1;
    if (isEnd || Math.abs(wanted - standing.factor) >= CHANGE_MIN * Math.max(wanted, standing.factor)) {
      standing.factor = wanted;
      standing.decidedAt = now;
    }
    return standing.factor;
  }

  private standingOf({ product, provider, network, livemode }: Watched): Standing {
    const key = `${product}/${provider}/${network}/${livemode}`;
    const known = this.lines.get(key);
    if (known) return known;
    const standing: Standing = { slices: [], factor: 1, decidedAt: -Infinity };
    this.lines.set(key, standing);
    return standing;
  }
}

/** That of the moment; the oldest is used again. */
function sliceOf(slices: Slice[], now: number): Slice {
  const at = Math.floor(now / SLICE_MS);
  const last = slices.at(-1);
  if (last?.at === at) return last;
  const slice =
    slices.length >= SLICES ? slices.shift()! : { at, calls: 0, failures: 0, durations: new Uint32Array(BUCKETS) };
  Object.assign(slice, { at, calls: 0, failures: 0 });
  slice.durations.fill(0);
  slices.push(slice);
  return slice;
}

/** Upper end of the bucket in which the 95th of a hundred lies. */
function percentile(durations: Uint32Array, calls: number): number {
  let left = Math.ceil(calls * 0.95);
  const bucket = durations.findIndex((count) => (left -= count) <= 0);
  return 2 ** bucket;
}

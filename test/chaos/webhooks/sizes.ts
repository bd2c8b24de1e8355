/** How much happens in a run. */
export interface Size {
  readonly events: number;
  /**
   * How many messages the endpoint takes at a time: what is under way when a worker is killed comes again. With 8, and
   * answers after 20 ms on average, 18,000 at the end would take 45 s, whoever sends them.
   */
  readonly maxInFlight: number;
  /** How long the load takes, besides its last part, which waits for the end of all faults. */
  readonly paceMs: number;
  readonly workerKills: number;
  /** Of these, as many hit one job, one after the other. */
  readonly killsOfOneJob: number;
  /** Others that come before all other faults; the rest comes after them. */
  readonly killsBefore: number;
  readonly redisAwayMs: number;
  /** Until nothing waits any more, after the last fault. */
  readonly backlogMaxMs: number;
}

const NO_KILLS = { workerKills: 0, killsOfOneJob: 0, killsBefore: 0, redisAwayMs: 0 };

/** The whole run, `--short` for CI, and `--evicting`: a Redis that has a cache in it and too little memory. */
export const SIZES: Readonly<Record<'long' | 'short' | 'evicting', Size>> = {
  long: {
    events: 20_000,
    maxInFlight: 16,
    paceMs: 180_000,
    workerKills: 20,
    killsOfOneJob: 3,
    killsBefore: 9,
    redisAwayMs: 60_000,
    backlogMaxMs: 60_000,
  },
  short: {
    events: 2_000,
    maxInFlight: 8,
    paceMs: 40_000,
    workerKills: 3,
    killsOfOneJob: 1,
    killsBefore: 2,
    redisAwayMs: 6_000,
    backlogMaxMs: 60_000,
  },
  evicting: { events: 50_000, maxInFlight: 32, paceMs: 0, ...NO_KILLS, backlogMaxMs: 600_000 },
};

/** How much happens in a run. */
export interface Size {
  /** Requests about cards. */
  readonly operations: number;
  readonly payments: number;
  /** Bank transfers to virtual accounts. */
  readonly transfers: number;
  /** How long the load takes, besides its last part, which waits for the end of all kills. */
  readonly paceMs: number;
  readonly apiKills: number;
  /** Of each kind: of a session at work, and of the postmaster. */
  readonly postgresKills: number;
}

/** The whole run, and `--short` for CI. */
export const SIZES: Readonly<Record<'long' | 'short', Size>> = {
  long: { operations: 1_000, payments: 500, transfers: 300, paceMs: 150_000, apiKills: 20, postgresKills: 3 },
  short: { operations: 100, payments: 40, transfers: 25, paceMs: 7_000, apiKills: 4, postgresKills: 1 },
};

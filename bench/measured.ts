import type { Outcome } from './load';

export interface Timing {
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** What finds the peak, and is enough for a few hundred a second; and what at half of the peak no request waits for. */
export const CONNECTIONS = { peak: 64, paced: 512 };

/** For a rate near half of the peak; without one, for the peak. */
export const connectionsFor = (ratePerSecond?: number): number =>
  ratePerSecond === undefined ? CONNECTIONS.peak : CONNECTIONS.paced;

/** A request was not answered as it had to be: the figures of the run mean nothing. */
export class InvalidRun extends Error {}

/** Throws `InvalidRun` unless every answer was the expected one. */
export function validated(outcome: Outcome): Outcome {
  const faults = Object.entries(outcome.faults).map(([what, count]) => `${count} × ${what}`);
  if (faults.length > 0) throw new InvalidRun(`${faults.join(', ')} beside ${outcome.answered} right answers`);
  return outcome;
}

import type { UnknownOutcome } from '../../providers/answers';
import { adapts } from '../../providers/registry';
import type { Pair } from './rates.service';

/** What one unit of `base` is worth in `quote`, in the middle of buying and selling: no spread is taken off yet. */
interface Said {
  readonly outcome: 'said';
  /** A decimal number above 0, with up to 18 decimal places: `1550.25`. */
  readonly rate: string;
  /** When it was so; not in the future. */
  readonly asOf: Date;
}

export type RateResult = Said | UnknownOutcome;

/** A port to whoever knows what currencies are worth. Asked by a recurring job: never within a request. */
export interface RatesProvider {
  mid(pair: Pair, signal: AbortSignal): Promise<RateResult>;
}

/** Marks a Nest provider class as one that says rates. Routes may name the pair (`USD/NGN`). */
export const SaysRates = adapts<RatesProvider>('rates');

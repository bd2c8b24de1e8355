import { newId } from '../../src/core/http/ids';
import type { Duka } from './duka';

interface SetRate {
  readonly from: string;
  readonly to: string;
  readonly rate: string;
  readonly livemode?: boolean;
  /** Basis points. */
  readonly spread?: number;
  readonly maxAgeSeconds?: number;
}

/** As `rate:set` does it: the application has no right to. */
export async function setRate(
  duka: Duka,
  { from, to, rate, livemode = false, spread = 0, maxAgeSeconds }: SetRate,
): Promise<void> {
  await duka.asOwner(
    `INSERT INTO fx_rates (livemode, base, quote, id, rate, spread_basis_points, max_age_seconds, person, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'ada', 'a test')`,
    [livemode, from, to, newId(), rate, spread, maxAgeSeconds ?? null],
  );
}

import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode } from '../../../../core/http/fields';
import { timeOf } from '../../../../core/http/ids';
import { Flag } from '../../../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney } from '../../../../core/money/money';
import { rateText } from '../../../conversions/rate';
import type { StoredRate } from '../../../conversions/rates.service';
import { type Verification, VERIFICATION_SOURCES } from '../../../ledger/verifications';
import { type BookSum, type FxPositionState, type SealState, UNSEALED_MAX } from './books.service';

/** Ledger accounts of one name. Sums may be more than a number holds: texts say them, in minor units, too. */
export class BookAccountDto {
  /** As the ledger calls it: of several accounts without whose they are. */
  name: string;
  /** Of the platform, or of those who use it. */
  platform: boolean;
  count: number;
  available_display: string;
  held_display: string;
  /** Both together, in minor units. Below zero: it gave away more than it has. */
  balance: string;
  balance_display: string;
}

/** The books in one currency. */
export class BookDto {
  livemode: boolean;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** What all wallets and cards hold, in minor units. */
  customers: string;
  customers_display: string;
  platform: string;
  platform_display: string;
  /** All of it together: nothing, or the books are wrong. */
  sum: string;
  sum_display: string;
  balanced: boolean;
  accounts: BookAccountDto[];

  static of(this: void, sums: readonly BookSum[]): BookDto {
    const { livemode, currency } = sums[0]!;
    const display = (amount: bigint) => displayMoney({ amount, currency });
    const totalOf = (some: readonly BookSum[]) =>
      some.reduce((total, { available, held }) => total + BigInt(available) + BigInt(held), 0n);
    const customers = totalOf(sums.filter(({ isPlatform }) => !isPlatform));
    const platform = totalOf(sums.filter(({ isPlatform }) => isPlatform));
    const sum = customers + platform;
    return {
      livemode,
      currency,
      customers: String(customers),
      customers_display: display(customers),
      platform: String(platform),
      platform_display: display(platform),
      sum: String(sum),
      sum_display: display(sum),
      balanced: sum === 0n,
      accounts: sums.map(({ name, isPlatform, count, available, held }) => ({
        name,
        platform: isPlatform,
        count,
        available_display: display(BigInt(available)),
        held_display: display(BigInt(held)),
        balance: String(BigInt(available) + BigInt(held)),
        balance_display: display(BigInt(available) + BigInt(held)),
      })),
    };
  }
}

/** How far the chain of hashes is. */
export class BookSealDto {
  /** The last link, `<position>:<chain>`, as `verify:ledger --head` takes it. Null: nothing was sealed yet. */
  head: string | null;
  position: string | null;
  /** When the batch of the last link was written. */
  head_at: Date | null;
  /** Batches that are not sealed yet. */
  unsealed: number;
  /** There are at least so many. */
  unsealed_more: boolean;
  /** When the oldest of them was written. */
  unsealed_since: Date | null;
  /** When the sealer was done last, whether or not there was anything to do. */
  sealer_at: Date | null;

  static of(this: void, { head, unsealed, oldest, sealerAt }: SealState): BookSealDto {
    return {
      head: head && `${head.position}:${head.chain}`,
      position: head && head.position,
      head_at: head && timeOf(head.id),
      unsealed,
      unsealed_more: unsealed === UNSEALED_MAX,
      unsealed_since: oldest === null ? null : timeOf(oldest),
      sealer_at: sealerAt,
    };
  }
}

export class BooksDto {
  data: BookDto[];
  seal: BookSealDto;

  static of(this: void, sums: readonly BookSum[], seal: SealState): BooksDto {
    const books = Map.groupBy(sums, ({ livemode, currency }) => `${livemode} ${currency}`);
    return { data: [...books.values()].map(BookDto.of), seal: BookSealDto.of(seal) };
  }
}

/** A check that failed. */
export class VerificationFindingDto {
  check: string;
  found: number;
  /** The first few of what was found, as JSON. */
  sample: string[];
}

const STATES = ['waiting', 'running', 'in_order', 'not_in_order', 'failed'] as const;

/** A run of `verify:ledger`. */
export class VerificationDto {
  id: string;
  @ApiProperty({ enum: STATES })
  state: (typeof STATES)[number];
  @ApiProperty({ enum: VERIFICATION_SOURCES })
  source: Verification['source'];
  /** E-mail address of who ordered it; null: the command line, which asks nobody. */
  person: string | null;
  ordered_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  checks: number;
  done: number;
  /** The check under way, and how far it is. */
  doing: string | null;
  findings: VerificationFindingDto[];
  /** Why it ended before it was done. */
  failure: string | null;

  static of(this: void, verification: Verification): VerificationDto {
    const { id, source, person, startedAt, endedAt, checks, doing, results, failure } = verification;
    const findings = results.filter(({ ok }) => !ok);
    return {
      id,
      state: stateOf(verification),
      source,
      person,
      ordered_at: source === 'command' ? startedAt! : timeOf(id),
      started_at: startedAt,
      ended_at: endedAt,
      checks,
      done: results.length,
      doing,
      findings: findings.map(({ check, found, sample }) => ({ check, found, sample: sample.map(textOf) })),
      failure,
    };
  }
}

const textOf = (row: object): string => JSON.stringify(row);

function stateOf({ startedAt, endedAt, failure, results }: Verification): VerificationDto['state'] {
  if (endedAt === null) return startedAt === null ? 'waiting' : 'running';
  if (failure !== null) return 'failed';
  return results.every(({ ok }) => ok) ? 'in_order' : 'not_in_order';
}

export class VerificationsDto {
  /** Newest first. */
  data: VerificationDto[];
}

export class PositionsQuery {
  @Flag()
  livemode: boolean = true;

  /** Which currency positions are valued in. */
  @CurrencyCode({ optional: true })
  in: Currency = 'USD';
}

/** What the platform holds of a currency by conversions: below zero it is short. */
export class FxPositionDto {
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  @ApiProperty({ enum: ['long', 'short', 'flat'] })
  side: 'long' | 'short' | 'flat';
  amount_display: string;
  /** As the day began, by the clocks of the account that is shown. */
  before_display: string;
  /** What came today, and what went. */
  taken_display: string;
  given_display: string;
  /** At the rate that counts now, before spread. Null: there is none. */
  value_display: string | null;
  rate: string | null;

  static of(this: void, position: FxPositionState, target: Currency): FxPositionDto {
    const { currency, amount, before, taken, given, value, rate } = position;
    const display = (of: bigint) => displayMoney({ amount: of, currency });
    return {
      currency,
      side: amount === 0n ? 'flat' : amount > 0n ? 'long' : 'short',
      amount_display: display(amount),
      before_display: display(before),
      taken_display: display(taken),
      given_display: display(given),
      value_display: value === null ? null : displayMoney({ amount: value, currency: target }),
      rate: rate === null ? null : rateText(rate),
    };
  }
}

/** What one unit of `base` is worth in `quote`. */
export class FxRateDto {
  @ApiProperty({ enum: CURRENCIES })
  base: Currency;
  @ApiProperty({ enum: CURRENCIES })
  quote: Currency;
  rate: string;
  spread_basis_points: number;
  /** An operator, or the name of a provider. */
  person: string;
  set_at: Date;
  /** Null: it never grows old. */
  good_until: Date | null;

  static of(this: void, stored: StoredRate): FxRateDto {
    const { base, quote, rate, spreadBasisPoints, person, setAt, maxAgeSeconds } = stored;
    return {
      base,
      quote,
      rate: rateText(rate),
      spread_basis_points: spreadBasisPoints,
      person,
      set_at: setAt,
      good_until: maxAgeSeconds === null ? null : new Date(setAt.getTime() + maxAgeSeconds * 1_000),
    };
  }
}

export class PositionsDto {
  livemode: boolean;
  @ApiProperty({ enum: CURRENCIES })
  in: Currency;
  data: FxPositionDto[];
  /** All together; null: one of them has no rate. */
  value_display: string | null;
  rates: FxRateDto[];

  static of(
    this: void,
    { livemode, in: target }: PositionsQuery,
    positions: readonly FxPositionState[],
    rates: readonly StoredRate[],
  ): PositionsDto {
    const values = positions.map(({ value }) => value);
    const amount = values.reduce<bigint | null>(
      (sum, value) => (sum === null || value === null ? null : sum + value),
      0n,
    );
    return {
      livemode,
      in: target,
      data: positions.map((position) => FxPositionDto.of(position, target)),
      value_display: amount === null ? null : displayMoney({ amount, currency: target }),
      rates: rates.map(FxRateDto.of),
    };
  }
}

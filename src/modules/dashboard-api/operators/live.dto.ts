import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../../core/http/fields';
import { CURRENCIES, type Currency, displayMoney, sumToJsonNumber, toJsonNumber } from '../../../core/money/money';
import { READINESS_ITEMS, type ReadinessItem } from '../../../providers/readiness';
import { ROUTED_PRODUCTS, type RoutedProduct } from '../../../vocabulary/products';
import {
  type BookedFloat,
  DIFFERENCE_KINDS,
  type Difference,
  type OpenDifference,
} from '../../purchases/float-bookings';
import { missingOf, networksOf, type ProviderState } from '../providers.service';

const REASON_MAX = 500;

/** Something that must be so before real money moves, and whether it is. */
export class LiveCheckDto {
  @ApiProperty({ enum: READINESS_ITEMS })
  item: ReadinessItem['item'];
  /** A provider, a route; null: all of it. */
  about: string | null;
  ready: boolean;
  /** A sentence for the operator. */
  says: string;

  static of(this: void, { item, about, isReady, says }: ReadinessItem): LiveCheckDto {
    return { item, about, ready: isReady, says };
  }
}

export class LiveChecklistDto {
  items: LiveCheckDto[];
}

/** Our money at a live provider. Minor units. */
export class LiveFloatDto {
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** Null: it never told. */
  balance: number | null;
  told_at: Date | null;
  /** Null: more than a number holds; the text says it. */
  in_books: number | null;
  in_books_display: string;
  /** Below it the provider is not asked to sell. */
  floor: number | null;
  low: boolean;

  static of(this: void, { currency, balance, at, inBooks, floor, isLow }: BookedFloat): LiveFloatDto {
    return {
      currency,
      balance: balance === null ? null : toJsonNumber(balance),
      told_at: at,
      in_books: sumToJsonNumber(inBooks),
      in_books_display: displayMoney({ amount: inBooks, currency }),
      floor: floor === null ? null : toJsonNumber(floor),
      low: isLow,
    };
  }
}

/** An adapter of live mode. */
export class LiveProviderDto {
  @ApiProperty({ enum: ROUTED_PRODUCTS })
  product: RoutedProduct;
  name: string;
  registered: boolean;
  /** Names of variables, never what stands in them. */
  missing_settings: string[];
  /** For which it is asked; `*`: every one without routes of its own. */
  networks: string[];
  /** Of the name: whoever sells several products has one. */
  floats: LiveFloatDto[];

  static of(this: void, provider: ProviderState): LiveProviderDto {
    const { product, name, isRegistered, floats } = provider;
    return {
      product,
      name,
      registered: isRegistered,
      missing_settings: missingOf(provider),
      networks: networksOf(provider),
      floats: floats.map(LiveFloatDto.of),
    };
  }
}

export class LiveProvidersDto {
  data: LiveProviderDto[];
}

/** What a statement and the books say differently. Minor units by which our money there went down. */
export class ProviderDifferenceDto {
  id: string;
  provider: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  @ApiProperty({ enum: DIFFERENCE_KINDS })
  kind: Difference['kind'];
  reference: string;
  /** `txn_…`, where there is one. */
  transaction: string | null;
  ours: number;
  theirs: number;
  found_at: Date;

  static of(this: void, { ours, theirs, foundAt, ...difference }: OpenDifference): ProviderDifferenceDto {
    return { ...difference, ours: toJsonNumber(ours), theirs: toJsonNumber(theirs), found_at: foundAt };
  }
}

export class ProviderDifferencesDto {
  data: ProviderDifferenceDto[];
}

export class ExplainDifferenceDto {
  /** Why they differ: goes to the audit log. */
  @Text(REASON_MAX)
  reason: string;
}

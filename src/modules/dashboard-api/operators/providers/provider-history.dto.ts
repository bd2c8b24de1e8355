import { Flag as QueryFlag } from '../../../../core/http/query-fields';
import { OneOf, Text } from '../../../../core/http/fields';
import { encodeId } from '../../../../core/http/ids';
import { ROUTED_PRODUCTS, type RoutedProduct } from '../../../../vocabulary/products';

const NAME_MAX = 64;
/** A day by the hour; a week and a month by the day. */
const HISTORY_HOURS = ['24', '168', '720'] as const;

export class ProviderHistoryQuery {
  @OneOf(ROUTED_PRODUCTS)
  product: RoutedProduct;

  @Text(NAME_MAX)
  provider: string;

  @QueryFlag()
  livemode: boolean;

  @OneOf(HISTORY_HOURS, { optional: true })
  hours: string = '24';
}

export class ProviderAttemptsQuery extends ProviderHistoryQuery {
  /** Of a failure; `none`: those without one. */
  @Text(NAME_MAX)
  code: string;
}

/** An hour, or a day. */
export class ProviderPeriodDto {
  at: Date;
  calls: number;
  /** Of which nobody can tell how they ended. */
  unknown: number;
  mean_ms: number | null;
  /** Orders that ended then. Null: of what is not sold in orders. */
  ended: number | null;
  delivered: number | null;
  /** 95 of 100 orders took at most this. */
  p95_ms: number | null;
}

export class ProviderCodeDto {
  code: string;
  outcome: string;
  count: number;
  last_at: Date;
}

export class ProviderHistoryDto {
  /** `hour` or `day`. */
  period: string;
  data: ProviderPeriodDto[];
  /** Why orders did not go well, the most frequent first. */
  codes: ProviderCodeDto[];
}

export interface AttemptRow {
  readonly accountId: string;
  readonly accountName: string;
  readonly purchaseId: string;
  readonly at: Date;
  readonly outcome: string;
  readonly message: string | null;
  readonly status: string;
}

/** An order that ended so. */
export class ProviderOrderDto {
  transaction_id: string;
  account_id: string;
  account_name: string;
  at: Date;
  outcome: string;
  message: string | null;
  /** Of the transaction by now. */
  status: string;

  static of(this: void, { accountId, accountName, purchaseId, ...facts }: AttemptRow): ProviderOrderDto {
    return {
      transaction_id: encodeId('txn', purchaseId),
      account_id: encodeId('acct', accountId),
      account_name: accountName,
      ...facts,
    };
  }
}

export class ProviderOrdersDto {
  /** The last ones. */
  data: ProviderOrderDto[];
}

import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, Flag, PageQuery } from '../../../core/http/query-fields';
import { type Currency, displayMoney, sumToJsonNumber, toJsonNumber } from '../../../core/money/money';
import { TRANSACTION_TYPES, type TransactionType } from '../../../vocabulary/products';
import { TransactionsQuery } from '../../transactions/transaction.dto';
import type { TransactionTotal } from '../../transactions/transactions.service';
import type { WalletRecord, WalletStatus } from '../../wallets/wallets.service';
import type { AuditFilter, AuditRecord } from '../audit.service';
import { type Day, movedByCurrency, type Sale } from './overview.service';
import type { CurrencyTotal, WalletSearch } from './wallets-overview.service';

/** Test mode where nothing is said. */
export class ModeQuery {
  @Flag()
  livemode: boolean = false;
}

export class OverviewWalletDto {
  id: string;
  currency: string;
  label: string | null;
  status: string;
  available: number;
  held: number;
  available_display: string;
  held_display: string;

  static of(this: void, { id, currency, label, status, available, held }: WalletRecord): OverviewWalletDto {
    return {
      id: encodeId('wal', id),
      currency,
      label,
      status,
      available: toJsonNumber(available),
      held: toJsonNumber(held),
      available_display: displayMoney({ amount: available, currency }),
      held_display: displayMoney({ amount: held, currency }),
    };
  }
}

/** All open wallets of one currency together. */
export class CurrencyTotalDto {
  currency: string;
  wallets: number;
  /** Null: more than a number holds; the text says it. */
  available: number | null;
  available_display: string;
  /** Likewise. */
  held: number | null;
  held_display: string;

  static of(this: void, { currency, wallets, available, held }: CurrencyTotal): CurrencyTotalDto {
    return {
      currency,
      wallets,
      available: sumToJsonNumber(available),
      available_display: displayMoney({ amount: available, currency }),
      held: sumToJsonNumber(held),
      held_display: displayMoney({ amount: held, currency }),
    };
  }
}

/** Wallets that are looked for. */
export class WalletSearchQuery extends PageQuery implements WalletSearch {
  @Flag()
  livemode: boolean = false;

  @Text(128, { optional: true })
  q?: string;

  @CurrencyCode({ optional: true })
  currency?: Currency;

  @OneOf(['active', 'frozen', 'closed'], { optional: true })
  status?: WalletStatus;
}

export class FoundWalletsDto {
  data: OverviewWalletDto[];
  /** On all pages. */
  total: number;
  next_cursor: string | null;
}

/** Transactions of a day in one currency, but for those between the account's own wallets. */
export class OverviewDayDto {
  day: string;
  currency: string;
  count: number;
  successful: number;
  /** Null: more than a number holds; the text says it. */
  amount_in: number | null;
  amount_in_display: string;
  /** Likewise. */
  amount_out: number | null;
  amount_out_display: string;

  static of(this: void, { date, currency, count, successful, amountIn, amountOut }: Day): OverviewDayDto {
    return {
      day: date,
      currency,
      count,
      successful,
      amount_in: sumToJsonNumber(amountIn),
      amount_in_display: displayMoney({ amount: amountIn, currency }),
      amount_out: sumToJsonNumber(amountOut),
      amount_out_display: displayMoney({ amount: amountOut, currency }),
    };
  }
}

/** What came in and went out of one currency, beside as many days before. */
export class OverviewSumDto {
  currency: string;
  in_display: string;
  in_before_display: string;
  /** 0.25: a quarter more than before; null: nothing was before. */
  in_change: number | null;
  out_display: string;
  out_before_display: string;
  /** Likewise. */
  out_change: number | null;
}

/** Each currency in which anything moved, in the order of `totals`; of both periods. */
export function sumsOf(days: readonly Day[], before: readonly Day[], order: readonly string[]): OverviewSumDto[] {
  const [now, then] = [movedByCurrency(days), movedByCurrency(before)];
  const currencies = [...new Set([...now.keys(), ...then.keys()])];
  return currencies
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((currency) => {
      const [sum, old] = [now.get(currency) ?? NOTHING_MOVED, then.get(currency) ?? NOTHING_MOVED];
      const display = (amount: bigint) => displayMoney({ amount, currency });
      return {
        currency,
        in_display: display(sum.amountIn),
        in_before_display: display(old.amountIn),
        in_change: changeOf(sum.amountIn, old.amountIn),
        out_display: display(sum.amountOut),
        out_before_display: display(old.amountOut),
        out_change: changeOf(sum.amountOut, old.amountOut),
      };
    });
}

const NOTHING_MOVED = { amountIn: 0n, amountOut: 0n };
const CHANGE_SCALE = 10_000n;

const changeOf = (now: bigint, before: bigint): number | null =>
  before === 0n ? null : Number(((now - before) * CHANGE_SCALE) / before) / Number(CHANGE_SCALE);

/** Purchases of one kind through one network, biller or bank. Amounts are of what succeeded. */
export class OverviewSaleDto {
  @ApiProperty({ enum: TRANSACTION_TYPES, enumName: 'TransactionType' })
  type: TransactionType;
  network: string | null;
  currency: string;
  successful: number;
  failed: number;
  amount_display: string;
  commission_display: string;

  static of(this: void, { amount, commission, ...sale }: Sale): OverviewSaleDto {
    const { currency } = sale;
    return {
      ...sale,
      amount_display: displayMoney({ amount, currency }),
      commission_display: displayMoney({ amount: commission, currency }),
    };
  }
}

/** How webhooks are going. */
export class OverviewWebhooksDto {
  endpoints: number;
  /** Enabled ones of which the last deliveries failed. */
  failing: number;
  /** By us, after days of failures. */
  disabled: number;
  /** Deliveries that did not arrive yet. */
  waiting: number;
}

/** What a newcomer has done already. */
export class ChecklistDto {
  has_key: boolean;
  has_transfer: boolean;
  has_webhook: boolean;
  has_delivery: boolean;
  totp_enabled: boolean;
  live_enabled: boolean;
}

/** Purchases that failed for one reason. */
export class FailureCountDto {
  code: string;
  count: number;
}

/** What has not ended, and what waits for a person. */
export class UnderWayDto {
  pending: number;
  processing: number;
  transactions_in_review: number;
  payments_in_review: number;
}

/** One of the fullest. */
export class FullestWalletDto extends OverviewWalletDto {
  /** At the pace at which money left it in the last week; null: none did. */
  lasts_days: number | null;
}

export const PERIODS = { '7d': 7, '30d': 30 } as const;

export class OverviewQuery extends ModeQuery {
  @OneOf(Object.keys(PERIODS), { optional: true })
  period: keyof typeof PERIODS = '30d';

  /** Days of UTC instead of the account's. */
  @Flag()
  utc: boolean = false;
}

/** An account at a glance. */
export class OverviewDto {
  /** The first day and the last one, which is today; the period before has as many. */
  from: string;
  to: string;
  /** Of all open wallets, most money first. */
  totals: CurrencyTotalDto[];
  /** The fullest of each currency. */
  wallets: FullestWalletDto[];
  /** Open ones, of all currencies. */
  wallets_total: number;
  days: OverviewDayDto[];
  sums: OverviewSumDto[];
  /** Those of most money first. */
  sales: OverviewSaleDto[];
  /** Of the purchases that ended; null when none did. */
  success_rate: number | null;
  success_rate_before: number | null;
  /** Why the others failed, the most frequent reason first. */
  failures: FailureCountDto[];
  under_way: UnderWayDto;
  webhooks: OverviewWebhooksDto;
  checklist: ChecklistDto;
}

/** The filters of the public list, of which neither page nor format count here. */
export class ViewedTransactionsQuery extends TransactionsQuery {
  @Flag()
  livemode: boolean = false;
}

/** What transactions of one currency add up to, whatever became of them. */
export class TransactionTotalDto {
  currency: string;
  count: number;
  in_display: string;
  out_display: string;
  fees_display: string;

  static of(this: void, { currency, count, ...sums }: TransactionTotal): TransactionTotalDto {
    const display = (sum: string) => displayMoney({ amount: BigInt(sum), currency });
    return {
      currency,
      count,
      in_display: display(sums.amount_in),
      out_display: display(sums.amount_out),
      fees_display: display(sums.fees),
    };
  }
}

export class TransactionTotalsDto {
  data: TransactionTotalDto[];
  count: number;
  /** So many that only the newest are counted. */
  capped: boolean;
}

export class AuditQuery extends PageQuery {
  /** A part of the e-mail address of whoever did it. */
  @Text(100, { optional: true })
  actor?: string;

  /** A part of what was done. */
  @Text(100, { optional: true })
  action?: string;

  /** A part of the address that it came from. */
  @Text(64, { optional: true })
  ip?: string;

  /** Public id of what it was done to. */
  @Text(64, { optional: true })
  target?: string;

  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;

  static filterOf(this: void, { actor, action, ip, target, created_gte, created_lt }: AuditQuery): AuditFilter {
    return { actor, action, ip, target, from: created_gte, until: created_lt };
  }
}

/** What somebody did at the dashboard. */
export class AuditEntryDto {
  id: string;
  user_id: string | null;
  actor: string;
  action: string;
  target: string | null;
  ip: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true })
  detail: object;
  at: Date;

  static of(this: void, { id, userId, actor, action, target, ip, detail }: AuditRecord): AuditEntryDto {
    return {
      id: encodeId('aud', id),
      user_id: userId && encodeId('usr', userId),
      actor,
      action,
      target,
      ip,
      detail,
      at: timeOf(id),
    };
  }
}

export class AuditEntryListDto extends ListOf(AuditEntryDto) {}

export class EndpointSecretDto {
  secret: string;
}

/** What is masked of a purchase elsewhere: meter tokens and PINs. */
export class RevealedDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  details: object;
}

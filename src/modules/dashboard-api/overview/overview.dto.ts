import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, Flag, PageQuery } from '../../../core/http/query-fields';
import { type Currency, AMOUNT_MAX, displayMoney, toJsonNumber } from '../../../core/money/money';
import { TransactionsQuery } from '../../transactions/transaction.dto';
import type { TransactionTotal } from '../../transactions/transactions.service';
import type { WalletRecord, WalletStatus } from '../../wallets/wallets.service';
import type { AuditFilter, AuditRecord } from '../audit.service';
import type { Day } from './overview.service';
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
      available: numberOf(available),
      available_display: displayMoney({ amount: available, currency }),
      held: numberOf(held),
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

  static of(this: void, { day, currency, count, successful, amount_in, amount_out }: Day): OverviewDayDto {
    const [sumIn, sumOut] = [BigInt(amount_in), BigInt(amount_out)];
    return {
      day: day.toISOString().slice(0, 10),
      currency,
      count,
      successful,
      amount_in: numberOf(sumIn),
      amount_in_display: displayMoney({ amount: sumIn, currency: currency as Currency }),
      amount_out: numberOf(sumOut),
      amount_out_display: displayMoney({ amount: sumOut, currency: currency as Currency }),
    };
  }
}

/** Many amounts that each are a JSON number may sum to more than one. */
const numberOf = (sum: bigint): number | null => (sum > AMOUNT_MAX ? null : toJsonNumber(sum));

/** What a newcomer has done already. */
export class ChecklistDto {
  has_key: boolean;
  has_transfer: boolean;
  has_webhook: boolean;
  has_delivery: boolean;
  totp_enabled: boolean;
  live_enabled: boolean;
}

/** Purchases of the last 30 days that failed for one reason. */
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

/** An account at a glance. */
export class OverviewDto {
  /** Of all open wallets, most money first. */
  totals: CurrencyTotalDto[];
  /** The fullest of each currency. */
  wallets: OverviewWalletDto[];
  /** Open ones, of all currencies. */
  wallets_total: number;
  days: OverviewDayDto[];
  /** Of the purchases that ended in the last 30 days; null when none did. */
  success_rate: number | null;
  /** Why the others failed, the most frequent reason first. */
  failures: FailureCountDto[];
  under_way: UnderWayDto;
  checklist: ChecklistDto;
}

export class SearchQuery extends ModeQuery {
  @Text(128)
  q: string;
}

export class FoundDto {
  id: string;
  /** `transaction`, `wallet`, … as in the field `object`. */
  type: string;
}

export class FoundListDto {
  data: FoundDto[];
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

/** An entry that a transaction wrote into the account's own books. */
export class TransactionEntryDto {
  id: string;
  /** Null for a card. */
  wallet_id: string | null;
  @ApiProperty({ enum: ['wallet', 'card'] })
  account: 'wallet' | 'card';
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed minor units. */
  amount: number;
  currency: string;
  amount_display: string;
  balance_after: number;
  created_at: Date;
}

export class TransactionEntriesDto {
  data: TransactionEntryDto[];
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

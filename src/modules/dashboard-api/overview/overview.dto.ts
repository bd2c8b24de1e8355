import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { Flag } from '../../../core/http/query-fields';
import { type Currency, AMOUNT_MAX, displayMoney, toJsonNumber } from '../../../core/money/money';
import type { WalletsService } from '../../wallets/wallets.service';
import type { AuditRecord } from '../audit.service';
import type { Day } from './overview.service';

/** Test mode where nothing is said. */
export class ModeQuery {
  @Flag()
  livemode: boolean = false;
}

type Wallet = Awaited<ReturnType<WalletsService['list']>>[number];

export class OverviewWalletDto {
  id: string;
  currency: string;
  label: string | null;
  status: string;
  available: number;
  held: number;
  available_display: string;
  held_display: string;

  static of(this: void, { id, currency, label, status, available, held }: Wallet): OverviewWalletDto {
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

/** Transactions of a day in one currency. */
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

/** An account at a glance. */
export class OverviewDto {
  wallets: OverviewWalletDto[];
  days: OverviewDayDto[];
  /** Of what ended in the last 30 days; null when nothing did. */
  success_rate: number | null;
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

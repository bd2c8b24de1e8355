import { ApiProperty } from '@nestjs/swagger';
import { CURRENCIES, type Currency } from '../../core/money/money';
import { Varies } from '../../core/openapi/schemas';
import { type TransactionStatus, TRANSACTION_STATUSES } from './transaction.entity';
import { TRANSACTION_TYPES, type TransactionType } from '../../vocabulary/products';

/** What was asked for. Amounts in minor units. */
class TransactionCreatedDto {
  @ApiProperty({ enum: TRANSACTION_TYPES })
  type: TransactionType;
  amount: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  reference: string | null;
}

/** Money moved between what a wallet has available and what it holds, or in or out. Minor units. */
class LedgerEntryHappeningDto {
  wallet_id: string;
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: string;
  /** Signed. @example -5000 */
  amount: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  balance_after: number;
}

/** Somebody outside was asked. */
class ProviderAttemptDto {
  /** @example "sandbox" */
  provider: string;
  /** The first attempt is 1. */
  number?: number;
  /** Ours, under which it was asked. */
  reference?: string;
  outcome?: string | null;
  code?: string | null;
}

/** What came back at once. */
class ProviderAnswerDto {
  /** @example "sandbox" */
  provider: string;
  number?: number;
  /** @example "delivered" */
  outcome: string | null;
  code: string | null;
  message?: string | null;
  provider_reference?: string | null;
}

/** What was found out later: somebody was asked again, or told us. */
class ProviderNewsDto {
  /** @example "sandbox" */
  provider: string;
  /** @example "delivered" */
  outcome: string | null;
  code: string | null;
  message?: string | null;
}

/** What a person decided. */
class ReviewDecisionDto {
  /** @example "delivered" */
  outcome: string;
}

/** An event that was written. */
class EventHappeningDto {
  /** @example "evt_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "transaction.successful" */
  type: string;
  request_id: string | null;
}

/** What became of an event at one of your endpoints. */
class DeliveryHappeningDto {
  /** @example "dlv_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "whk_01kabcdefghjkmnpqrstvwxyz0" */
  endpoint_id: string;
  /** @example "evt_01kabcdefghjkmnpqrstvwxyz0" */
  event_id: string;
  /** @example "transaction.successful" */
  event_type: string;
  /** @example "delivered" */
  status: string;
  attempts: number;
}

/** Final, with this status; a reversal later is a transaction of its own. */
class TransactionCompletedDto {
  @ApiProperty({ enum: TRANSACTION_STATUSES })
  status: TransactionStatus;
}

/** One of several providers who stood at one position. */
class ProviderShareDto {
  /** @example "sandbox" */
  provider: string;
  /** How often it came first then, of 10,000: its weight, less what its calls of the last minutes cost it. */
  share_basis_points: number;
  /** Of 10,000 calls, those that ended well. */
  success_basis_points: number;
  /** 95 of 100 answers took at most this; null: there were too few to say. */
  p95_ms: number | null;
}

/** Why providers of equal position were asked in their order. */
class ProviderChoiceDto {
  shares: ProviderShareDto[];
}

/** What `data` holds, by the kind of what happened. */
const HAPPENINGS = {
  'transaction.created': TransactionCreatedDto,
  'ledger.entry': LedgerEntryHappeningDto,
  'provider.choice': ProviderChoiceDto,
  'provider.attempt': ProviderAttemptDto,
  'provider.answer': ProviderAnswerDto,
  'provider.requery': ProviderNewsDto,
  'provider.callback': ProviderNewsDto,
  'review.decision': ReviewDecisionDto,
  event: EventHappeningDto,
  'webhook.delivery': DeliveryHappeningDto,
  'transaction.completed': TransactionCompletedDto,
} as const;
export const TIMELINE_KINDS = Object.keys(HAPPENINGS) as (keyof typeof HAPPENINGS)[];

/** Something that happened to a transaction. */
export class TimelineItemDto {
  at: Date;
  @ApiProperty({ enum: TIMELINE_KINDS })
  kind: (typeof TIMELINE_KINDS)[number];
  @Varies('kind', HAPPENINGS, 'Depends on `kind`.')
  data: Record<string, unknown>;
}

/** What happened to a transaction, oldest first. */
export class TimelineDto {
  @ApiProperty({ enum: ['list'] })
  object: 'list';
  data: TimelineItemDto[];
  /** Always false: a timeline comes whole. */
  has_more: boolean;
  next_cursor: string | null;
}

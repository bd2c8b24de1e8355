import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { Amount, DryRun, Metadata, Nested, OneOf, PublicId, Reference, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, Flag, ManyOf, PageQuery } from '../../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../../core/money/money';
import type { Refused } from '../../../providers/answers';
import { DISPUTE_REASONS, type DisputeEvidence, type DisputeReason } from '../card-issuer';
import { creditedOf, type Dispute, DISPUTE_STATUSES, type DisputeStatus } from './dispute.entity';

const TEXT_MAX = 4_000;
const LINKS_MAX = 10;
const LINK = '^https://[^\\s]{1,2000}$';

const isLinks = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= LINKS_MAX &&
  value.every((link) => typeof link === 'string' && new RegExp(LINK).test(link) && URL.canParse(link));

const Links = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', pattern: LINK, maxLength: 2_008 },
      maxItems: LINKS_MAX,
      required: false,
      example: ['https://files.example.com/receipt-1001.pdf'],
      description: 'Addresses of documents. They are handed to the issuer, and opened by nobody here.',
    }),
    IsOptional(),
    ValidateBy({
      name: 'links',
      validator: {
        validate: isLinks,
        defaultMessage: () => `$property must be a list of up to ${LINKS_MAX} https addresses`,
      },
    }),
  );

/** Why the issuer should believe it. */
export class EvidenceDto {
  @Text(TEXT_MAX, { example: 'The parcel never arrived. The shop does not answer.' })
  text: string;

  @Links()
  links?: string[] | null;
}

export class CreateDisputeDto {
  @OneOf(DISPUTE_REASONS)
  reason: DisputeReason;

  @Amount({
    optional: true,
    example: 1_250,
    description: 'What of it is not accepted, in minor units. All that can be disputed when absent.',
  })
  amount?: number | null;

  @Nested(() => EvidenceDto)
  evidence: EvidenceDto;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** A dispute as it is asked for. */
export interface NewDispute {
  readonly reason: DisputeReason;
  /** Minor units; null: all that can be disputed. */
  readonly amount: bigint | null;
  readonly evidence: DisputeEvidence;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export const toDispute = ({ reason, amount, evidence, reference, metadata }: CreateDisputeDto): NewDispute => ({
  reason,
  amount: amount ? BigInt(amount) : null,
  evidence: { text: evidence.text, links: evidence.links ?? [] },
  reference: reference ?? null,
  metadata: metadata ?? {},
});

/** Filters and page of a list of disputes. */
export class DisputesQuery extends PageQuery {
  @ManyOf(DISPUTE_STATUSES)
  status?: DisputeStatus[];

  @PublicId('crd', { optional: true })
  card_id?: string;

  @PublicId('ctx', { optional: true })
  card_transaction_id?: string;

  /** Those that people must look at, or the others. */
  @Flag()
  needs_review?: boolean;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;
}

export type DisputeFilters = Omit<DisputesQuery, keyof PageQuery>;

class DisputeEvidenceDto {
  text: string;
  links: string[];
}

/** Why an issuer does not take a dispute up. */
class DisputeFailureDto {
  /** @example "too_late" */
  code: string;
  message: string;
  @ApiProperty({ enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'] })
  recovery: string;
}

/** What was paid by card and is not accepted. Amounts in minor units. */
export class DisputeDto {
  @ApiProperty({ enum: ['dispute'] })
  object: 'dispute';
  /** Null in a dry run. @example "dsp_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id: string;
  /** What it is about. @example "ctx_01kabcdefghjkmnpqrstvwxyz0" */
  card_transaction_id: string;
  @ApiProperty({ enum: DISPUTE_STATUSES })
  status: DisputeStatus;
  amount: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** For people, never to be parsed. @example "USD 12.50" */
  amount_display: string;
  @ApiProperty({ enum: DISPUTE_REASONS })
  reason: DisputeReason;
  @ApiProperty({ type: () => DisputeEvidenceDto })
  evidence: DisputeEvidence;
  /** The issuer's own id of the dispute, once it said so. */
  issuer_reference: string | null;
  /** What the issuer credited to the card before it decided. A dispute that is lost or withdrawn takes it back. */
  provisional_credit: number | null;
  /** What of it was won: all of it, or a part. Null unless it was. */
  won_amount: number | null;
  @ApiProperty({
    enum: ['requested', 'refused', null],
    type: String,
    nullable: true,
    description: 'You asked for it to be withdrawn: the issuer is asked, or did not agree.',
  })
  withdrawal: 'requested' | 'refused' | null;
  @ApiProperty({ type: () => DisputeFailureDto, nullable: true, description: 'Why the issuer did not take it up.' })
  failure: Refused | null;
  reference: string | null;
  /** The issuer says nothing, or what contradicts the dispute: a person decides. */
  needs_review: boolean;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;
  /** When it was won, lost or withdrawn. */
  resolved_at: Date | null;

  static of(this: void, d: Readonly<Dispute>): DisputeDto {
    return {
      object: 'dispute',
      id: encodeId('dsp', d.id),
      card_id: encodeId('crd', d.cardId),
      card_transaction_id: encodeId('ctx', d.cardTransactionId),
      status: d.status,
      amount: toJsonNumber(d.amount),
      currency: d.currency,
      amount_display: displayMoney(d),
      reason: d.reason,
      evidence: d.evidence,
      issuer_reference: d.issuerReference,
      provisional_credit: d.provisionalCredit === null ? null : toJsonNumber(d.provisionalCredit),
      won_amount: d.status === 'won' ? toJsonNumber(creditedOf(d)) : null,
      withdrawal: d.withdrawal,
      failure: d.failure,
      reference: d.reference,
      needs_review: d.review !== null,
      metadata: d.metadata,
      livemode: d.livemode,
      version: d.version,
      created_at: timeOf(d.id),
      updated_at: d.updatedAt,
      resolved_at: d.resolvedAt,
    };
  }
}

export class DisputeListDto extends ListOf(DisputeDto) {}

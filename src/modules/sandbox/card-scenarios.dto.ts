import { ApiProperty } from '@nestjs/swagger';
import { durationMs } from '../../core/clock/clock';
import type { SandboxCardholder } from '../cards/sandbox/sandbox.provider';
import type { SandboxDispute } from '../cards/sandbox/sandbox-disputes';
import type { SandboxIdentity } from '../cards/sandbox/sandbox-identities';

/** What the last name of a cardholder does to a card. */
export class CardholderScenarioDto {
  /** @example "DECLINE" */
  last_name: string;
  description: string;
  /** How long the issuer takes to decide, by the account's test clock. @example 20 */
  seconds: number;
  /** State in which the card ends. */
  @ApiProperty({ enum: ['active', 'failed', 'pending'] })
  status: 'active' | 'failed' | 'pending';
  /** `failure.code` of the transaction, `status_reason` of the card. */
  failure_code: string | null;

  static of(this: void, { last_name, description, delay, status, code }: SandboxCardholder): CardholderScenarioDto {
    return {
      last_name,
      description,
      seconds: durationMs(delay)! / 1_000,
      status,
      failure_code: status === 'failed' ? code! : null,
    };
  }
}

/** What the end of an identity number does to a verification; with any other end a cardholder is verified at once. */
export class IdentityScenarioDto {
  /** The last three characters of `identity.number`. @example "902" */
  suffix: string;
  description: string;
  /** `kyc_failure.code` of the cardholder. */
  failure_code: string | null;
  /** `kyc_status` in which the cardholder ends up. @example "rejected" */
  status: string;
  /** `kyc_tier` that the provider gives them; null: it says nothing, and the kind of the document counts. @example 3 */
  tier: number | null;

  static of(this: void, { suffix, description, failure, status, tier }: SandboxIdentity): IdentityScenarioDto {
    return { suffix, description, failure_code: failure?.code ?? null, status, tier: tier ?? null };
  }
}

/** How a clearing ends. Minor units. */
export class ClearingScenarioEndDto {
  /** @example "settled" */
  status: string;
  /** Of the authorization, what the merchant may still take. */
  held_amount: number;
  /** What the wallet that funds the card paid. */
  wallet_amount: number;
  /** What nobody had. */
  debt_amount: number;
  /** @example "active" */
  card_status: string;
}

/**
 * A clearing that `POST /v4/sandbox/cards/{id}/simulate` can play, on a card with 1,000 whose wallet has 900. Minor
 * units.
 */
export class ClearingScenarioDto {
  /** @example "more_than_authorized" */
  name: string;
  description: string;
  /** What the merchant asks for first; null: it does not ask. */
  authorization: number | null;
  /** Of the account's test clock, between the two. */
  days: number;
  /** What the merchant takes. @example 900 */
  clearing: number;
  @ApiProperty({ type: () => ClearingScenarioEndDto })
  final: ClearingScenarioEndDto;
}

/** How a dispute ends up. */
export class DisputeScenarioEndDto {
  /** @example "lost" */
  status: string;
  /** The event `dispute.needs_review` calls a person. */
  needs_review: boolean;
}

/** What the text of the evidence does to a dispute; with any other it is won after a day of the test clock. */
export class DisputeScenarioDto {
  /** `evidence.text`, capitals or not. @example "LOSE" */
  evidence: string;
  description: string;
  /** The issuer credits the amount before it decides. */
  provisional_credit: boolean;
  /** `failure.code` of the dispute. */
  failure_code: string | null;
  @ApiProperty({ type: () => DisputeScenarioEndDto })
  final: DisputeScenarioEndDto;

  static of(this: void, { evidence, description, provisional, failure, final }: SandboxDispute): DisputeScenarioDto {
    return {
      evidence,
      description,
      provisional_credit: provisional ?? false,
      failure_code: failure?.code ?? null,
      final: { ...final },
    };
  }
}

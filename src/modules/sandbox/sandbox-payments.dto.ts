import { ApiProperty } from '@nestjs/swagger';
import { OneOf } from '../../core/http/fields';
import { OUTCOME_NAMES, type SandboxOutcome } from '../payments/sandbox/sandbox.provider';

export class CompletePaymentDto {
  @OneOf(OUTCOME_NAMES, {
    description: 'What the gateway says from now on: an outcome of `payments` in `GET /v4/sandbox/scenarios`.',
  })
  status: string;
}

/** How a pending payment ends by an outcome. */
export class PaymentScenarioEndDto {
  /** @example "successful" */
  status: string;
  /** The event `payment.needs_review` calls a person, and nothing is credited. */
  needs_review: boolean;
}

/** What a person can make happen at a gateway of the sandbox: on the page, or by `POST /v4/sandbox/payments/{id}/complete`. */
export class PaymentScenarioDto {
  /** @example "successful" */
  outcome: string;
  description: string;
  /** By the account's test clock, until the gateway is done. @example 30 */
  delay_seconds: number;
  @ApiProperty({ type: () => PaymentScenarioEndDto })
  final: PaymentScenarioEndDto;

  static of(this: void, { outcome, description, delaySeconds = 0, final }: SandboxOutcome): PaymentScenarioDto {
    return { outcome, description, delay_seconds: delaySeconds, final: { ...final } };
  }
}

import { ApiProperty } from '@nestjs/swagger';
import { CalledUrl, OneOf } from '../../core/http/fields';
import { timeOf } from '../../core/http/ids';
import type { AuthorizationEndpoint, AuthorizationHealth, Fallback } from './authorization-endpoints.service';
import { DECISION_OUTCOMES, type DecisionOutcome } from './card-transaction.entity';

const FALLBACKS = ['approve', 'decline'] as const;

export class PutAuthorizationEndpointDto {
  @CalledUrl('https://example.com/duka/authorizations')
  url: string;

  @OneOf(FALLBACKS, { description: 'What counts when it gives no answer of use within two seconds.' })
  default: Fallback;
}

/** How the last 24 hours went. */
export class AuthorizationHealthDto implements AuthorizationHealth {
  /** Authorizations that it was asked about, or would have been. */
  decisions: number;
  /** Of them, those that `default` decided. */
  fallbacks: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { approved: 120, declined: 4, timeout: 1, not_asked: 2 },
    description: `How many by what it said, or why it said nothing: ${DECISION_OUTCOMES.join(', ')}.`,
  })
  outcomes: Partial<Record<DecisionOutcome, number>>;
  /** Milliseconds that half of its answers took at most; null without any. */
  latency_p50_ms: number | null;
  /** Milliseconds that 99 of 100 answers took at most. */
  latency_p99_ms: number | null;
}

/** Who decides about authorizations of your cards beside your rules. */
export class AuthorizationEndpointDto {
  @ApiProperty({ enum: ['authorization_endpoint'] })
  object: 'authorization_endpoint';
  url: string;
  @ApiProperty({ enum: FALLBACKS })
  default: Fallback;
  @ApiProperty({
    nullable: true,
    type: String,
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    description: 'Signs what it is asked. In the answer that registers it only; null in every other.',
  })
  secret: string | null;
  health: AuthorizationHealthDto;
  livemode: boolean;
  /** Grows by one with each change. */
  version: number;
  created_at: Date;
  updated_at: Date;

  static of(e: AuthorizationEndpoint, health: AuthorizationHealth, secret: string | null): AuthorizationEndpointDto {
    return {
      object: 'authorization_endpoint',
      url: e.url,
      default: e.fallback,
      secret,
      health: { ...health },
      livemode: e.livemode,
      version: e.version,
      created_at: timeOf(e.id),
      updated_at: e.updatedAt,
    };
  }
}

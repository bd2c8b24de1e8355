import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AllowDuplicate, DryRun, Metadata, OneOf, PublicId, Reference } from '../../core/http/fields';
import { parseIdempotencyKey, requestFingerprint } from '../../core/http/idempotency-key';
import { preferredWait, WAIT_SECONDS_DEFAULT } from '../../core/http/answer';
import { DateTime } from '../../core/http/query-fields';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Convert, QuoteToPayBy } from '../conversions/conversion.dto';
import { toWantedExchange } from '../conversions/exchange.service';
import type { CommonPurchase } from './running';

/** What every purchase may ask for; the products' own request bodies extend it. */
export class PurchaseRequestDto {
  @PublicId('wal', {
    optional: true,
    description: 'The wallet that pays. Without it: your oldest active wallet in the currency. Needed to convert.',
  })
  wallet_id?: string | null;

  @QuoteToPayBy()
  quote_id?: string | null;

  @Convert()
  convert?: boolean | null;

  @Reference({ optional: true })
  reference?: string | null;

  @AllowDuplicate()
  allow_duplicate?: boolean | null;

  /** No attempt starts after this; the purchase is cancelled then. */
  @DateTime({ optional: true })
  deliver_by?: Date | null;

  @OneOf(['fail', 'queue'], {
    optional: true,
    description: '`queue` waits for money until `deliver_by`, which it needs.',
  })
  on_insufficient_funds?: 'fail' | 'queue' | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Documents the header by which test purchases are steered. */
export const SandboxScenarioHeader = () =>
  ApiHeader({
    name: 'X-Sandbox-Scenario',
    required: false,
    description:
      'Test keys only: decides the outcome instead of the number that is bought for; see GET /v4/sandbox/scenarios.',
    schema: { type: 'string', maxLength: 200, example: 'outcome=timeout; then=delivered; delay=3s' },
  });

/** What the headers of a purchase say. */
export interface PurchaseTermsOfRequest {
  readonly claim: RequestClaim;
  /** `Prefer: wait=N`; null without. */
  readonly preferredWait: number | null;
  readonly waitMs: number;
  /** `X-Sandbox-Scenario`. */
  readonly scenario: string | null;
}

/** The headers of the current purchase request. */
export const PurchaseTerms = createParamDecorator((_: unknown, context: ExecutionContext): PurchaseTermsOfRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const scenario = request.headers['x-sandbox-scenario'];
  const preferred = preferredWait(request.headers.prefer);
  return {
    claim: { key: parseIdempotencyKey(request.headers['idempotency-key']), fingerprint: requestFingerprint(request) },
    preferredWait: preferred,
    waitMs: (preferred ?? WAIT_SECONDS_DEFAULT) * 1_000,
    scenario: scenario === undefined ? null : String(scenario),
  };
});

/** The part of a purchase that does not depend on the product. */
export const commonPurchase = (
  dto: PurchaseRequestDto,
  { waitMs, scenario }: PurchaseTermsOfRequest,
): CommonPurchase => ({
  walletId: dto.wallet_id ?? null,
  exchange: toWantedExchange(dto),
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
  deliverBy: dto.deliver_by ?? null,
  onInsufficientFunds: dto.on_insufficient_funds ?? 'fail',
  scenario,
  waitMs,
});

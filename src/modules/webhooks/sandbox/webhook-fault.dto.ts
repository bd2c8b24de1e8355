import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/http/caller';
import { parseIdempotencyKey, requestFingerprint } from '../../../core/http/idempotency-key';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { InvalidWebhookFault } from '../webhooks.errors';
import { WEBHOOK_FAULTS, type WebhookFault } from './webhook-faults';

/** Takes the fault of a test endpoint away. */
const NO_FAULT = 'none';

/** Documents the header by which test endpoints are given faults. */
export const SandboxWebhookHeader = () =>
  ApiHeader({
    name: 'X-Sandbox-Webhook',
    required: false,
    description:
      'Test keys only: what goes wrong with deliveries to this endpoint, to see whether its receiver bears it. ' +
      '`none` ends that.',
    schema: { type: 'string', enum: [...WEBHOOK_FAULTS, NO_FAULT] },
  });

/** The idempotency of a request, and the fault that it asks for. */
export interface WithFault {
  readonly claim: RequestClaim;
  /** `X-Sandbox-Webhook` of a test key; undefined without one, null when none is wanted any more. */
  readonly fault: WebhookFault | null | undefined;
}

/** What the headers of the current request say. Throws `InvalidWebhookFault`. */
export const RequestedFault = createParamDecorator((_: unknown, context: ExecutionContext): WithFault => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { caller: Caller }>();
  const header = request.headers['x-sandbox-webhook'];
  const named = header === NO_FAULT ? null : WEBHOOK_FAULTS.find((one) => one === header);
  const fault = request.caller.livemode ? undefined : named;
  if (header !== undefined && fault === undefined && !request.caller.livemode) throw new InvalidWebhookFault();
  return {
    claim: { key: parseIdempotencyKey(request.headers['idempotency-key']), fingerprint: requestFingerprint(request) },
    fault,
  };
});

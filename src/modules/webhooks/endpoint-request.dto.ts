import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../core/http/caller';
import { field, type FieldOptions, Flag, Metadata, OneOf, Text } from '../../core/http/fields';
import { parseIdempotencyKey, requestFingerprint } from '../../core/http/idempotency-key';
import { PageQuery } from '../../core/http/query-fields';
import type { RequestClaim } from '../../core/idempotency/claim';
import { InvalidWebhookFault } from './endpoints.errors';
import type { EndpointChanges, NewEndpoint } from './endpoints.types';
import { EventPatterns } from './event-patterns.dto';
import { ENDPOINT_STATUSES, type EndpointStatus, WEBHOOK_FAULTS, type WebhookFault } from './webhook-endpoint.entity';
import type { EventPattern } from './webhooks.types';

const URL_MAX = 2_048;
const DAY_SECONDS = 86_400;
const ROTATION_MAX_SECONDS = 7 * DAY_SECONDS;

const isUrlText = (value: unknown) => typeof value === 'string' && value.length >= 1 && value.length <= URL_MAX;

/** Where events are posted. Whether it may be is for `UrlPolicy` to say. */
const EndpointUrl = (options?: FieldOptions) =>
  field(
    {
      type: 'string',
      format: 'uri',
      minLength: 1,
      maxLength: URL_MAX,
      example: 'https://example.com/duka/events',
      description: 'https; with test keys also http.',
    },
    [{ name: 'url', says: `must be a URL of at most ${URL_MAX} characters`, holds: isUrlText }],
    options,
  );

const Description = () => Text(500, { optional: true, example: 'Order service' });
const IncludeSecrets = () =>
  Flag({ optional: true, example: false, description: 'Send meter tokens and PINs whole. They are masked otherwise.' });

export class CreateWebhookEndpointDto {
  @EndpointUrl()
  url: string;

  @EventPatterns()
  events: EventPattern[];

  @Description()
  description?: string | null;

  @IncludeSecrets()
  include_secrets?: boolean | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

/** Fields that are absent stay as they are; null clears description and metadata. */
export class UpdateWebhookEndpointDto {
  @EndpointUrl({ optional: true })
  url?: string | null;

  @EventPatterns({ optional: true })
  events?: EventPattern[] | null;

  @Description()
  description?: string | null;

  @IncludeSecrets()
  include_secrets?: boolean | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

export class RotateSecretDto {
  @field(
    {
      type: 'integer',
      minimum: 0,
      maximum: ROTATION_MAX_SECONDS,
      default: DAY_SECONDS,
      example: DAY_SECONDS,
      description: 'Seconds for which both secrets sign.',
    },
    [{ name: 'expiresIn', says: `must be a whole number from 0 to ${ROTATION_MAX_SECONDS}`, holds: isRotation }],
    { optional: true },
  )
  expires_in?: number | null;
}

function isRotation(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= ROTATION_MAX_SECONDS;
}

export const rotationSeconds = (dto: RotateSecretDto): number => dto.expires_in ?? DAY_SECONDS;

export class WebhookEndpointsQuery extends PageQuery {
  @OneOf(ENDPOINT_STATUSES, { optional: true })
  status?: EndpointStatus;
}

/** Takes the fault of a test endpoint away. */
const NO_FAULT = 'none';

/** Documents the header by which test endpoints are given faults. */
export const SandboxWebhookHeader = () =>
  ApiHeader({
    name: 'X-Sandbox-Webhook',
    required: false,
    description:
      'Test keys only: what goes wrong with deliveries to this endpoint, to see whether its receiver bears it. `none` ends that.',
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

export const toNewEndpoint = (dto: CreateWebhookEndpointDto, faults: WebhookFault | null | undefined): NewEndpoint => ({
  url: dto.url,
  events: dto.events,
  description: dto.description ?? null,
  includeSecrets: dto.include_secrets ?? false,
  metadata: dto.metadata ?? {},
  faults: faults ?? null,
});

export const toChanges = (dto: UpdateWebhookEndpointDto, faults: WebhookFault | null | undefined): EndpointChanges => ({
  url: dto.url ?? undefined,
  events: dto.events ?? undefined,
  description: dto.description,
  includeSecrets: dto.include_secrets ?? undefined,
  metadata: dto.metadata === null ? {} : dto.metadata,
  faults,
});

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, ApiProperty } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../core/errors/domain-error';
import type { Caller } from '../../../core/http/caller';
import { CalledUrl, field, type FieldOptions, Flag, Metadata, OneOf, Text } from '../../../core/http/fields';
import { parseIdempotencyKey, requestFingerprint } from '../../../core/http/idempotency-key';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { PageQuery } from '../../../core/http/query-fields';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { type MissedEvents, MissedEventsDto } from '../delivery/delivery.dto';
import { SENT_HEADERS_MAX } from '../endpoint-secrets.service';
import type { EventPattern } from '../events/event-patterns';
import { EventPatterns } from '../events/event.dto';
import {
  ENDPOINT_STATUSES,
  type EndpointChanges,
  type EndpointStatus,
  type NewEndpoint,
  WEBHOOK_FAULTS,
  type WebhookEndpoint,
  type WebhookFault,
} from './webhook-endpoint.entity';

/** The header that asks for faults says something else. */
class InvalidWebhookFault extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail: `X-Sandbox-Webhook must be one of ${WEBHOOK_FAULTS.join(', ')}, or none.`,
    });
  }
}

const DAY_SECONDS = 86_400;
const ROTATION_MAX_SECONDS = 7 * DAY_SECONDS;

const EVENTS_URL = 'https://example.com/duka/events';

const Description = () => Text(500, { optional: true, example: 'Order service' });
const IncludeSecrets = () =>
  Flag({
    optional: true,
    example: false,
    description:
      'Send meter tokens and PINs whole, which are masked otherwise, and `card.authentication_code`, which is not ' +
      'sent otherwise.',
  });

const IN_FLIGHT = { min: 1, max: 100, usual: 8 };
const PER_SECOND = { min: 1, max: 1_000 };

const Count = ({ min, max }: { min: number; max: number }, shown: FieldOptions & { default?: number }) =>
  field(
    { type: 'integer', minimum: min, maximum: max, ...shown },
    [
      {
        name: 'count',
        says: `must be a whole number from ${min} to ${max}`,
        holds: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
      },
    ],
    { optional: true },
  );

const InFlightMax = () =>
  Count(IN_FLIGHT, { default: IN_FLIGHT.usual, example: 8, description: 'Requests that may be under way at once.' });
const PerSecondMax = () =>
  Count(PER_SECOND, { example: 10, description: 'Requests a second; null: as many as there are.' });

const HEADER_VALUE_MAX = 1_024;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** What a message has anyhow, and what belongs to the connection. */
const OWN_HEADERS = new RegExp(
  '^(?:host|content-.*|user-agent|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|' +
    'webhook-.*|traceparent|tracestate)$',
);

const SentHeaders = () =>
  field(
    {
      type: 'object',
      maxProperties: SENT_HEADERS_MAX,
      additionalProperties: { type: 'string', maxLength: HEADER_VALUE_MAX },
      example: { 'x-api-key': 'k-1001' },
      description:
        'Headers that are sent along, such as a key of your gateway. They are kept sealed and never shown again. Of ' +
        'an endpoint that exists, those that are not named stay, and null takes one away; they all go when its URL ' +
        'moves to another host.',
    },
    [
      {
        name: 'sentHeaders',
        says:
          `must be an object of at most ${SENT_HEADERS_MAX} headers with values of 1 to ${HEADER_VALUE_MAX} ` +
          'printable characters, none of them one of ours (webhook-…, content-…) or of the connection',
        holds: areHeaders,
      },
    ],
    { optional: true },
  );

function areHeaders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  const names = new Set(pairs.map(([name]) => name.toLowerCase()));
  return pairs.length <= SENT_HEADERS_MAX && names.size === pairs.length && pairs.every(isHeader);
}

function isHeader([name, value]: [string, unknown]): boolean {
  if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name.toLowerCase())) return false;
  return value === null || (typeof value === 'string' && value.length <= HEADER_VALUE_MAX && HEADER_VALUE.test(value));
}

type GivenHeaders = Record<string, string | null>;

/** Names of headers mean the same in any case. */
const lowered = (headers: GivenHeaders): GivenHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export class CreateWebhookEndpointDto {
  @CalledUrl(EVENTS_URL)
  url: string;

  @EventPatterns()
  events: EventPattern[];

  @Description()
  description?: string | null;

  @IncludeSecrets()
  include_secrets?: boolean | null;

  @SentHeaders()
  headers?: GivenHeaders | null;

  @InFlightMax()
  max_in_flight?: number | null;

  @PerSecondMax()
  max_per_second?: number | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

/** Fields that are absent stay as they are; null clears description, metadata and `max_per_second`. */
export class UpdateWebhookEndpointDto {
  @CalledUrl(EVENTS_URL, { optional: true })
  url?: string | null;

  @EventPatterns({ optional: true })
  events?: EventPattern[] | null;

  @Description()
  description?: string | null;

  @IncludeSecrets()
  include_secrets?: boolean | null;

  @SentHeaders()
  headers?: GivenHeaders | null;

  @InFlightMax()
  max_in_flight?: number | null;

  @PerSecondMax()
  max_per_second?: number | null;

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

export const toNewEndpoint = (dto: CreateWebhookEndpointDto, faults: WebhookFault | null | undefined): NewEndpoint => ({
  url: dto.url,
  events: dto.events,
  description: dto.description ?? null,
  includeSecrets: dto.include_secrets ?? false,
  metadata: dto.metadata ?? {},
  headers: lowered(dto.headers ?? {}),
  inFlightMax: dto.max_in_flight ?? IN_FLIGHT.usual,
  perSecondMax: dto.max_per_second ?? null,
  faults: faults ?? null,
});

export const toChanges = (dto: UpdateWebhookEndpointDto, faults: WebhookFault | null | undefined): EndpointChanges => ({
  url: dto.url ?? undefined,
  events: dto.events ?? undefined,
  description: dto.description,
  includeSecrets: dto.include_secrets ?? undefined,
  metadata: dto.metadata === null ? {} : dto.metadata,
  headers: dto.headers ? lowered(dto.headers) : undefined,
  inFlightMax: dto.max_in_flight ?? undefined,
  perSecondMax: dto.max_per_second,
  faults,
});

/** How deliveries have been going. */
export class EndpointHealthDto {
  /** The first failure since the last success; null while it works. */
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
}

/** An address of yours that is told of events. */
export class WebhookEndpointDto {
  /** @example "whk_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: ['webhook_endpoint'] })
  object: 'webhook_endpoint';
  @ApiProperty({ maxLength: 2_048, example: 'https://example.com/duka/events' })
  url: string;
  /** Types of events, all of a resource (`transaction.*`), or everything (`*`). @example ["transaction.*"] */
  events: string[];
  description: string | null;
  /** Meter tokens and PINs are sent whole. */
  include_secrets: boolean;
  /** Names of the headers that are sent along; their values are not shown. @example ["x-api-key"] */
  header_names: string[];
  /** Requests that may be under way at once. @example 8 */
  max_in_flight: number;
  /** Requests a second; null: as many as there are. @example 10 */
  max_per_second: number | null;
  /** Nothing but replays and tests is sent to a disabled one. */
  @ApiProperty({ enum: ENDPOINT_STATUSES })
  status: EndpointStatus;
  /** Why it is disabled. */
  disabled_reason: string | null;
  disabled_at: Date | null;
  /** Until then the secret before the present one signs too. */
  previous_secret_expires_at: Date | null;
  /** What the sandbox does to its deliveries. */
  @ApiProperty({ enum: WEBHOOK_FAULTS, nullable: true })
  sandbox_fault: WebhookFault | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  health: EndpointHealthDto;
  livemode: boolean;
  /** Grows by one with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;
  /** A deleted one is shown only by what happened to it. */
  deleted_at: Date | null;

  static of(this: void, endpoint: WebhookEndpoint): WebhookEndpointDto {
    const { failingSince, lastSuccessAt, lastFailureAt } = endpoint;
    return {
      id: encodeId('whk', endpoint.id),
      object: 'webhook_endpoint',
      url: endpoint.url,
      events: endpoint.events,
      description: endpoint.description,
      include_secrets: endpoint.includeSecrets,
      header_names: endpoint.headerNames,
      max_in_flight: endpoint.inFlightMax,
      max_per_second: endpoint.perSecondMax,
      status: endpoint.status,
      disabled_reason: endpoint.disabledReason,
      disabled_at: endpoint.disabledAt,
      previous_secret_expires_at: endpoint.previousUntil,
      sandbox_fault: endpoint.faults,
      metadata: endpoint.metadata,
      health: { failing_since: failingSince, last_success_at: lastSuccessAt, last_failure_at: lastFailureAt },
      livemode: endpoint.livemode,
      version: endpoint.version,
      created_at: timeOf(endpoint.id),
      updated_at: endpoint.updatedAt,
      deleted_at: endpoint.deletedAt,
    };
  }
}

/** What an event about an endpoint keeps of it. */
export function endpointSnapshot(endpoint: WebhookEndpoint): object {
  const {
    id: _id,
    object: _object,
    livemode: _livemode,
    created_at: _createdAt,
    ...shown
  } = WebhookEndpointDto.of(endpoint);
  return shown;
}

/** An endpoint as its creation and the rotation of its secret answer. */
export class NewWebhookEndpointDto extends WebhookEndpointDto {
  /**
   * Signs its deliveries. Shown once: null when a request is repeated.
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
   */
  secret: string | null;

  static with(endpoint: WebhookEndpoint, secret: string | null): NewWebhookEndpointDto {
    return { ...WebhookEndpointDto.of(endpoint), secret };
  }
}

/** An endpoint that was enabled again. */
export class EnabledWebhookEndpointDto extends WebhookEndpointDto {
  /** Null when there was nothing to miss, and when a request is repeated. */
  missed: MissedEventsDto | null;

  static with(endpoint: WebhookEndpoint, missed: MissedEvents | null): EnabledWebhookEndpointDto {
    return { ...WebhookEndpointDto.of(endpoint), missed: missed && MissedEventsDto.of(missed) };
  }
}

export class WebhookEndpointListDto extends ListOf(WebhookEndpointDto) {}

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

import type { Schemas } from '../../api/public-api';

/** Headers of an endpoint as a form has them. */
export interface EndpointHeaders {
  /** Names of those that stay as they are. */
  readonly kept: readonly string[];
  readonly added: readonly { readonly key: number; readonly name: string; readonly value: string }[];
}

/** What a form about an endpoint holds. */
export interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly patterns: readonly string[];
  readonly headers: EndpointHeaders;
  readonly inFlight: string;
  readonly perSecond: string;
  readonly withSecrets: boolean;
}

const IN_FLIGHT = 8;

export const fieldsOfEndpoint = (endpoint: Schemas['WebhookEndpoint'] | null): EndpointFields => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  patterns: endpoint?.events ?? ['*'],
  headers: { kept: endpoint?.header_names ?? [], added: [] },
  inFlight: String(endpoint?.max_in_flight ?? IN_FLIGHT),
  perSecond: endpoint?.max_per_second ? String(endpoint.max_per_second) : '',
  withSecrets: endpoint?.include_secrets ?? false,
});

/** As the API takes it. `before`: names of the headers that the endpoint has. */
export function bodyOfFields(fields: EndpointFields, before: readonly string[] = []): Schemas['CreateWebhookEndpoint'] {
  const { kept, added } = fields.headers;
  const gone = before.filter((name) => !kept.includes(name)).map((name) => [name, null] as const);
  const given = added.filter(({ name }) => name.trim()).map(({ name, value }) => [name.trim(), value] as const);
  const headers = Object.fromEntries([...gone, ...given]) as Record<string, string>;
  return {
    url: fields.url.trim(),
    description: fields.description.trim() || null,
    events: [...fields.patterns],
    include_secrets: fields.withSecrets,
    max_in_flight: fields.inFlight ? Number(fields.inFlight) : null,
    max_per_second: fields.perSecond ? Number(fields.perSecond) : null,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

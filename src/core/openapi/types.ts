import type { Retirement } from '../http/route-markers';

/** The part of JSON Schema that our documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  description?: string;
  deprecated?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

export interface MediaType {
  schema?: Schema;
  example?: unknown;
}

export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  schema?: Schema;
  deprecated?: boolean;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response>;
  'x-public'?: boolean;
  'x-required-scope'?: string | string[];
  'x-has-quota'?: boolean;
  'x-may-be-none'?: boolean;
  'x-new-each-time'?: boolean;
  'x-retired'?: Retirement;
  deprecated?: boolean;
}

export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: { url: string }[];
  tags?: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, object>;
  components: { schemas: Schemas } & Record<string, object>;
}

import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../api/problem';

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

interface WebhookOperation {
  readonly requestBody: { readonly content: { readonly 'application/json': { schema: Json; example: Json } } };
}

/** A type of event, as the service's own document describes it. */
export interface EventEntry {
  readonly type: string;
  /** First word of the type: `card` of `card.transaction.settled`. */
  readonly group: string;
  /** JSON schema of what is posted, complete in itself. */
  readonly schema: Json;
  readonly sample: Json;
}

/** Sent to one endpoint that asked for it; nobody listens to it. */
export const TEST_TYPE = 'webhook_endpoint.test';

export const groupOf = (type: string): string => type.slice(0, type.indexOf('.'));

async function readDocument(): Promise<readonly EventEntry[]> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw await Problem.of(response);
  return entriesOf((await response.json()) as Document);
}

/** All types of events, read once: the document changes with the service only. */
export const useCatalogue = () =>
  useQuery({ queryKey: ['event-catalogue'], queryFn: readDocument, staleTime: Infinity });

export function entriesOf({ webhooks, components: { schemas } }: Document): EventEntry[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'];
    return {
      type,
      group: groupOf(type),
      get schema() {
        return whole(schema, schemas, []) as Json;
      },
      sample: example,
    };
  });
}

const REF = '#/components/schemas/';

/** With what it refers to in place of each reference; one that leads back into itself stays. */
function whole(part: unknown, schemas: Document['components']['schemas'], within: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((one) => whole(one, schemas, within));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, allOf, ...rest } = part as { $ref?: string; allOf?: readonly Json[] };
  if (typeof $ref === 'string' && $ref.startsWith(REF)) {
    const name = $ref.slice(REF.length);
    return within.includes(name) ? part : whole(schemas[name], schemas, [...within, name]);
  }
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, whole(value, schemas, within)]));
  return Array.isArray(allOf) ? { ...merged(allOf.map((one) => whole(one, schemas, within) as Json)), ...own } : own;
}

/** Several descriptions of one object as one: the later says more of a field. */
function merged(parts: readonly Json[]): Json {
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Json;
  const required = [...new Set(parts.flatMap((part) => (part.required as string[] | undefined) ?? []))];
  const isObject = Object.keys(properties).length > 0;
  return Object.assign({}, ...parts, isObject && { properties }, required.length > 0 && { required }) as Json;
}

export const byGroup = (types: readonly string[]): Map<string, string[]> =>
  types.reduce((groups, type) => {
    const known = groups.get(groupOf(type)) ?? [];
    return groups.set(groupOf(type), [...known, type]);
  }, new Map<string, string[]>());

const matches = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

/** The types that patterns stand for. */
export const tickedBy = (patterns: readonly string[], types: readonly string[]): Set<string> =>
  new Set(types.filter((type) => patterns.some((pattern) => matches(pattern, type))));

/** Ticked types as few patterns: all of a group is `card.*`, which stands for its types to come, too. */
export function patternsOf(ticked: ReadonlySet<string>, types: readonly string[]): string[] {
  return [...byGroup(types)].flatMap(([group, members]) =>
    members.every((type) => ticked.has(type)) ? [`${group}.*`] : members.filter((type) => ticked.has(type)),
  );
}

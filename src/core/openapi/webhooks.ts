import { EVENT_TYPES, type EventType, resourceOf } from '../../vocabulary/event-types';
import { exampleOf } from './examples';
import type { OpenApiDocument, Schema } from './types';

/** Schemas that are not called as the resource that events are about. */
const OBJECTS: Readonly<Record<string, string>> = {
  catalogue: 'CatalogueUpdate',
  biller: 'BillerStatus',
  'card.authentication_code': 'CardAuthentication',
};

/** `card.transaction` → `CardTransaction`. */
const classNameOf = (name: string): string => name.split(/[._]/).map(capitalized).join('');

/** Name of the schema of what an event is about. */
const objectOf = (type: EventType): string =>
  OBJECTS[type] ?? OBJECTS[resourceOf(type)] ?? classNameOf(resourceOf(type));

const text = (maxLength: number): Schema => ({ type: 'string', maxLength, pattern: '^[\\x20-\\x7e]*$' });

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text(1_024),
  example,
});

/** Standard Webhooks 1.0.0. */
const HEADERS = [
  header(
    'webhook-id',
    'The id of the event: the same for each attempt. Drop what you have had.',
    'evt_01kabcdefghjkmnpqrstvwxyz0',
  ),
  header('webhook-timestamp', 'Seconds, of the attempt: refuse what is old.', '1761989400'),
  header(
    'webhook-signature',
    'One or more signatures of `id.timestamp.body`, with spaces between.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'You have it. Every other answer is a failure, and the event comes again.' },
  '410': { description: 'You want no more: the endpoint is disabled.' },
};

/** Describes what is posted to endpoints: one schema for each type of event. */
export function addWebhooks(document: OpenApiDocument): void {
  const { schemas } = document.components;
  if (schemas.Event === undefined) return;
  document.webhooks = Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const name = `${classNameOf(type)}Event`;
      schemas[name] = schemaOf(type, document);
      return [type, { post: operationOf(type, name, document) }];
    }),
  );
}

function schemaOf(type: EventType, { components: { schemas } }: OpenApiDocument): Schema {
  const object = objectOf(type);
  const data: Schema = {
    type: 'object',
    required: ['object'],
    properties: { object: { $ref: `#/components/schemas/${object}` } },
  };
  const isKnown = schemas[object] !== undefined;
  return {
    description: `What is sent for \`${type}\`.`,
    allOf: [
      { $ref: '#/components/schemas/Event' },
      { type: 'object', properties: { type: { type: 'string', const: type }, ...(isKnown && { data }) } },
    ],
  };
}

function operationOf(type: EventType, name: string, { components: { schemas } }: OpenApiDocument): object {
  const schema = { $ref: `#/components/schemas/${name}` };
  const object = schemas[objectOf(type)];
  const event = exampleOf(schemas.Event!, schemas) as object;
  const example = { ...event, type, ...(object && { data: { object: exampleOf(object, schemas) } }) };
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary: `Tells you of ${type}`,
    description:
      'Posted to your endpoints that listen to it, signed as Standard Webhooks 1.0.0 says. Answer within 15 seconds.',
    tags: ['Events'],
    security: [{}],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: RESPONSES,
  };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

import { EVENT_TYPES } from '../../vocabulary/event-types';
import type { OpenApiDocument, Schemas } from './types';
import { addWebhooks } from './webhooks';

const documentWith = (schemas: Schemas): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {},
  servers: [],
  paths: {},
  components: { schemas },
});

const text = { type: 'string' };

it('has an operation and a schema for each type of event', () => {
  const document = documentWith({
    Event: { type: 'object', required: ['id', 'type'], properties: { id: text, type: text } },
    Transaction: { type: 'object', required: ['status'], properties: { status: { type: 'string', enum: ['failed'] } } },
  });
  addWebhooks(document);
  expect(Object.keys(document.webhooks!)).toEqual([...EVENT_TYPES]);
  for (const operation of Object.values(document.webhooks!)) {
    const [, name] = /schemas\/(\w+)"/.exec(JSON.stringify(operation))!;
    expect(document.components.schemas[name!]).toBeDefined();
  }
  expect(document.webhooks!['transaction.failed']).toMatchObject({
    post: {
      requestBody: {
        content: {
          'application/json': { example: { type: 'transaction.failed', data: { object: { status: 'failed' } } } },
        },
      },
    },
  });
  expect(document.components.schemas.TransactionFailedEvent!.allOf![1]!.properties).toEqual({
    type: { type: 'string', const: 'transaction.failed' },
    data: {
      type: 'object',
      required: ['object'],
      properties: { object: { $ref: '#/components/schemas/Transaction' } },
    },
  });
});

it('adds nothing to an application without events', () => {
  const document = documentWith({});
  addWebhooks(document);
  expect(document).toEqual(documentWith({}));
});

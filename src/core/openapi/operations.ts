import type { ErrorKind } from '../errors/domain-error';
import { exampleOf } from './examples';
import { headerRefs, problemRefs } from './components';
import { close, resolve, tighten } from './schemas';
import type { MediaType, Operation, Response, Schemas } from './types';

/** Adds to an operation what is the same for all of them: headers, failures, limits and examples. */
export function completeOperation(operation: Operation, method: string, schemas: Schemas): void {
  const isOpen = operation['x-public'] === true;
  const isWrite = method !== 'get';
  const takesKey = isWrite && operation['x-new-each-time'] !== true;
  delete operation['x-public'];
  markRetired(operation, schemas);
  // The empty requirement says that no key is needed.
  if (isOpen) operation.security = [{}];
  operation.description = describe(operation, takesKey);
  for (const { schema } of operation.parameters ?? []) if (schema) tighten(schema);
  completeBody(operation, schemas);
  // Only work that may outlast the answer, or what is yet to come, can be waited for.
  const canBeWaitedFor =
    operation.responses['202'] !== undefined || operation.parameters?.some(({ name }) => name === 'after') === true;
  for (const answer of Object.values(operation.responses))
    completeAnswer(answer, { isOpen, takesKey, canBeWaitedFor }, schemas);
  addFormats(operation);
  addParameters(operation, { takesKey, canBeWaitedFor });
  Object.assign(operation.responses, problemRefs(failuresOf(operation, { isOpen, isWrite }, schemas)), OTHERS);
}

interface Traits {
  readonly isOpen: boolean;
  /** An `Idempotency-Key`. */
  readonly takesKey: boolean;
  readonly canBeWaitedFor: boolean;
}

/** A method that the address does not answer has no operation of its own to be listed under. */
const OTHERS = { default: { $ref: '#/components/responses/MethodNotAllowed' } };

function failuresOf(
  operation: Operation,
  { isOpen, isWrite }: { readonly isOpen: boolean; readonly isWrite: boolean },
  schemas: Schemas,
): ErrorKind[] {
  const kinds: ErrorKind[] = ['malformed', 'timeout', 'headers_too_large', 'internal', 'unavailable'];
  if (isOpen) return kinds;
  kinds.push('unauthenticated', 'forbidden', 'rate_limited');
  const hasPathParameter = operation.parameters?.some((parameter) => parameter.in === 'path');
  if (hasPathParameter || operation.requestBody || operation['x-may-be-none']) kinds.push('not_found');
  if (isWrite) kinds.push('conflict', 'too_large', 'unsupported_media_type', 'unprocessable');
  if (movesMoney(operation, schemas) || operation['x-has-quota']) kinds.push('payment_required');
  return kinds;
}

function movesMoney({ requestBody }: Operation, schemas: Schemas): boolean {
  const body = requestBody?.content['application/json']?.schema;
  const { amount, dry_run } = (body && resolve(body, schemas).properties) ?? {};
  return (amount ?? dry_run) !== undefined;
}

function describe({ summary, description, 'x-required-scope': scope }: Operation, takesKey: boolean): string {
  const sentences = [(description ?? summary ?? '').replace(/[^.?!]$/, '$&.')];
  if (Array.isArray(scope))
    sentences.push(`Needs the scope of what it is about: ${scope.map((one) => `\`${one}\``).join(' or ')}.`);
  else if (scope !== undefined) sentences.push(`Needs the scope \`${scope}\`.`);
  if (takesKey) sentences.push('Sent again with the same `Idempotency-Key`, it takes effect once.');
  return sentences.join(' ');
}

/** `x-retired` → `deprecated`, of the operation or of its field, with the day in words. */
function markRetired(operation: Operation, schemas: Schemas): void {
  const retirement = operation['x-retired'];
  if (retirement === undefined) return;
  const { field, sunset, link } = retirement;
  delete operation['x-retired'];
  const body = operation.requestBody?.content['application/json']?.schema;
  const part =
    field === undefined
      ? operation
      : ((body && resolve(body, schemas).properties?.[field]) ??
        operation.parameters?.find(({ name }) => name === field));
  if (!part) throw new Error(`${operation.operationId} has no field ${field} that could be retired`);
  part.deprecated = true;
  const described = (operation.description ?? operation.summary ?? '').replace(/[^.?!]$/, '$&.');
  const what = field === undefined ? 'It' : `\`${field}\``;
  operation.description = `${described} ${what} ends on ${sunset}: see ${link}.`;
}

function completeBody({ requestBody }: Operation, schemas: Schemas): void {
  for (const media of Object.values(requestBody?.content ?? {})) {
    if (media.schema) close(media.schema, schemas);
    addExample(media, schemas);
  }
}

function completeAnswer(answer: Response, { isOpen, takesKey, canBeWaitedFor }: Traits, schemas: Schemas): void {
  const names = ['Request-Id'];
  if (!isOpen) names.push('RateLimit', 'RateLimit-Policy');
  if (takesKey) names.push('Idempotent-Replayed');
  if (canBeWaitedFor) names.push('Preference-Applied');
  answer.headers = { ...headerRefs(names), ...answer.headers };
  answer.description ||= 'Done.';
  for (const media of Object.values(answer.content ?? {})) addExample(media, schemas);
}

function addExample(media: MediaType, schemas: Schemas): void {
  if (media.schema) media.example ??= exampleOf(media.schema, schemas);
}

/** What is listed with the formats that it can be had in. */
function addFormats({ parameters = [], responses }: Operation): void {
  const formats = parameters.find(({ name }) => name === 'format')?.schema?.enum ?? [];
  const content = responses['200']?.content;
  if (!content) return;
  const schema = { type: 'string', format: 'binary', maxLength: Number.MAX_SAFE_INTEGER };
  if (formats.includes('csv')) content['text/csv'] = { schema, example: 'id,created_at\n' };
  if (formats.includes('pdf')) content['application/pdf'] = { schema, example: '%PDF-1.3\n' };
}

function addParameters(operation: Operation, { takesKey, canBeWaitedFor }: Omit<Traits, 'isOpen'>): void {
  const names: string[] = [];
  if (takesKey) names.push('IdempotencyKey');
  if (canBeWaitedFor) names.push('Prefer');
  operation.parameters = [
    ...(operation.parameters ?? []),
    ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

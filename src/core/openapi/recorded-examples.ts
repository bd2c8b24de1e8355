import type { OpenApiDocument, Operation, Parameter } from './types';

/** A request to a fresh sandbox and its answer, in the order in which they were made. */
export interface RecordedCall {
  readonly operation: string;
  /** Of a call that only prepares another one. */
  readonly title?: string;
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Puts what was recorded in the place of the examples that were made up. */
export function addRecordedExamples(document: OpenApiDocument, calls: readonly RecordedCall[]): void {
  const first = new Map(calls.filter(({ title }) => title === undefined).map((call) => [call.operation, call]));
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
    const call = first.get(operation.operationId);
    if (call === undefined) continue;
    for (const parameter of operation.parameters ?? []) addParameterExample(parameter, call);
    const media = operation.requestBody?.content['application/json'];
    if (media && call.body !== undefined) media.example = call.body;
    const answer = operation.responses[String(call.status)]?.content?.['application/json'];
    if (answer) answer.example = call.answer;
  }
}

/** Where the document has an operation. Throws when it has none of that name. */
export function findOperation(
  { paths }: OpenApiDocument,
  operationId: string,
): { method: string; template: string; operation: Operation } {
  for (const [template, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId === operationId) return { method: method.toUpperCase(), template, operation };
    }
  }
  throw new Error(`the OpenAPI document has no operation ${operationId}`);
}

function addParameterExample(parameter: Parameter & { example?: unknown }, { path, query }: RecordedCall): void {
  const value = parameter.in === 'path' ? path[parameter.name!] : query[parameter.name!];
  if (value === undefined) return;
  parameter.example =
    parameter.schema?.type === 'number' || parameter.schema?.type === 'integer' ? Number(value) : value;
}

import type { OpenApiDocument } from '../../src/core/openapi/types';
import { findOperation, type RecordedCall } from '../../src/core/openapi/examples';
import type { Answer } from '../support/contract';

/** Answers of earlier steps, by the name that the walk gave them. */
export type Made = Readonly<Record<string, any>>;

export interface Step {
  readonly operation: string;
  /** Of a step that prepares another one; it is no example of its operation. */
  readonly title?: string;
  readonly path?: (made: Made) => Record<string, string>;
  readonly query?: (made: Made) => Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: (made: Made) => object;
  /** Later steps find the answer under this name. */
  readonly as?: string;
  /** What must come back; without it, any success. */
  readonly status?: number;
  readonly before?: Step;
}

/** Sends a request whose parts are known. */
export type Send = (method: string, path: string, body: unknown, headers: Record<string, string>) => Promise<Answer>;

/** Carries the steps out and tells what was sent and answered. */
export async function walk(steps: readonly Step[], document: OpenApiDocument, send: Send): Promise<RecordedCall[]> {
  const made: Record<string, any> = {};
  const calls: RecordedCall[] = [];
  for (const step of steps.flatMap((one) => (one.before ? [one.before, one] : [one]))) {
    const request = {
      path: step.path?.(made) ?? {},
      query: step.query?.(made) ?? {},
      headers: step.headers ?? {},
      body: step.body?.(made),
    };
    const { status, body } = await send(...addressed(step.operation, request, document));
    if (status >= 300 || (step.status ?? status) !== status)
      throw new Error(`${step.title ?? step.operation}: ${status} ${JSON.stringify(body)}`);
    if (step.as) made[step.as] = body;
    calls.push({
      operation: step.operation,
      ...(step.title && { title: step.title }),
      ...request,
      status,
      answer: body,
    });
  }
  return calls;
}

/** Method, address, body and headers of a call. */
export function addressed(
  operationId: string,
  { path, query, headers, body }: Pick<RecordedCall, 'path' | 'query' | 'headers' | 'body'>,
  document: OpenApiDocument,
): Parameters<Send> {
  const { method, template } = findOperation(document, operationId);
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
  const search = new URLSearchParams(query).toString();
  return [method, search === '' ? address : `${address}?${search}`, body, headers];
}

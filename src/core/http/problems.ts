import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Env } from '../config/env';
import type { ErrorDetails, FieldError, Figures, ProviderRefusal, Recovery } from '../errors/domain-error';
import { ERROR_KINDS } from '../errors/error-kinds';
import { toJsonNumber } from '../money/money';
import { publicUrl } from './public-url';
import { publicRequestId } from './request-context';

/** RFC 9457 document: the body of every failure of every route. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  param: string | null;
  errors: readonly FieldError[];
  recovery: Recovery;
  retryable: boolean;
  resource_id: string | null;
  provider: ProviderRefusal | null;
  request_id: string;
  /** Minor units. */
  expected?: number;
  actual?: number;
  min?: number;
  max?: number;
}

/** A problem ready for the wire, whoever writes it: Fastify or, before there is a request, the bare socket. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const CODE = Symbol('duka:problem-code');

interface Failed {
  [CODE]?: string;
}

/** The `code` of the problem that a reply carried; null when it carried none. */
export const problemCodeOf = (reply: FastifyReply): string | null => (reply as Failed)[CODE] ?? null;

/** The only place where a failure becomes bytes. */
@Injectable()
export class Problems {
  private readonly docs: string;

  constructor(env: Env) {
    this.docs = `${publicUrl(env)}/docs/errors#`;
  }

  render(details: ErrorDetails, requestId: string): ProblemAnswer {
    const { status, recovery, retryable } = ERROR_KINDS[details.kind];
    const problem: Problem = {
      type: this.docs + details.code,
      title: details.title,
      status,
      code: details.code,
      detail: details.detail,
      param: details.param ?? null,
      errors: details.errors ?? [],
      recovery: details.recovery ?? recovery,
      retryable: details.retryable ?? retryable,
      resource_id: details.resourceId ?? null,
      provider: details.provider ?? null,
      request_id: requestId,
      ...numbersOf(details.figures),
    };
    return { status, headers: headersOf(status, details), body: JSON.stringify(problem) };
  }

  send(reply: FastifyReply, details: ErrorDetails): void {
    const { status, headers, body } = this.render(details, publicRequestId(reply));
    (reply as Failed)[CODE] = details.code;
    void reply.code(status).headers(headers).send(body);
  }
}

const numbersOf = (figures: Figures = {}): Partial<Record<keyof Figures, number>> =>
  Object.fromEntries(Object.entries(figures).map(([name, amount]) => [name, toJsonNumber(amount)]));

// Fastify adds the charset to any JSON type; so does the bare socket, for one form everywhere.
const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

function headersOf(status: number, { retryAfter, allow }: ErrorDetails): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': PROBLEM_JSON };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (allow !== undefined) headers.allow = allow.join(', ');
  return headers;
}

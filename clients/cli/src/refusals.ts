import { DukaConnectionError, DukaError } from '@duka/client';

/** Something of this program's own does not work. Exit code 1. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Asked in a way that the command does not understand. Exit code 2. */
export class Usage extends Error {}

/** `recovery` in words. */
const TO_DO: Readonly<Record<string, string>> = {
  retry_later: 'send it again later',
  caller_must_fix: 'correct the request',
  account_must_act: 'see to it at the dashboard, or ask whoever runs the service',
  recipient_must_act: 'the recipient must act',
  none: 'nothing can be done about it',
};

/** The service is away, or too busy: whoever follows something asks again. */
export const mayPass = (error: unknown): error is DukaConnectionError | DukaError =>
  error instanceof DukaConnectionError || (error instanceof DukaError && (error.status >= 500 || error.status === 429));

/** What went wrong, field by field; null: a fault of this program. */
export function factsOf(error: unknown): Record<string, unknown> | null {
  if (error instanceof Refused) return { code: error.code, message: error.message };
  if (error instanceof DukaConnectionError)
    return {
      code: 'no_answer',
      message: `The service did not answer${error.cause instanceof Error ? `: ${causeOf(error.cause)}` : '.'}`,
      idempotency_key: error.idempotencyKey,
      what_to_do: error.idempotencyKey
        ? `it is not known whether it took effect: run it again with --idempotency-key ${error.idempotencyKey}`
        : 'is it running, and is the address right?',
    };
  if (!(error instanceof DukaError)) return null;
  return {
    code: error.code,
    message: error.message,
    param: error.param,
    errors: error.errors.length > 1 ? error.errors : null,
    resource_id: error.resourceId,
    request_id: error.requestId,
    what_to_do: error.recovery && TO_DO[error.recovery],
    docs: error.docs,
  };
}

/** The innermost reason that has words: `fetch failed` says nothing. */
function causeOf(error: Error): string {
  return error.cause instanceof Error
    ? causeOf(error.cause)
    : error.message || (error as NodeJS.ErrnoException).code || error.name;
}

import { DomainError } from './domain-error';

/** The same answer for what does not exist, belongs to another account or mode, or has a malformed id. */
export class NotFound extends DomainError {
  constructor(what: string, param: string | null = null) {
    super({ code: 'not_found', kind: 'not_found', title: 'Not found', detail: `There is no such ${what}.`, param });
  }
}

/** `value`, unless there is none: then 404. */
export function found<T>(value: T | null | undefined, what: string, param: string | null = null): T {
  if (value === null || value === undefined) throw new NotFound(what, param);
  return value;
}

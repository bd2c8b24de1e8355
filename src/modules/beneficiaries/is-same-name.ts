import { DomainError } from '../../core/errors/domain-error';

/**
 * Whether two spellings may be the name of one account: in capitals or not, in any order, with or without the marks
 * of letters, and with further names on one side. A single word in common is not enough, unless one has no more.
 */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a];
  return fewer.size > 0 && [...fewer].every((word) => more.has(word)) && (fewer.size > 1 || more.size === 1);
}

const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );

/** The name that was sent, or was kept, is not that of the account or the customer. */
export class NameMismatch extends DomainError {
  constructor(param: string) {
    super({
      code: 'name_mismatch',
      kind: 'unprocessable',
      title: 'Another name',
      param,
      detail:
        'The bank or the biller says another name: look at it with POST /v4/banks/resolve or POST /v4/bills/validate ' +
        'before you pay.',
    });
  }
}

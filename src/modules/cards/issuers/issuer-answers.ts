import {
  codeOf,
  fieldsOf,
  type Given,
  isReference,
  NOT_ABOUT_ORDER,
  recoveryOf,
  scrub,
} from '../../../providers/answers';
import type { FindCardResult, IssueResult, IssuerRefused, IssuerUnknown, Revealed, UpdateResult } from '../card-issuer';

const UNREADABLE: IssuerUnknown = { outcome: 'unknown', code: 'unparsable_answer' };

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asIssueResult(value: unknown): IssueResult {
  const given = fieldsOf(value);
  if (given.outcome === 'refused') return asRefused(given);
  if (given.outcome === 'accepted') return { outcome: 'accepted' };
  if (given.outcome === 'unknown') return { outcome: 'unknown', code: codeOf(given.code, 'unknown') };
  const { issuerReference, last4, expMonth, expYear } = given;
  const isIssued =
    given.outcome === 'done' &&
    isReference(issuerReference) &&
    typeof last4 === 'string' &&
    /^\d{4}$/.test(last4) &&
    isWhole(expMonth, 1, 12) &&
    isWhole(expYear, 2000, 2999);
  return isIssued ? { outcome: 'done', issuerReference, last4, expMonth, expYear } : UNREADABLE;
}

export function asFindResult(value: unknown): FindCardResult {
  const given = fieldsOf(value);
  if (given.outcome === 'not_known') return { outcome: 'not_known' };
  if (given.outcome !== 'refused') return asIssueResult(value) as Exclude<IssueResult, IssuerRefused>;
  return given.about === 'order'
    ? { ...asRefused(given), about: 'order' }
    : { outcome: 'unknown', code: NOT_ABOUT_ORDER };
}

export function asUpdateResult(value: unknown): UpdateResult {
  const given = fieldsOf(value);
  if (given.outcome === 'done') return { outcome: 'done' };
  if (given.outcome === 'refused') return asRefused(given);
  return given.outcome === 'unknown' ? { outcome: 'unknown', code: codeOf(given.code, 'unknown') } : UNREADABLE;
}

/** Throws for what cannot be shown. The number of a live card is not even looked at. */
export function asRevealed(value: unknown, livemode: boolean): Revealed {
  const { url, number, cvv } = fieldsOf(value);
  if (typeof url === 'string' && /^https:\/\/\S+$/.test(url)) return { url };
  if (!livemode && typeof number === 'string' && typeof cvv === 'string') return { number, cvv };
  throw new Error('the issuer shows neither a page nor a test card');
}

const asRefused = ({ code, message, recovery }: Given): IssuerRefused => ({
  outcome: 'refused',
  code: codeOf(code, 'issuer_refused'),
  message: scrub(message),
  recovery: recoveryOf(recovery),
});

const isWhole = (value: unknown, lowest: number, highest: number): value is number =>
  typeof value === 'number' && value % 1 === 0 && value >= lowest && value <= highest;

import { DomainError, type ErrorDetails } from '../../core/errors/domain-error';
import type { Refusal } from './posting';

/** The ledger cannot take the posting now; whether it did is told by its key. */
export class LedgerUnavailable extends DomainError {
  constructor(detail: string, options?: ErrorOptions) {
    super(
      {
        code: 'service_unavailable',
        kind: 'unavailable',
        title: 'Service unavailable',
        detail,
        retryable: true,
        retryAfter: 1,
      },
      options,
    );
  }
}

/** Gives a ledger account the public id and the request field by which the caller knows it. */
export type Describe = (ledgerAccountId: string) => { id: string; param: string | null };

/** The books refused a posting; `code` says why. */
export class PostingRefused extends DomainError {
  constructor(
    readonly refusal: Refusal,
    describe: Describe,
  ) {
    super(detailsOf(refusal, describe));
  }
}

type Template = Pick<ErrorDetails, 'code' | 'kind' | 'title' | 'recovery'> & { detail: (id: string) => string };

const REFUSALS: Record<Refusal['reason'], Template> = {
  insufficient_funds: {
    code: 'insufficient_funds',
    kind: 'payment_required',
    title: 'Insufficient funds',
    detail: (id) => id,
  },
  balance_limit: {
    code: 'limit_exceeded',
    kind: 'payment_required',
    title: 'Balance limit exceeded',
    detail: (id) => `${id} would hold more than a balance may be.`,
  },
  platform_limit: {
    code: 'limit_exceeded',
    kind: 'payment_required',
    title: 'Balance limit exceeded',
    detail: () => 'The platform cannot take part in a movement of this size.',
  },
  // In the words used for a malformed id: nobody can tell the two apart.
  account_not_found: {
    code: 'not_found',
    kind: 'not_found',
    title: 'Not found',
    detail: () => 'There is no such wallet.',
  },
  account_frozen: {
    code: 'wallet_frozen',
    kind: 'conflict',
    title: 'Wallet frozen',
    recovery: 'account_must_act',
    detail: (id) => `${id} is frozen: it receives, but does not pay.`,
  },
  account_closed: {
    code: 'wallet_closed',
    kind: 'conflict',
    title: 'Wallet closed',
    recovery: 'none',
    detail: (id) => `${id} is closed.`,
  },
  currency_mismatch: {
    code: 'currency_mismatch',
    kind: 'unprocessable',
    title: 'Currency mismatch',
    detail: (id) => `${id} is in another currency.`,
  },
  hold_not_found: { code: 'not_found', kind: 'not_found', title: 'Not found', detail: () => 'There is no such hold.' },
  hold_exceeded: {
    code: 'invalid_state_transition',
    kind: 'conflict',
    title: 'Hold exceeded',
    detail: () => 'The hold has less left than this takes.',
  },
};

function detailsOf(refusal: Refusal, describe: Describe): ErrorDetails {
  const { detail, ...template } = REFUSALS[refusal.reason];
  if (refusal.reason === 'platform_limit') return { ...template, detail: detail(''), param: null };
  if ('holdId' in refusal) return { ...template, detail: detail(refusal.holdId) };
  const { id, param } = describe(refusal.ledgerAccountId);
  if (refusal.reason !== 'insufficient_funds') return { ...template, detail: detail(id), param };
  return { ...template, param, detail: `${id} has ${refusal.available} available; this needs ${refusal.needed}.` };
}

import { DomainError } from '../errors/domain-error';

/** An extension stopped a payment. Nothing was debited. */
export class BlockedByHook extends DomainError {
  constructor(
    /** Id of the extension. */
    readonly by: string,
    veto: { readonly code: string; readonly message: string },
  ) {
    super({
      code: 'blocked_by_hook',
      kind: 'unprocessable',
      title: 'Blocked by a rule of the platform',
      detail: `${veto.message} (${by}: ${veto.code})`,
      recovery: 'caller_must_fix',
    });
  }
}

/** A gate that had to be asked did not answer. Nothing was done. */
export class GateUnavailable extends DomainError {
  constructor(options?: ErrorOptions) {
    const detail =
      'A check that every payment must pass gave no answer. Nothing was changed; send the request again with the ' +
      'same key.';
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

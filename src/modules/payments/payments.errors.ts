import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';

/** No gateway can take this payment now. Nothing was recorded. */
export class GatewayUnavailable extends DomainError {
  constructor(currency: string) {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 30,
      detail: `No gateway takes payments in ${currency} right now. Nothing was recorded; send the request again later.`,
    });
  }
}

/** A field whose form is right and whose value is not. */
export class InvalidPayment extends DomainError {
  constructor(param: string, detail: string, code: 'validation_failed' | 'amount_out_of_range' = 'validation_failed') {
    super({ code, kind: 'malformed', title: 'Invalid request', detail, param, errors: [{ param, code, detail }] });
  }
}

/** There is no wallet that could be credited. */
export class NoWalletToCredit extends DomainError {
  constructor(currency: string) {
    super({
      code: 'not_found',
      kind: 'not_found',
      title: 'Not found',
      param: '/wallet_id',
      recovery: 'account_must_act',
      detail: `You have no active wallet in ${currency}: open one, or name another.`,
    });
  }
}

export class WalletOfOtherCurrency extends DomainError {
  constructor(walletId: string, currency: string) {
    super({
      code: 'currency_mismatch',
      kind: 'unprocessable',
      title: 'Currency mismatch',
      param: '/wallet_id',
      detail: `${walletId} does not hold ${currency}.`,
    });
  }
}

export class ClosedWallet extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'wallet_closed',
      kind: 'conflict',
      title: 'Wallet closed',
      param: '/wallet_id',
      recovery: 'none',
      detail: `${walletId} is closed.`,
    });
  }
}

/** The payment is in a state in which this cannot be done. */
export class InvalidPaymentTransition extends DomainError {
  constructor(paymentId: string, status: string, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('pay', paymentId)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('pay', paymentId),
    });
  }
}

/** The wallet does not have what would have to be given back. */
export class ReversalRefused extends DomainError {
  constructor(paymentId: string, reason: string) {
    super({
      code: 'insufficient_funds',
      kind: 'payment_required',
      title: 'Insufficient funds',
      resourceId: encodeId('pay', paymentId),
      detail: `The wallet of ${encodeId('pay', paymentId)} cannot give the money back: ${reason}.`,
    });
  }
}

/** A sandbox gateway did not say whether it has the order: asked again, it opens it or finds it. */
export class OrderNotOpened extends DomainError {
  constructor() {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 1,
      detail: 'Nobody can say yet whether the gateway opened an order for the payment. Send the request again.',
    });
  }
}

/** A callback that its gateway did not sign. */
export class ForgedCallback extends DomainError {
  constructor() {
    super({
      code: 'invalid_signature',
      kind: 'unauthenticated',
      title: 'Invalid signature',
      recovery: 'caller_must_fix',
      detail: 'The callback is not signed by this gateway.',
    });
  }
}

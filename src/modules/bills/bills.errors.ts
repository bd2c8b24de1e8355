import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { displayMoney, type Money } from '../../core/money/money';

/** A field does not fit the biller or the item that the request is about. */
export class FieldRefused extends DomainError {
  constructor(param: string, detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Invalid request',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}

/** The biller does not take such an amount. */
export class AmountOutsideLimits extends DomainError {
  constructor(min: Money, max: Money, actual: bigint) {
    const shown = `${displayMoney(min)} to ${displayMoney(max)}`;
    const detail = `/amount must be between ${min.amount} and ${max.amount} (${shown}).`;
    super({
      code: 'amount_out_of_range',
      kind: 'malformed',
      title: 'Amount is out of range',
      detail,
      param: '/amount',
      errors: [{ param: '/amount', code: 'amount_out_of_range', detail }],
      figures: { min: min.amount, max: max.amount, actual },
    });
  }
}

/** What was to be bought costs something else. */
export class PriceChanged extends DomainError {
  constructor(price: Money, actual: bigint) {
    super({
      code: 'price_changed',
      kind: 'conflict',
      title: 'Price changed',
      param: '/amount',
      detail: `This costs ${price.amount} (${displayMoney(price)}).`,
      figures: { expected: price.amount, actual },
    });
  }
}

export class ItemInactive extends DomainError {
  constructor(itemCode: string) {
    super({
      code: 'plan_inactive',
      kind: 'conflict',
      title: 'Not sold',
      detail: `${itemCode} is not sold at the moment.`,
      param: '/item_code',
    });
  }
}

export class CustomerNotFound extends DomainError {
  constructor(billerName: string, customerLabel: string) {
    super({
      code: 'customer_not_found',
      kind: 'unprocessable',
      title: 'Customer not found',
      param: '/customer_identifier',
      detail: `${billerName} does not know this ${customerLabel.toLowerCase()}.`,
    });
  }
}

export class ValidationExpired extends DomainError {
  constructor(validationId: string) {
    super({
      code: 'validation_expired',
      kind: 'conflict',
      title: 'Validation expired',
      param: '/validation_id',
      detail: 'The validation is too old: validate the customer again.',
      resourceId: encodeId('val', validationId),
    });
  }
}

/** The validation is about somebody or something else than the payment. */
export class ValidationMismatch extends DomainError {
  constructor(validationId: string, param: string) {
    super({
      code: 'validation_mismatch',
      kind: 'unprocessable',
      title: 'Validation of something else',
      param,
      detail: `The validation has another ${param.slice(1)} than this payment.`,
      resourceId: encodeId('val', validationId),
    });
  }
}

/** The biller cannot be reached, or is not sold at the moment. Nothing was recorded. */
export class BillerUnavailable extends DomainError {
  constructor(billerName: string) {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 30,
      detail: `${billerName} cannot be reached right now. Nothing was recorded; send the request again later.`,
    });
  }
}

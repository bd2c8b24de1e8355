import { DomainError } from '../../core/errors/domain-error';
import { displayMoney } from '../../core/money/money';
import type { NetworkRecord } from '../phones/networks.service';

export class AirtimeAmountOutOfRange extends DomainError {
  constructor(
    { name, minAmount, maxAmount, currency }: Pick<NetworkRecord, 'name' | 'minAmount' | 'maxAmount' | 'currency'>,
    actual: bigint,
  ) {
    const [least, most] = [minAmount, maxAmount].map((amount) => displayMoney({ amount, currency }));
    super({
      code: 'amount_out_of_range',
      kind: 'malformed',
      title: 'Amount is out of range',
      detail: `${name} takes ${minAmount} (${least}) to ${maxAmount} (${most}) at once.`,
      param: '/amount',
      figures: { min: minAmount, max: maxAmount, actual },
    });
  }
}

import { type Currency, decimalText, type Money } from '../../core/money/money';
import type { NotDelivered } from '../../modules/purchases/purchases.provider';
import { fieldsOf, type UnknownOutcome } from '../../providers/answers';
import type { CompanyAnswer, Outside } from '../../providers/http';
import { isNetwork } from '../../providers/operator-ids';
import { OPERATOR_UNKNOWN, refused } from '../../modules/purchases/refusals';
import { idOf, OPERATOR_UNAVAILABLE, refusalOf } from './topups';

/** What is known of an operator stays true for so long. */
const KEPT_MS = 10 * 60_000;

/** At Reloadly a network that also sells data, bundles or PINs is several operators. */
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly isAirtime: boolean;
  readonly sellsLocalAmounts: boolean;
  /** Of the recipient. */
  readonly localCurrency: string;
  /** Of our account. */
  readonly senderCurrency: string;
}

type Answered = Operator | NotDelivered | UnknownOutcome;

export const isOperator = (answer: Answered): answer is Operator => !('outcome' in answer);

/** Looks operators up: by the id that an operator of Duka set, or by the number. */
export class Operators {
  private readonly kept = new Map<string, { readonly operator: Operator; readonly until: number }>();

  constructor(private readonly reloadly: Outside) {}

  async byId(id: string, signal: AbortSignal): Promise<Answered> {
    const kept = this.kept.get(id);
    if (kept && kept.until > Date.now()) return kept.operator;
    const answer = operatorOf(await this.reloadly.ask({ path: `operators/${id}`, signal, bytesMax: OPERATOR_BYTES }));
    if (isOperator(answer)) {
      if (answer.id !== id) return NOT_READ;
      this.kept.set(id, { operator: answer, until: Date.now() + KEPT_MS });
    }
    return answer;
  }

  /** By the number, as they assign it: a number that was ported is taken for one of the network that issued it. */
  async byPhone(phone: string, country: string, signal: AbortSignal): Promise<Answered> {
    const path = `operators/auto-detect/phone/${encodeURIComponent(phone)}/countries/${encodeURIComponent(country)}`;
    return operatorOf(await this.reloadly.ask({ path, signal, bytesMax: OPERATOR_BYTES }));
  }
}

/** Promotions come along, in HTML. */
const OPERATOR_BYTES = 1_024 * 1_024;

/** No order was sent yet, but one of the same reference may have been before. */
const NOT_READ: UnknownOutcome = { outcome: 'unknown', code: 'operator_not_read' };

export function operatorOf(answer: CompanyAnswer): Answered {
  const { status, body } = answer;
  if (status !== 200) return refusalOf(answer) ?? NOT_READ;
  const told = fieldsOf(body);
  const id = idOf(told.operatorId ?? told.id);
  const { name, destinationCurrencyCode, senderCurrencyCode } = told;
  if (id === null || typeof name !== 'string') return NOT_READ;
  if (typeof destinationCurrencyCode !== 'string' || typeof senderCurrencyCode !== 'string') return NOT_READ;
  if (told.status !== undefined && told.status !== 'ACTIVE') return refused(OPERATOR_UNAVAILABLE);
  return {
    id,
    name,
    isAirtime: [told.data, told.bundle, told.comboProduct, told.pin].every((is) => is !== true),
    sellsLocalAmounts: told.supportsLocalAmounts === true,
    localCurrency: destinationCurrencyCode,
    senderCurrency: senderCurrencyCode,
  };
}

/** The detected operator, if it sells airtime of this network. */
export const fitting = (operator: Operator, network: string): Answered =>
  operator.isAirtime && isNetwork(operator.name, network) ? operator : refused(OPERATOR_UNKNOWN);

/** What to ask for an amount; null: neither the recipient's currency nor ours is that of the order. */
export function priceOf(operator: Operator, price: Money): { amount: string; useLocalAmount: boolean } | null {
  const isLocal = operator.sellsLocalAmounts && isSame(operator.localCurrency, price.currency);
  if (!isLocal && !isSame(operator.senderCurrency, price.currency)) return null;
  return { amount: decimalText(price), useLocalAmount: isLocal };
}

const isSame = (theirs: string, ours: Currency): boolean => theirs === ours;

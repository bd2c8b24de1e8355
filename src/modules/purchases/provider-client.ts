import { Injectable, Logger } from '@nestjs/common';
import type { OnErrorContext } from '../../core/extension/points';
import { jsonOf } from '../../core/database/bulk';
import { AMOUNT_MAX, isCurrency } from '../../core/money/money';
import { within } from '../../core/process/work-under-way';
import {
  codeOf,
  fieldsOf,
  type Given,
  isObject,
  isReference,
  NOT_ABOUT_ORDER,
  refusalOf,
  scrub,
  UNREADABLE,
  unknownOf,
} from '../../providers/answers';
import { Client, type Matter } from '../../providers/client';
import type { Registered } from '../../providers/registry';
import type {
  FindResult,
  NotDelivered,
  OrderCallback,
  OrderDraft,
  Provider,
  ProviderResult,
  Unsellable,
} from './purchases.provider';
import { orderOf, priceOf, type Running } from './running';
import { PRODUCTS } from '../../vocabulary/products';

/** How long the question before a sale may take. */
const CAN_SELL_TIMEOUT_MS = 2_000;

const POINTER = /^(\/[a-z0-9_]{1,64}){1,4}$/;

/** The breaker was opened since the route was chosen. */
const NOT_ASKED: NotDelivered = {
  outcome: 'not_delivered',
  code: 'provider_unavailable',
  message: 'The provider is not asked at the moment.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

/** Speaks with providers. Whatever happens there is one of the outcomes of the port: nothing is thrown. */
@Injectable()
export class ProviderClient {
  private readonly log = new Logger('providers');

  constructor(private readonly client: Client) {}

  /** Whether a provider says that it could sell this. One that fails or takes its time could not now. */
  async canSell({ name, adapter }: Registered<Provider>, order: OrderDraft): Promise<boolean | Unsellable> {
    if (adapter.canSell === undefined) return true;
    try {
      const answer = adapter.canSell(order);
      return asSellable(answer instanceof Promise ? await within(CAN_SELL_TIMEOUT_MS, () => answer) : answer);
    } catch (error) {
      this.log.warn({
        message: 'a provider does not say whether it can sell, and is left out',
        provider: name,
        err: error,
      });
      return false;
    }
  }

  /** Asks the attempt's provider to sell. */
  purchase(running: Running): Promise<ProviderResult> {
    const order = orderOf(running);
    return this.client.ask<Provider, ProviderResult>(matterOf(running), {
      call: 'purchase',
      ask: (provider, signal) => provider.purchase(order, signal),
      parse: asProviderResult,
      whenOpen: NOT_ASKED,
      context: contextOf(running),
    });
  }

  /** Asks the attempt's provider what became of it. */
  find(running: Running): Promise<FindResult> {
    const order = orderOf(running);
    return this.client.ask<Provider, FindResult>(matterOf(running), {
      call: 'find',
      ask: (provider, signal) => provider.find(order, signal),
      parse: asFindResult,
    });
  }
}

const matterOf = ({ purchase, attempt }: Running): Matter => {
  const { product, network, livemode, accountId, id } = purchase;
  return { product, provider: attempt!.provider, network, livemode, accountId, id };
};

function contextOf(running: Running): Omit<OnErrorContext, 'error'> {
  const { transaction: t, purchase } = running;
  const { amount, currency } = priceOf(running);
  return {
    operation: PRODUCTS[purchase.product].operation,
    accountId: t.accountId,
    livemode: t.livemode,
    objectType: 'txn',
    objectId: t.id,
    requestId: purchase.requestId,
    dryRun: false,
    draft: {
      transactionId: t.id,
      amount,
      currency,
      walletId: t.walletId,
      recipient: t.recipient,
      network: purchase.network,
      reference: t.reference,
      metadata: t.metadata,
    },
  };
}

/** Only a plain yes is one. */
function asSellable(value: unknown): boolean | Unsellable {
  const { outcome, message, param } = fieldsOf(value);
  if (outcome !== 'refused' || typeof message !== 'string') return value === true;
  return { outcome, message: scrub(message), ...(typeof param === 'string' && POINTER.test(param) && { param }) };
}

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asProviderResult(value: unknown): ProviderResult {
  const given = fieldsOf(value);
  if (given.outcome === 'delivered') return asDelivered(given);
  if (given.outcome === 'not_delivered') return asNotDelivered(given);
  if (given.outcome !== 'accepted') return unknownOf(given);
  const { outcome, providerReference } = given;
  return { outcome, ...(isReference(providerReference) && { providerReference }) };
}

export function asFindResult(value: unknown): FindResult {
  const given = fieldsOf(value);
  if (given.outcome === 'not_known') return { outcome: 'not_known' };
  if (given.outcome === 'reversed')
    return { outcome: 'reversed', code: codeOf(given.code, 'reversed_by_provider'), message: scrub(given.message) };
  if (given.outcome === 'not_delivered' && given.about !== 'order') return NOT_ABOUT_ORDER;
  const result = asProviderResult(value);
  return result.outcome === 'not_delivered' ? { ...result, about: 'order' } : result;
}

function asDelivered(given: Given): ProviderResult {
  const { providerReference, deliveredAmount, cost, costCurrency, details, secrets, recheckAfterMs } = given;
  // Without a reference nobody could prove the delivery later; what arrived is an amount, or it is not known.
  const isProven =
    isReference(providerReference) &&
    isAmount(deliveredAmount) &&
    isAmount(cost) &&
    (costCurrency === undefined || (isCurrency(costCurrency) && cost !== undefined)) &&
    !(isObject(details) && 'delivered_amount' in details);
  if (!isProven) return UNREADABLE;
  return {
    outcome: 'delivered',
    providerReference,
    ...(deliveredAmount !== undefined && { deliveredAmount }),
    ...(cost !== undefined && { cost }),
    ...(costCurrency !== undefined && { costCurrency }),
    ...(isObject(details) && { details: JSON.parse(jsonOf(details)) as Record<string, unknown> }),
    ...(isObject(secrets) && { secrets }),
    ...(typeof recheckAfterMs === 'number' && recheckAfterMs >= 0 && { recheckAfterMs }),
  };
}

/** What an adapter makes of a callback. Whatever is not clearly genuine is forged. */
export function asOrderCallback(value: unknown): OrderCallback {
  const { outcome, reference, says } = fieldsOf(value);
  if (outcome === 'other') return { outcome };
  if (outcome !== 'genuine' || typeof reference !== 'string') return { outcome: 'forged' };
  return { outcome, reference, ...(typeof says === 'string' && { says: codeOf(says, 'other') }) };
}

const isAmount = (value: unknown): value is bigint | undefined =>
  value === undefined || (typeof value === 'bigint' && value > 0n && value <= AMOUNT_MAX);

const asNotDelivered = (given: Given): NotDelivered => ({
  outcome: 'not_delivered',
  ...refusalOf(given, 'provider_refused'),
  retryElsewhere: given.retryElsewhere === true,
});

import { newId } from '../../src/core/http/ids';
import type { GatewayOrder } from '../../src/modules/payments/gateway';
import { gatewayReferenceOf } from '../../src/modules/payments/gateway-client';

const HOUR_MS = 3_600_000;

/** What gateways are asked to collect: 1,000 naira within an hour. */
export function orderOf(more: Partial<GatewayOrder> = {}): GatewayOrder {
  const [accountId, paymentId] = [newId(), newId()];
  return {
    reference: gatewayReferenceOf({ accountId, id: paymentId }),
    accountId,
    livemode: true,
    paymentId,
    amount: 100_000n,
    currency: 'NGN',
    description: null,
    customer: { email: 'ada@example.com' },
    options: {},
    returnUrl: 'https://duka.example.com/checkout/t/return',
    expiresAt: new Date(Date.now() + HOUR_MS),
    ...more,
  };
}

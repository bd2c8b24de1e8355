import { newId } from '../../src/core/http/ids';
import { FlutterwaveGateway } from '../../src/extensions/flutterwave/gateway';
import type { GatewayOrder, RefundOrder } from '../../src/modules/payments/gateway';
import { gatewayReferenceOf } from '../../src/modules/payments/gateway-client';
import type { Company } from '../pretended/flutterwave/company';
import { outside } from './outside';

export const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

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

export const gatewayOf = ({ url, key, secretHash }: Company, email?: string) =>
  new FlutterwaveGateway({ url: `${url}v3/`, secretKey: key, secretHash, email }, outside());

export const refundOrderOf = (server: Company, payment: GatewayOrder, amount = 1_000n): RefundOrder => {
  const reference = `rfd_${newId().replaceAll('-', '')}`;
  const id = server.payments.idOf(payment.reference);
  server.payments.notes.set(id, reference);
  const [paymentReference, currency, reason] = [String(id), payment.currency, null];
  return { reference, payment, paymentReference, amount, currency, reason };
};

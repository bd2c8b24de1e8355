import { newId } from '../../src/core/http/ids';
import { FlutterwaveGateway } from '../../src/extensions/flutterwave/gateway';
import type { GatewayOrder, RefundOrder } from '../../src/modules/payments/gateway';
import type { Company } from '../pretended/flutterwave/company';
import { outside } from './outside';

export const never = new AbortController().signal;

export const gatewayOf = ({ url, key, secretHash }: Company, email?: string) =>
  new FlutterwaveGateway({ url: `${url}v3/`, secretKey: key, secretHash, email }, outside());

export const refundOrderOf = (server: Company, payment: GatewayOrder, amount = 1_000n): RefundOrder => {
  const reference = `rfd_${newId().replaceAll('-', '')}`;
  const id = server.payments.idOf(payment.reference);
  server.payments.notes.set(id, reference);
  const [paymentReference, currency, reason] = [String(id), payment.currency, null];
  return { reference, payment, paymentReference, amount, currency, reason };
};

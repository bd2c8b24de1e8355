import { newId } from '../../src/core/http/ids';
import type { Gateway, GatewayOrder, RefundOrder } from '../../src/modules/payments/gateway';
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

/** Where the company made a refund of ours twice, nobody says what became of it. `listed`: all that it has. */
export async function expectTwinsSeen<Row extends { id: number; status: string }>(
  gateway: Required<Pick<Gateway, 'refund' | 'findRefund'>>,
  wanted: RefundOrder,
  listed: Row[],
): Promise<void> {
  const never = new AbortController().signal;
  const first = await gateway.refund(wanted, never);
  const [row] = listed;
  listed.push({ ...row!, id: row!.id + 1 });
  await expect(gateway.findRefund(wanted, never)).rejects.toThrow('more than once');
  await expect(gateway.refund(wanted, never)).rejects.toThrow('more than once');
  expect(listed).toHaveLength(2);
  // One that failed gave nothing back, in whatever order they are listed.
  listed[1]!.status = 'failed';
  expect(await gateway.findRefund(wanted, never)).toEqual(first);
  listed.reverse();
  expect(await gateway.findRefund(wanted, never)).toEqual(first);
  row!.status = 'failed';
  expect(await gateway.findRefund(wanted, never)).toMatchObject({ outcome: 'not_refunded' });
}

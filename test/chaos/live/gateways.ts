import type { CallbackRequest } from '../../../src/providers/answers';
import { theirsOf } from '../../../src/extensions/paystack/gateway';
import type { GatewayDeed } from '../../contracts/gateway-rules';
import { PaylinkServer } from '../../contracts/paylink-server';
import type { Company as Paystack } from '../../pretended/paystack/company';
import type { Pretended } from '../../pretended/pretended';
import type { Caller } from './callbacks';
import { type Booked, sumOf } from './desks';

/** What went back, by our name for it. Kobo. */
interface Returned {
  readonly reference: string;
  readonly amount: bigint;
}

/** What the run does with a gateway, in the words of none. Orders have the names that we gave them. */
export interface Gateway extends Caller {
  readonly company: Pretended;
  /** What payers brought, without what it kept and what went back. Kobo. */
  readonly balance: bigint;
  readonly returned: readonly Returned[];
  /** In its statement. */
  readonly booked: readonly Booked[];
  /** From now on. */
  plan(order: string, deed: GatewayDeed): void;
  /** It waits for the payer. */
  isOpen(order: string): boolean;
  /** The payer of an open order pays, and the gateway calls back. `amount`: where payers may choose it. */
  pay(order: string, amount: bigint): void;
  /** What came for an order; null: nothing did. */
  arrived(order: string): bigint | null;
}

interface Terms {
  readonly name: string | number;
  readonly amount: string | number | bigint;
}

/** What a payer brought, by our name for the order. */
const arrivalOf = (order: string, { name, amount }: Terms): Booked => ({
  reference: order,
  name: String(name),
  lines: [-BigInt(amount)],
});

/** What went back, by our name for the refund. */
const returnOf = (refund: string, { name, amount }: Terms): Booked => ({
  reference: refund,
  name: String(name),
  lines: [BigInt(amount)],
});

class PaystackGateway implements Gateway {
  readonly name = 'paystack';
  readonly path = 'paystack';

  constructor(readonly company: Paystack) {}

  get balance(): bigint {
    return this.company.collected;
  }

  get booked(): Booked[] {
    const { received, refunds } = this.company.payments;
    return [
      ...received.map(({ id, reference, amount, fee }) =>
        arrivalOf(reference.replaceAll('-', '_'), { name: id, amount: amount - fee }),
      ),
      ...refunds
        .filter(({ status }) => status !== 'failed')
        .map(({ id, merchant_note: note, amount }) => returnOf(note, { name: id, amount })),
    ];
  }

  get returned(): Returned[] {
    return this.company.payments.refunds
      .filter(({ status }) => status !== 'failed')
      .map(({ merchant_note: reference, amount }) => ({ reference, amount: BigInt(amount) }));
  }

  plan(order: string, deed: GatewayDeed): void {
    this.company.payments.plan(theirsOf(order), deed);
  }

  isOpen(order: string): boolean {
    return this.company.payments.isOpen(theirsOf(order));
  }

  pay(order: string): void {
    this.company.payments.pay(theirsOf(order));
  }

  arrived(order: string): bigint | null {
    return this.company.payments.paid(theirsOf(order));
  }

  callback(order: string, isForged: boolean): CallbackRequest {
    const data = { reference: theirsOf(order) };
    return isForged
      ? this.company.callback('charge.success', data, 'sk_live_another')
      : this.company.callback('charge.success', data);
  }
}

class PaylinkGateway implements Gateway {
  readonly name = 'paylink';
  readonly path = 'paylink';
  readonly company = new PaylinkServer();

  get balance(): bigint {
    return -sumOf(this.booked.flatMap(({ lines }) => lines));
  }

  get booked(): Booked[] {
    const { paid, given } = this.company;
    const termsOf = ({ id, amount }: Readonly<Record<string, unknown>>) => ({
      name: String(id),
      amount: String(amount),
    });
    return [
      ...paid.map((order) => arrivalOf(String(order.reference), termsOf(order))),
      ...given.map((refund) => returnOf(String(refund.reference), termsOf(refund))),
    ];
  }

  get returned(): Returned[] {
    return this.company.given.map(({ reference, amount }) => ({
      reference: String(reference),
      amount: BigInt(String(amount)),
    }));
  }

  plan(order: string, deed: GatewayDeed): void {
    this.company.plan(order, deed);
  }

  isOpen(order: string): boolean {
    return this.company.standing(order)?.status === 'open';
  }

  pay(order: string, amount: bigint): void {
    this.company.pay(order, amount);
  }

  arrived(order: string): bigint | null {
    const standing = this.company.standing(order);
    return standing?.status === 'paid' ? standing.amount : null;
  }

  callback(order: string, isForged: boolean): CallbackRequest {
    return isForged ? this.company.callback(order, 'another') : this.company.callback(order);
  }
}

/** Those that take payments. One more is one line. */
export const openGateways = (paystack: Paystack): Gateway[] => [new PaystackGateway(paystack), new PaylinkGateway()];

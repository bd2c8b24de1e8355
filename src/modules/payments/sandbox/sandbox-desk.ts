import { Injectable } from '@nestjs/common';
import type { Key } from '../../../core/http/caller';
import { CallbacksService } from '../callbacks.service';
import { CheckoutService } from '../checkout.service';
import { gatewayReferenceOf } from '../gateway-client';
import { PaymentStore } from '../payment-store';
import type { Payment } from '../payment.entity';
import { InvalidPaymentTransition, OrderNotOpened } from '../payments.errors';
import { OUTCOMES, SandboxBank, type SandboxOutcome } from './sandbox.provider';

/** Lets people decide how test payments end: at the gateway, which then calls back as a real one does. */
@Injectable()
export class SandboxDesk {
  constructor(
    private readonly bank: SandboxBank,
    private readonly callbacks: CallbacksService,
    private readonly checkout: CheckoutService,
    private readonly store: PaymentStore,
  ) {}

  get outcomes(): readonly SandboxOutcome[] {
    return OUTCOMES;
  }

  /**
   * Opens an order at the first gateway that is offered when there is none. Throws `NotFound`,
   * `InvalidPaymentTransition`, `OrderNotOpened`.
   */
  async complete(key: Key, outcome: string): Promise<Payment> {
    const before = await this.store.load(key);
    const payment =
      before.page === null && before.status === 'pending'
        ? (await this.checkout.open(key, before.gateways[0]!)).payment
        : before;
    const { gateway, id, status } = payment;
    if (gateway === null || !(await this.bank.decide(key, outcome))) {
      // The gateway did not answer, or somebody else is about to open the order.
      if (status === 'pending') throw new OrderNotOpened();
      throw new InvalidPaymentTransition(id, status, `completed as ${outcome}: no order was opened for it`);
    }
    await this.callbacks.receive(gateway, this.bank.callback(gateway, gatewayReferenceOf(payment), outcome));
    return this.store.load(key);
  }
}

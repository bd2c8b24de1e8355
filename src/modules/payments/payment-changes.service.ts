import { Injectable } from '@nestjs/common';
import { ChecksService } from './checks.service';
import { EndingsService } from './endings.service';
import type { StartResult } from './gateway';
import { CALL_TIMEOUT_MS, GatewayClient } from './gateways/gateway-client';
import { ChangedElsewhere } from './payment-step.batch';
import type { PaymentStore } from './payment-store.service';
import type { Payment, PaymentKey } from './payment.entity';
import { InvalidPaymentTransition } from './payments.errors';
import { checkWrite } from './payments.queries';

/** A process that dies while it asks leaves the payment to whoever looks after this time. */
const ABANDONED_AFTER_MS = CALL_TIMEOUT_MS + 10_000;
/** The payer is about to pay: nothing is asked before. */
const FIRST_CHECK_MS = 60_000;

/** What accounts and payers do with a payment. */
@Injectable()
export class PaymentChangesService {
  constructor(
    private readonly calls: GatewayClient,
    private readonly checks: ChecksService,
    private readonly endings: EndingsService,
  ) {}

  /**
   * Only while nothing was paid. Money that arrives later at an order that is open by then is for a person to settle.
   * Throws `NotFound`, `InvalidPaymentTransition`.
   */
  async cancel(key: PaymentKey): Promise<Payment> {
    const payment = await this.store.load(key);
    if (payment.status !== 'pending') throw new InvalidPaymentTransition(payment.id, payment.status, 'cancelled');
    try {
      return await this.endings.end(payment, 'cancelled', null);
    } catch (error) {
      if (!(error instanceof ChangedElsewhere)) throw error;
      return this.cancel(key);
    }
  }

  /**
   * Opens an order at the gateway, or finds the one that is open: once a gateway has one, no other is asked. The choice is
   * stored before the gateway hears of it. Throws `NotFound`, `InvalidPaymentTransition` when there is nothing to pay.
   */
  async start(key: PaymentKey, gateway: string): Promise<{ payment: Payment; result: StartResult | null }> {
    const { store } = this;
    const [payment, now] = [await store.load(key), await store.now(key)];
    if (payment.status !== 'pending' || payment.expiresAt <= now)
      throw new InvalidPaymentTransition(payment.id, payment.status, 'paid');
    if (payment.page !== null) return { payment, result: null };
    if (!payment.gateways.includes(payment.gateway ?? gateway))
      throw new InvalidPaymentTransition(payment.id, payment.status, `paid by ${gateway}`);
    try {
      const asked = await store.step(payment, {
        gateway: payment.gateway ?? gateway,
        nextCheckAt: new Date(now.getTime() + ABANDONED_AFTER_MS),
      });
      const result = await this.calls.start(asked);
      return { result, payment: await this.started(asked, result) };
    } catch (error) {
      if (!(error instanceof ChangedElsewhere)) throw error;
      return { payment: await store.load(key), result: null };
    }
  }

  get store(): PaymentStore {
    return this.endings.store;
  }

  /** Asks the gateway now. */
  look(key: PaymentKey): Promise<Payment> {
    return this.checks.look(key);
  }

  private async started(asked: Payment, result: StartResult): Promise<Payment> {
    const row = checkWrite(asked, 'start', result);
    const { store } = this;
    if (result.outcome === 'unknown') {
      await store.write([row]);
      return asked;
    }
    // Certainly no order is open there: the payer may choose another one.
    if (result.outcome === 'not_started')
      return store.step(asked, { gateway: null, nextCheckAt: asked.expiresAt }, () => [row]);
    const nextCheckAt = new Date(
      Math.min((await store.now(asked)).getTime() + FIRST_CHECK_MS, asked.expiresAt.getTime()),
    );
    const page = { url: result.pageUrl ?? null, instructions: result.instructions ?? [] };
    return store.step(asked, { page, gatewayReference: result.gatewayReference, nextCheckAt }, () => [row]);
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { found } from '../../core/errors/not-found';
import { registry } from '../../core/metrics/metrics';
import type { CallbackRequest, CallbackResult, Gateway } from './gateway';
import { asCallbackResult, keyOfGatewayReference } from './gateway-client';
import { type Registered, Registry } from '../../providers/registry';
import { callbackWrite, PaymentStore } from './payment-store';
import { PaymentRun } from './payment-run';
import { ForgedCallback } from './payments.errors';

const received = new Counter({
  name: 'gateway_callbacks_total',
  help: 'Callbacks of payment gateways: `genuine`, `forged`, or about nothing of ours (`other`).',
  labelNames: ['gateway', 'outcome'],
  registers: [registry],
});

/** Takes what gateways say by themselves. It is never believed: a genuine callback only has the gateway asked. */
@Injectable()
export class CallbacksService {
  private readonly log = new Logger('payments');

  constructor(
    private readonly registry: Registry,
    private readonly store: PaymentStore,
    private readonly run: PaymentRun,
  ) {}

  /**
   * Returns once the callback is stored: whatever happens then, the gateway is asked until it answers. Throws
   * `NotFound` for an unknown gateway, `ForgedCallback`.
   */
  async receive(name: string, request: CallbackRequest): Promise<void> {
    const gateway = found(this.registry.find<Gateway>('payment', name), 'gateway');
    const result = await this.verified(gateway, request);
    received.inc({ gateway: name, outcome: result.outcome });
    if (result.outcome === 'forged') throw new ForgedCallback();
    if (result.outcome === 'other') return;
    const key = keyOfGatewayReference(result.reference);
    const payment = key && (await this.store.find({ ...key, livemode: gateway.mode === 'live' }));
    // Answered all the same: the gateway would repeat it for ever.
    if (payment?.gateway !== name)
      return this.log.warn({ message: 'a callback is about no payment of its gateway', gateway: name });
    await this.store.makeDue(payment, callbackWrite(payment, result.says ?? null));
    await this.run.look(payment, result.claims).catch((error: unknown) => {
      this.log.error({
        message: 'a payment could not be looked at; the sweeper will',
        payment: payment.id,
        err: error,
      });
    });
  }

  private async verified({ name, adapter }: Registered<Gateway>, request: CallbackRequest): Promise<CallbackResult> {
    try {
      return asCallbackResult(await adapter.verify(request));
    } catch (error) {
      this.log.warn({ message: 'a callback could not be verified', gateway: name, err: error });
      return { outcome: 'forged' };
    }
  }
}

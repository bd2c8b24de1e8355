import { Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { faultCode } from '../../core/adapters/answers';
import { Extensions } from '../../core/extension/extensions';
import { registry } from '../../core/metrics/metrics';
import { within } from '../../core/process/within';
import { CheckoutLinks } from './checkout-links.service';
import { asQueryResult, asStartResult } from './gateway-answers.batch';
import { GatewaysService } from './gateways.service';
import type { Payment } from './payment.entity';
import { gatewayReferenceOf } from './payment-step.batch';
import type { Gateway, GatewayOrder, QueryResult, StartResult, Unknown } from './payments.types';

/** How long an answer of a gateway is waited for. */
export const CALL_TIMEOUT_MS = 20_000;

const duration = new Histogram({
  name: 'gateway_call_seconds', help: 'Calls of payment gateways by what they answered.', labelNames: ['gateway', 'call', 'outcome'],
  buckets: [0.001, 0.01, 0.05, 0.2, 1, 5, 20], registers: [registry],
});

/** Speaks with gateways. Whatever happens there is one of the outcomes here: nothing is thrown. No transaction is open. */
@Injectable()
export class GatewayCalls {
  private readonly log = new Logger('payments');

  constructor(
    private readonly gateways: GatewaysService,
    private readonly links: CheckoutLinks,
    private readonly extensions: Extensions,
  ) {}

  start(payment: Readonly<Payment>): Promise<StartResult> {
    return this.call(payment, 'start', async (gateway, order) => asStartResult(await within(CALL_TIMEOUT_MS, (signal) => gateway.start(order, signal))));
  }

  query(payment: Readonly<Payment>): Promise<QueryResult> {
    return this.call(payment, 'query', async (gateway, order) => asQueryResult(await within(CALL_TIMEOUT_MS, (signal) => gateway.query(order, signal))));
  }

  private async call<R extends { outcome: string }>(payment: Readonly<Payment>, call: string, ask: (gateway: Gateway, order: GatewayOrder) => Promise<R>): Promise<R | Unknown> {
    const name = payment.gateway!;
    const found = this.gateways.find(name);
    // A release without the adapter: the question stays open.
    if (found === null) return this.report<Unknown>(payment, { outcome: 'unknown', code: 'gateway_missing' });
    const end = duration.startTimer({ gateway: name, call });
    let result: R | Unknown;
    try {
      result = await ask(found.gateway, this.orderOf(payment));
    } catch (error) {
      this.log.warn({ message: 'a gateway did not answer', gateway: name, call, payment: payment.id, err: error });
      result = { outcome: 'unknown', code: faultCode(error, 'gateway_error') };
    }
    end({ outcome: result.outcome });
    return this.report(payment, result);
  }

  private orderOf(p: Readonly<Payment>): GatewayOrder {
    const { accountId, livemode, id: paymentId, amount, currency, description, customer, expiresAt } = p;
    return {
      reference: gatewayReferenceOf(p), accountId, livemode, paymentId, amount, currency, description, customer, expiresAt,
      options: p.options[p.gateway!] ?? {}, returnUrl: `${this.links.urlOf(p)}/return`,
    };
  }

  /** `svc_on_error` hears of refusals and of what nobody can say. */
  private report<R extends { outcome: string }>(p: Readonly<Payment>, result: R): R {
    const { outcome, code, message = 'nobody can say yet' } = result as { outcome: string; code?: string; message?: string };
    if (!['unknown', 'failed', 'not_started'].includes(outcome)) return result;
    this.extensions.onError({
      operation: 'payment', accountId: p.accountId, livemode: p.livemode, requestId: p.requestId, dryRun: false,
      draft: { amount: p.amount, currency: p.currency, walletId: p.walletId, reference: p.reference, metadata: p.metadata, details: { payment_id: p.id } },
      error: { stage: 'provider', by: p.gateway, code: code ?? outcome, message, outcome },
    });
    return result;
  }
}

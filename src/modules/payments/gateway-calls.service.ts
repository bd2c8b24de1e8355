import { Injectable } from '@nestjs/common';
import { Breakers } from '../../core/adapters/breakers';
import { ProviderCalls } from '../../core/adapters/provider-calls';
import { Extensions } from '../../core/extension/extensions';
import { within } from '../../core/process/within';
import { CheckoutLinks } from './checkout-links.service';
import { asQueryResult, asStartResult } from './gateway-answers.batch';
import { GatewaysService } from './gateways.service';
import type { Payment } from './payment.entity';
import { gatewayReferenceOf } from './payment-step.batch';
import type { Gateway, GatewayOrder, QueryResult, StartResult, Unknown } from './payments.types';

/** How long an answer of a gateway is waited for. */
export const CALL_TIMEOUT_MS = 20_000;

/** The breaker is open. An order that the gateway may have had before stays open. */
const NOT_ASKED: Unknown = { outcome: 'unknown', code: 'provider_unavailable' };

/** Speaks with gateways. Whatever happens there is one of the outcomes here: nothing is thrown. No transaction is open. */
@Injectable()
export class GatewayCalls {
  constructor(
    private readonly gateways: GatewaysService,
    private readonly links: CheckoutLinks,
    private readonly extensions: Extensions,
    private readonly calls: ProviderCalls,
    private readonly breakers: Breakers,
  ) {}

  start(payment: Readonly<Payment>): Promise<StartResult> {
    const { gateway: provider, currency: network, livemode, accountId } = payment;
    const line = { product: 'payment', provider: provider!, network, livemode, accountId };
    return this.call<StartResult>(
      payment,
      'start',
      async (gateway, order) =>
        (await this.breakers.run(line, async () =>
          asStartResult(await within(CALL_TIMEOUT_MS, (signal) => gateway.start(order, signal))),
        )) ?? NOT_ASKED,
    );
  }

  query(payment: Readonly<Payment>): Promise<QueryResult> {
    return this.call(payment, 'query', async (gateway, order) =>
      asQueryResult(await within(CALL_TIMEOUT_MS, (signal) => gateway.query(order, signal))),
    );
  }

  private async call<R extends { outcome: string }>(
    payment: Readonly<Payment>,
    call: string,
    ask: (gateway: Gateway, order: GatewayOrder) => Promise<R>,
  ): Promise<R | Unknown> {
    const name = payment.gateway!;
    const found = this.gateways.find(name);
    // A release without the adapter: the question stays open.
    if (found === null) return this.report<Unknown>(payment, { outcome: 'unknown', code: 'gateway_missing' });
    const called = { product: 'payment', provider: name, livemode: payment.livemode, call, about: payment.id };
    return this.report(
      payment,
      await this.calls.make(called, () => ask(found.gateway, this.orderOf(payment)), 'gateway_error'),
    );
  }

  private orderOf(p: Readonly<Payment>): GatewayOrder {
    const { accountId, livemode, id: paymentId, amount, currency, description, customer, expiresAt } = p;
    return {
      reference: gatewayReferenceOf(p),
      accountId,
      livemode,
      paymentId,
      amount,
      currency,
      description,
      customer,
      expiresAt,
      options: p.options[p.gateway!] ?? {},
      returnUrl: `${this.links.urlOf(p)}/return`,
    };
  }

  /** `svc_on_error` hears of refusals and of what nobody can say. */
  private report<R extends { outcome: string }>(p: Readonly<Payment>, result: R): R {
    const {
      outcome,
      code,
      message = 'nobody can say yet',
    } = result as { outcome: string; code?: string; message?: string };
    if (!['unknown', 'failed', 'not_started'].includes(outcome)) return result;
    this.extensions.onError({
      operation: 'payment',
      accountId: p.accountId,
      livemode: p.livemode,
      requestId: p.requestId,
      dryRun: false,
      draft: {
        amount: p.amount,
        currency: p.currency,
        walletId: p.walletId,
        reference: p.reference,
        metadata: p.metadata,
        details: { payment_id: p.id },
      },
      error: { stage: 'provider', by: p.gateway, code: code ?? outcome, message, outcome },
    });
    return result;
  }
}

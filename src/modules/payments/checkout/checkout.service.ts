import { Injectable, Logger } from '@nestjs/common';
import { ChangedElsewhere } from '../../../core/database/unit-of-work';
import type { Key } from '../../../core/http/caller';
import { NotFound } from '../../../core/errors/domain-error';
import { encodeId } from '../../../core/http/ids';
import { BrandingService } from '../branding.service';
import { CheckoutLinks } from './checkout-links';
import type { Checkout, Notice } from './checkout-page';
import type { Gateway, GatewaySettings, StartResult } from '../gateway';
import { GatewayClient } from '../gateway-client';
import { type Registered, Registry } from '../../../providers/registry';
import { Routes } from '../../../providers/routes';
import { ABANDONED_AFTER_MS } from '../../../providers/client';
import { checkWrite, InvalidPaymentTransition, PaymentStore } from '../payment-store';
import { PaymentRun } from '../payment-run';
import type { Payment } from '../payment.entity';

/** The payer is about to pay: nothing is asked before. */
const FIRST_CHECK_MS = 60_000;

/** What the payer's form led to: an address to go to, or why the page is shown again. */
export interface Onward {
  readonly url: string | null;
  readonly notice: Notice | null;
}

/** What a payer does on the hosted page. The token of the page is all that the payer has to show. */
@Injectable()
export class CheckoutService {
  private readonly log = new Logger('checkout');

  constructor(
    private readonly branding: BrandingService,
    private readonly links: CheckoutLinks,
    private readonly registry: Registry,
    private readonly routes: Routes,
    private readonly client: GatewayClient,
    private readonly store: PaymentStore,
    private readonly run: PaymentRun,
  ) {}

  /** Throws `NotFound` for a token that was not given out. */
  keyOf(token: string): Key {
    const key = this.links.keyOf(token);
    if (key === null) throw new NotFound('payment');
    return key;
  }

  /** `/checkout/<token>`. */
  pathOf(key: Key): string {
    return this.links.pathOf(key);
  }

  /** Throws `NotFound`. */
  async view(key: Key, notice: Notice | null = null): Promise<Checkout> {
    const [payment, now, branding] = await Promise.all([
      this.store.load(key),
      this.store.now(key),
      this.branding.require(key.accountId),
    ]);
    return {
      payment,
      isPayable: await this.store.isPayable(payment, now),
      branding,
      choices: this.choicesOf(payment),
      path: this.links.pathOf(key),
      backUrl: backUrlOf(payment),
      now,
      notice,
    };
  }

  /** Opens the order at the chosen gateway; tells where the payer goes on. Throws `NotFound`. */
  async start(key: Key, gateway: string): Promise<Onward> {
    try {
      const { payment, result } = await this.open(key, gateway);
      if (result?.outcome === 'not_started') return { url: null, notice: 'unavailable' };
      if (result?.outcome === 'unknown') return { url: null, notice: 'unreached' };
      return { url: payment.page?.url ?? null, notice: null };
    } catch (error) {
      return this.asShown(error);
    }
  }

  /**
   * Opens an order at the gateway, or finds the one that is open: once a gateway has one, no other is asked. The choice
   * is stored before the gateway hears of it. Throws `NotFound`, `InvalidPaymentTransition` when there is nothing to
   * pay.
   */
  async open(key: Key, gateway: string): Promise<{ payment: Payment; result: StartResult | null }> {
    const [payment, now] = [await this.store.load(key), await this.store.now(key)];
    if (!(await this.store.isPayable(payment, now)))
      throw new InvalidPaymentTransition(payment.id, payment.status, 'paid');
    if (payment.page !== null) return { payment, result: null };
    if (!payment.gateways.includes(payment.gateway ?? gateway))
      throw new InvalidPaymentTransition(payment.id, payment.status, `paid by ${gateway}`);
    try {
      const asked = await this.store.step(payment, {
        gateway: payment.gateway ?? gateway,
        nextCheckAt: new Date(now.getTime() + ABANDONED_AFTER_MS),
      });
      const result = await this.client.start(asked, payment.gateway === null);
      return { result, payment: await this.opened(asked, result) };
    } catch (error) {
      if (!(error instanceof ChangedElsewhere)) throw error;
      return { payment: await this.store.load(key), result: null };
    }
  }

  /** Throws `NotFound`. */
  async cancel(key: Key): Promise<Onward> {
    try {
      return { url: backUrlOf(await this.run.cancel(key)), notice: null };
    } catch (error) {
      return this.asShown(error);
    }
  }

  /**
   * The payer comes back from the gateway: its word is asked for at once. Final payments lead on to the account's own
   * address.
   */
  async back(key: Key): Promise<Onward> {
    const payment = await this.run.look(key).catch((error: unknown) => {
      if (error instanceof NotFound) throw error;
      this.log.error({ message: 'a payment could not be looked at', payment: key.id, err: error });
      return this.store.load(key);
    });
    const isPayable = await this.store.isPayable(payment, await this.store.now(key));
    return { url: isPayable || payment.status === 'pending' ? null : backUrlOf(payment), notice: null };
  }

  /** Where forms of a page may lead: the gateways that can be chosen, and back to the account. */
  originsOf({ payment, backUrl }: Checkout): string[] {
    const ofGateways = this.registered(payment).flatMap(({ origins }) => origins ?? []);
    return [...ofGateways, ...(backUrl === null ? [] : [new URL(backUrl).origin])];
  }

  /** Those that would be asked now; when none would, all: a gateway may be back before the payer has chosen. */
  private choicesOf(payment: Payment): readonly Registered<Gateway, GatewaySettings>[] {
    const { accountId, livemode, currency: network, gateway } = payment;
    const wanted = { product: 'payment', network, livemode, accountId } as const;
    const all = this.registered(payment);
    const possible = all.filter(({ name }) => name === gateway || this.routes.isPossible(wanted, name));
    return possible.length > 0 ? possible : all;
  }

  private registered({ gateways }: Payment): readonly Registered<Gateway, GatewaySettings>[] {
    return gateways
      .map((name) => this.registry.find<Gateway, GatewaySettings>('payment', name))
      .filter((found) => found !== null);
  }

  private async opened(asked: Payment, result: StartResult): Promise<Payment> {
    const row = checkWrite(asked, 'start', result);
    if (result.outcome === 'unknown') {
      await this.store.write([row]);
      return asked;
    }
    // Certainly no order is open there: the payer may choose another one.
    if (result.outcome === 'not_started')
      return this.store.step(asked, { gateway: null, nextCheckAt: asked.expiresAt }, () => [row]);
    const nextCheckAt = new Date(
      Math.min((await this.store.now(asked)).getTime() + FIRST_CHECK_MS, asked.expiresAt.getTime()),
    );
    const page = { url: result.pageUrl ?? null, instructions: result.instructions ?? [] };
    return this.store.step(asked, { page, gatewayReference: result.gatewayReference, nextCheckAt }, () => [row]);
  }

  /** The page itself says how the payment stands. */
  private asShown(error: unknown): Onward {
    if (!(error instanceof InvalidPaymentTransition)) throw error;
    return { url: null, notice: null };
  }
}

/** The account's address with the outcome in its query; it alone decides where it leads. */
function backUrlOf({ callbackUrl, id, status, reference }: Readonly<Payment>): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  url.searchParams.set('payment_id', encodeId('pay', id));
  url.searchParams.set('status', status);
  if (reference !== null) url.searchParams.set('reference', reference);
  return url.href;
}

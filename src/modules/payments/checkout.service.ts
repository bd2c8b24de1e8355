import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NotFound } from '../../core/errors/not-found';
import { encodeId } from '../../core/http/ids';
import { CheckoutLinks } from './checkout/checkout-links';
import type { Checkout } from './checkout/checkout-page';
import { GatewaysService } from './gateways/gateways.service';
import { PaymentChangesService } from './payment-changes.service';
import type { Payment, PaymentKey } from './payment.entity';
import { InvalidPaymentTransition } from './payments.errors';

/** What the payer's form led to: an address to go to, or why the page is shown again. */
export interface Onward {
  readonly url: string | null;
  readonly notice: string | null;
}

/** What a payer does on the hosted page. The token of the page is all that the payer has to show. */
@Injectable()
export class CheckoutService {
  private readonly log = new Logger('checkout');

  constructor(
    private readonly dataSource: DataSource,
    private readonly links: CheckoutLinks,
    private readonly gateways: GatewaysService,
    private readonly changes: PaymentChangesService,
  ) {}

  /** Throws `NotFound` for a token that was not given out. */
  keyOf(token: string): PaymentKey {
    const key = this.links.keyOf(token);
    if (key === null) throw new NotFound('payment');
    return key;
  }

  /** `/checkout/<token>`. */
  pathOf(key: PaymentKey): string {
    return this.links.pathOf(key);
  }

  /** Throws `NotFound`. */
  async view(key: PaymentKey, notice: string | null = null): Promise<Checkout> {
    const { store } = this.changes;
    const [payment, now, [account]] = await Promise.all([
      store.load(key),
      store.now(key),
      this.dataSource.query<{ name: string }[]>('SELECT name FROM accounts WHERE id = $1', [key.accountId]),
    ]);
    const choices = payment.gateways.flatMap((name) => {
      const found = this.gateways.find(name);
      return found ? [{ name, label: found.label }] : [];
    });
    return {
      payment,
      merchant: account!.name,
      choices,
      path: this.links.pathOf(key),
      backUrl: backUrlOf(payment),
      isOpen: payment.expiresAt > now,
      notice,
    };
  }

  /** Opens the order at the chosen gateway; tells where the payer goes on. Throws `NotFound`. */
  async start(key: PaymentKey, gateway: string): Promise<Onward> {
    try {
      const { payment, result } = await this.changes.start(key, gateway);
      if (result?.outcome === 'not_started')
        return {
          url: null,
          notice: 'That way of paying is not available right now. Choose another one, or try again later.',
        };
      if (result?.outcome === 'unknown')
        return {
          url: null,
          notice: 'We could not reach that payment service. Try again in a moment: you will not pay twice.',
        };
      return { url: payment.page?.url ?? null, notice: null };
    } catch (error) {
      return this.asShown(error);
    }
  }

  /** Throws `NotFound`. */
  async cancel(key: PaymentKey): Promise<Onward> {
    try {
      return { url: backUrlOf(await this.changes.cancel(key)), notice: null };
    } catch (error) {
      return this.asShown(error);
    }
  }

  /** The payer comes back from the gateway: its word is asked for at once. Final payments lead on to the account's own address. */
  async back(key: PaymentKey): Promise<Onward> {
    const payment = await this.changes.look(key).catch((error: unknown) => {
      if (error instanceof NotFound) throw error;
      this.log.error({ message: 'a payment could not be looked at', payment: key.id, err: error });
      return this.changes.store.load(key);
    });
    return { url: payment.status === 'pending' ? null : backUrlOf(payment), notice: null };
  }

  /** Where forms of a page may lead: the gateways that can be chosen, and back to the account. */
  originsOf({ payment, backUrl }: Checkout): string[] {
    const ofGateways = payment.gateways.flatMap((name) => this.gateways.find(name)?.origins ?? []);
    return [...ofGateways, ...(backUrl === null ? [] : [new URL(backUrl).origin])];
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

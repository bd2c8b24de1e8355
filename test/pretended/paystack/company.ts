import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallbackRequest } from '../../../src/providers/answers';
import { type Heard, Pretended, type StatementLine } from '../pretended';
import { Payments } from './payments';
import { done, fault, invalidKey } from './talk';
import { Transfers } from './transfers';

/** As Paystack behaves. With nothing planned every payer pays, and every transfer arrives. */
export class Company extends Pretended {
  readonly key = 'sk_live_pretended';
  /** Null: this machine is let in. */
  shutOut: number | null = null;
  /** What of the balance payers brought, in subunits. */
  collected = 0n;
  readonly transfers = new Transfers((event, data) => this.callBack('callbacks/purchases/paystack', event, data));
  readonly payments = new Payments(
    (data, amount) => {
      // Settled without its fee, but where the payer bore that.
      this.collect(amount - (data.requested_amount === data.amount ? BigInt(data.fees as number) : 0n));
      this.callBack('callbacks/paystack', 'charge.success', data);
    },
    (data, amount) => {
      this.collect(-amount);
      this.callBack('callbacks/paystack', 'refund.processed', data);
    },
  );

  get settings(): Readonly<Record<string, string>> {
    return { PAYSTACK_URL: this.url, PAYSTACK_SECRET_KEY: this.key, PAYSTACK_EMAIL: 'payers@example.com' };
  }

  /** What is left of the balance, in subunits. */
  get balance(): bigint {
    return this.transfers.balance;
  }

  get statement(): StatementLine[] {
    return [...this.transfers.statement, ...this.payments.statement];
  }

  /** As Paystack calls back. */
  callback(event: string, data: object, key = this.key): CallbackRequest {
    const body = Buffer.from(JSON.stringify({ event, data }));
    const signature = createHmac('sha512', key).update(body).digest('hex');
    return { body, headers: { 'content-type': 'application/json', 'x-paystack-signature': signature } };
  }

  protected answer(heard: Heard, response: ServerResponse): void {
    const { method, path, headers } = heard;
    if (headers.authorization !== `Bearer ${this.key}`) return invalidKey(response);
    if (this.shutOut) return fault(response, this.shutOut, 'Your IP address is not allowed to make this call');
    const [, what, one, reference] = path.split('/').map(decodeURIComponent);
    if (one === 'verify' && what === 'transaction') return this.payments.verify(reference!, response);
    if (one === 'verify' && what === 'transfer') return this.transfers.verify(reference!, response);
    const routes: Readonly<Record<string, () => void>> = {
      'POST /transaction/initialize': () => this.payments.initialize(heard, response),
      'POST /refund': () => this.payments.createRefund(heard, response),
      'GET /refund': () => this.payments.listRefunds(heard, response),
      'GET /dispute': () => this.payments.listDisputes(heard, response),
      'GET /balance': () =>
        done(response, 'Balances retrieved', [{ currency: 'NGN', balance: Number(this.transfers.balance) }]),
      'GET /bank': () => this.transfers.listBanks(heard, response),
      'GET /bank/resolve': () => this.transfers.resolve(heard, response),
      'POST /transferrecipient': () => this.transfers.createRecipient(heard, response),
      'POST /transfer': () => this.transfers.initiate(heard, response),
    };
    const route = routes[`${method} ${path}`];
    if (route) route();
    else fault(response, 404, 'Route not found');
  }

  private collect(amount: bigint): void {
    this.transfers.balance += amount;
    this.collected += amount;
  }

  /** Where somebody listens. Whoever does not hear it asks. */
  private callBack(path: string, event: string, data: object): void {
    if (this.callbackUrl === null) return;
    const { body, headers } = this.callback(event, data);
    const told = headers as Record<string, string>;
    void fetch(new URL(path, this.callbackUrl), { method: 'POST', body, headers: told }).catch(() => undefined);
  }
}

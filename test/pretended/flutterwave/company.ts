import type { ServerResponse } from 'node:http';
import { decimalText } from '../../../src/core/money/money';
import type { CallbackRequest } from '../../../src/providers/answers';
import { type Heard, Pretended } from '../pretended';
import { Payments } from './payments';
import { done, fault } from './talk';

/** As Flutterwave behaves. With nothing planned every payer pays. */
export class Company extends Pretended {
  readonly key = 'FLWSECK-pretended-X';
  readonly secretHash = 'pretended-secret-hash';
  /** Null: this machine is let in. */
  shutOut: number | null = null;
  /** What is left of the balance, in kobo. */
  balance = 100_000_000n;
  readonly payments = new Payments(
    (data, settled) => {
      this.balance += settled;
      this.callBack({ event: 'charge.completed', data, 'event.type': 'CARD_TRANSACTION' });
    },
    (data, amount) => {
      this.balance -= amount;
      this.callBack(data);
    },
  );

  get settings(): Readonly<Record<string, string>> {
    return {
      FLUTTERWAVE_URL: `${this.url}v3/`,
      FLUTTERWAVE_SECRET_KEY: this.key,
      FLUTTERWAVE_SECRET_HASH: this.secretHash,
      FLUTTERWAVE_EMAIL: 'payers@example.com',
    };
  }

  /** As Flutterwave calls back. */
  callback(body: object, secretHash = this.secretHash): CallbackRequest {
    const headers = { 'content-type': 'application/json', 'verif-hash': secretHash };
    return { body: Buffer.from(JSON.stringify(body)), headers };
  }

  protected answer(heard: Heard, response: ServerResponse): void {
    const { method, path, headers } = heard;
    const [, version, what, one, deed] = path.split('/').map(decodeURIComponent);
    if (version !== 'v3') return void response.writeHead(404).end('<html>Cannot find it</html>');
    if (headers.authorization === undefined) return fault(response, 401, 'Authorization required');
    if (headers.authorization !== `Bearer ${this.key}`) return fault(response, 401, 'Invalid authorization key');
    if (this.shutOut) return fault(response, this.shutOut, 'Your IP address is not allowed to make this call');
    if (method === 'GET' && what === 'transactions' && deed === 'verify')
      return this.payments.verifyById(one!, response);
    if (method === 'POST' && what === 'transactions' && deed === 'refund')
      return this.payments.createRefund(one!, heard, response);
    if (method === 'GET' && what === 'refunds' && one) return this.payments.findRefund(one, response);
    const routes: Readonly<Record<string, () => void>> = {
      'POST /v3/payments': () => this.payments.open(heard, response),
      'GET /v3/transactions': () => this.payments.list(heard, response),
      'GET /v3/transactions/verify_by_reference': () => this.payments.verifyByReference(heard, response),
      'GET /v3/refunds': () => this.payments.listRefunds(heard, response),
      'GET /v3/chargebacks': () => this.payments.listChargebacks(heard, response),
      'GET /v3/balances': () => done(response, 'Wallet balances fetched', this.balances()),
    };
    const route = routes[`${method} ${path}`];
    if (route) route();
    else fault(response, 404, 'Route not found');
  }

  private balances(): object[] {
    const left = decimalText({ amount: this.balance, currency: 'NGN' });
    return [
      { currency: 'NGN', available_balance: Number(left), ledger_balance: Number(left) },
      { currency: 'KES', available_balance: 0, ledger_balance: 1226.72 },
      { currency: 'INR', available_balance: 0, ledger_balance: 0 },
    ];
  }

  /** Where somebody listens. Whoever does not hear it asks. */
  private callBack(told: object): void {
    if (this.callbackUrl === null) return;
    const { body, headers } = this.callback(told);
    const url = new URL('callbacks/flutterwave', this.callbackUrl);
    void fetch(url, { method: 'POST', body, headers: headers as Record<string, string> }).catch(() => undefined);
  }
}

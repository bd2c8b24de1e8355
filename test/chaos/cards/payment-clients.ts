import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../purchases/pace';
import { pick } from './card-clients';
import type { Shop } from './shop';
import type { Outcome, ToldPayment } from './told';

const CLIENTS = 8;
const PAUSE_MS = 25;
const POLL_MS = 200;
const CREDIT_MAX_MS = 60_000;
const [AMOUNT_MIN, AMOUNT_MAX] = [10_000, 2_000_000];
const CALLBACKS_AT_ONCE = 2;
const GATEWAYS = ['sandbox_card', 'sandbox_bank_transfer'];

const outcome = (
  weight: number,
  says: readonly string[],
  ends: string,
  needsReview = false,
): readonly [number, Outcome] => [weight, { says, ends, needsReview }];
const OUTCOMES = [
  outcome(50, ['successful'], 'successful'),
  outcome(12, ['failed'], 'failed'),
  outcome(8, ['late'], 'successful'),
  outcome(8, ['successful', 'reversed'], 'reversed'),
  outcome(4, ['unknown', 'successful'], 'successful'),
  outcome(4, ['underpaid'], 'processing', true),
  outcome(4, ['overpaid'], 'processing', true),
  outcome(4, ['wrong_currency'], 'processing', true),
  outcome(6, [], 'expired'),
];

/** Clients that ask for money, payers, and gateways that call back more often than they should. */
export class PaymentClients {
  begun = 0;
  /** Of gateways, with an answer. */
  callbacks = 0;
  private readonly callbackKey: Buffer;

  constructor(
    private readonly shops: readonly Shop[],
    private readonly payments: number,
    private readonly pace: Pace,
    secretsKey: string,
  ) {
    this.callbackKey = Buffer.from(
      hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'duka/sandbox-gateways/v1', 32),
    );
  }

  /** Resolves when every request has its answer. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.work()));
  }

  private async work(): Promise<void> {
    while (this.begun < this.payments) {
      if (this.begun < this.pace.allowance) await this.pay(this.shops[this.begun++ % this.shops.length]!);
      else await sleep(PAUSE_MS);
    }
  }

  private async pay(shop: Shop): Promise<void> {
    const [, wanted] = pick(OUTCOMES);
    const [wallet, amount] = [shop.anyWallet('NGN'), randomInt(AMOUNT_MIN, AMOUNT_MAX)];
    const isPaid = wanted.says.length > 0;
    // The clock of the account runs fast: whoever pays has a day for it.
    const gateway = GATEWAYS[randomInt(GATEWAYS.length)]!;
    const body = { amount, currency: 'NGN', wallet_id: wallet, gateway, expires_in: isPaid ? 86_400 : 60 };
    const made = await shop.post('/api/v1/payments', body);
    if (made === null) return;
    const payment: ToldPayment = { id: made.id, wallet, amount, fee: made.fee, outcome: wanted };
    shop.payments.push(payment);
    for (const says of wanted.says) {
      if (says === 'reversed') await this.until(shop, payment, 'successful');
      await Promise.all([
        shop.post(`/v4/sandbox/payments/${made.id}/complete`, { status: says }),
        this.callBack(shop, payment, gateway),
      ]);
      await this.callBack(shop, payment, gateway);
    }
  }

  /** The same callback, twice at once. What it says counts for nothing. */
  private async callBack(shop: Shop, { id }: ToldPayment, gateway: string): Promise<void> {
    const body = JSON.stringify({ reference: `${id}_${shop.account.slice('acct_'.length)}`, event: 'payment' });
    const signature = createHmac('sha256', this.callbackKey).update(`${gateway}\n`).update(body).digest('hex');
    const request = {
      method: 'POST',
      path: `/callbacks/${gateway}`,
      headers: { 'x-sandbox-signature': signature },
      body,
    } as const;
    const answers = await Promise.all(Array.from({ length: CALLBACKS_AT_ONCE }, () => shop.wire.ask(request)));
    this.callbacks += answers.filter((answer) => answer !== null).length;
  }

  private async until(shop: Shop, { id }: ToldPayment, status: string): Promise<void> {
    for (const deadline = performance.now() + CREDIT_MAX_MS; performance.now() < deadline; await sleep(POLL_MS)) {
      if ((await shop.get(`/api/v1/payments/${id}/status`)).status === status) return;
    }
    shop.wire.complain(`a payment was paid and not ${status} for ${CREDIT_MAX_MS} ms`);
  }
}

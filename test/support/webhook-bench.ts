import type { Env } from '../../src/core/config/env';
import { Duka, type TestAccount } from './duka';
import { Receiver } from './receiver';
import { until } from './recurring-probe';

/** A service that delivers webhooks, and for each test an account whose receiver is told of credits. */
export class WebhookBench {
  account!: TestAccount;
  wallet!: string;
  receiver!: Receiver;
  private receivers: Receiver[] = [];

  private constructor(readonly duka: Duka) {}

  static async start(settings: Partial<Env>): Promise<WebhookBench> {
    return new WebhookBench(
      await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, ...settings }),
    );
  }

  async begin(): Promise<void> {
    this.account = await this.duka.account();
    this.wallet = (await this.account.api.get('/v4/wallets')).body.data[0].id;
    this.receiver = await this.listen({ events: ['wallet.credited'] });
  }

  async end(): Promise<void> {
    await Promise.all(this.receivers.splice(0).map((receiver) => receiver.close()));
  }

  stop(): Promise<void> {
    return this.duka.stop();
  }

  /** Another receiver of the account. */
  async listen(wanted: Parameters<typeof Receiver.of>[2]): Promise<Receiver> {
    const receiver = await Receiver.of(this.duka, this.account, wanted);
    this.receivers.push(receiver);
    return receiver;
  }

  /** Makes one event. */
  credit(amount = 100): Promise<void> {
    return this.account.api.credit(this.wallet, amount);
  }

  /** The first delivery to the receiver. */
  async delivery(): Promise<any> {
    return (await this.receiver.deliveries())[0];
  }

  attempted(attempts: number): Promise<void> {
    return until(async () => (await this.delivery())?.attempts === attempts);
  }

  ended(): Promise<void> {
    return until(async () => (await this.delivery())?.next_attempt_at === null);
  }
}

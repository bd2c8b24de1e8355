import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Env } from '../../core/config/env';
import { Relay } from './relay.service';

const POLL_MS = 100;

/** Every worker process looks for events ten times a second: NOTIFY would save that at the cost of transactions that move money. */
@Injectable()
export class RelayLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('webhooks');
  private readonly stopping = new AbortController();
  private loop: Promise<void> | null = null;

  constructor(
    private readonly env: Env,
    private readonly relay: Relay,
  ) {}

  onApplicationBootstrap(): void {
    if (this.env.WORKER_IN_API) this.loop = this.keep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.relay.relayNow(signal);
      } catch (error) {
        if (!signal.aborted) this.log.warn({ message: 'events could not be relayed; they will be', err: error });
      }
      await sleep(POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}

import type { Pool } from 'pg';
import { openBank, post } from '../../bench/bank';
import { connectionsFor, type Timing, validated } from '../../bench/measured';
import type { Listening, Service } from '../../bench/service';
import type { Lifetime } from '../../src/core/process/lifetime';
import { Latencies } from './latencies';
import { listenForEvents } from './listener';
import { Load, openWallets } from './load';
import { untilNothingWaits } from './webhooks/reckoning';
import { openPool } from './open-pool';

/** How the rate is found that an API carries at most. */
export const PEAK: Timing = { warmUpSeconds: 10, seconds: 20 };
const BACKLOG_MAX_MS = 60_000;

/** Puts transfers between wallets of an account on the API, all from one where it is hot; without a rate as many as it carries. */
export async function transfersOn(service: Service, { port }: Listening, { size = 1_000, isHot = false } = {}) {
  const { partner, wallets } = await openBank(service, port, size);
  const from = isHot ? { from: wallets[0]! } : {};
  const requests = { kind: 'transfer', port, key: partner.key, wallets, ...from } as const;
  const expected = { status: 201, text: '"status":"successful"' };
  return async (timing: Timing, ratePerSecond?: number) =>
    validated(
      await service.processes.load({
        ...timing,
        requests,
        connections: connectionsFor(ratePerSecond),
        ratePerSecond,
        expected,
      }),
    );
}

/** Another account that is told of its transfers, for the worker to have something to deliver. */
export class Told {
  private static readonly PER_SECOND = 10;
  /** How long each event was on its way. */
  readonly latencies = new Latencies();
  private arrived = 0;

  private constructor(
    private readonly load: Load,
    private readonly db: Pool,
  ) {}

  static async start(lifetime: Lifetime, service: Service, { port }: Listening): Promise<Told> {
    const { key } = await service.openPartner('Told');
    const server = { url: `http://127.0.0.1:${port}`, key };
    const db = await openPool(lifetime, service.database.url, 10);
    const wallets = await openWallets(server, 10, 1_000_000_000);
    const since = performance.now();
    const load = new Load(server, wallets, () => (Told.PER_SECOND * (performance.now() - since)) / 1_000);
    const told = new Told(load, db);
    const url = await listenForEvents<{ timestamp: string }>(lifetime, ({ timestamp }) => {
      told.arrived++;
      told.latencies.add(Date.now() - Date.parse(timestamp));
    });
    await post(port, key, '/v4/webhooks', { url, events: ['transfer.successful'] });
    load.start();
    return told;
  }

  /** What went wrong. */
  async finish(): Promise<string[]> {
    const { load, db } = this;
    await load.finish();
    const backlogMs = await untilNothingWaits(db, performance.now(), BACKLOG_MAX_MS);
    const { accepted, faults } = load;
    console.log(
      `${this.arrived} events of ${accepted.size} arrived, the last ${(backlogMs / 1_000).toFixed(1)} s after the end`,
    );
    const wrong = Array.from(faults, ([what, count]) => `${count} × ${what}`);
    if (backlogMs > BACKLOG_MAX_MS || this.arrived < accepted.size) wrong.push('events did not arrive');
    return wrong;
  }
}

import { Client } from 'pg';
import { median } from '../../../bench/figures';
import { Service } from '../../../bench/service';
import { runProcess } from '../../../src/core/process/lifetime';
import { conclude, figure, isAsBefore } from '../command-line';
import { PEAK, Told, transfersOn } from '../steady';

/** One pays all others. */
const WALLETS = 9_000;
/** A new database has had no checkpoint, and nothing to clear away: its first minutes are better than any later one. */
const WARM_UP_MINUTES = 6;
/** Before a snapshot is held, and once its traces should be gone. */
const USUAL_MINUTES = 5;
/** A load generator that has just started takes its time: of a minute, one request in a hundred is 0.6 s of them. */
const LOAD_BEGINS_SECONDS = 5;
const HELD_MAX = 2;
const AFTER_MAX = 1.25;
const NOISE_MS = 5;

/** Milliseconds, of the middle one of so many minutes: a disk and a garbage collector have their moments. */
interface P99s {
  readonly transfers: number;
  readonly events: number;
}

/**
 * `npm run test:chaos:snapshot`: somebody else holds a snapshot of the database for MINUTES (10), so that nothing dead is cleared away, while
 * one wallet pays at half of the rate that the API carries. p99 of transfers and of events on their way may double, and is as before a
 * minute after its end.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const minutes = figure('MINUTES', 10);
  const service = await Service.start(lifetime);
  service.settings = { WORKER_IN_API: 'false', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
  const api = await service.startApi();
  await service.startWorker();
  const put = await transfersOn(service, api, { size: WALLETS, isHot: true });
  const peak = (await put(PEAK)).perSecond;
  const rate = Math.floor(peak / 2);
  console.log(`peak: ${Math.round(peak)} transfers a second from one wallet; ${minutes} min at ${rate}`);

  const told = await Told.start(lifetime, service, api);
  const during = async (what: string, count: number): Promise<P99s> => {
    const each: P99s[] = [];
    for (let minute = 1; minute <= count; minute++) {
      told.latencies.takeP99();
      const { answered, p99Ms } = await put({ warmUpSeconds: LOAD_BEGINS_SECONDS, seconds: 60 }, rate);
      each.push({ transfers: p99Ms, events: told.latencies.takeP99() });
      const { transfers, events } = each.at(-1)!;
      console.log(
        `${what} ${minute}: ${answered} transfers, p99 ${transfers.toFixed(1)} ms; events ${events.toFixed(1)} ms`,
      );
    }
    return {
      transfers: median(each.map(({ transfers }) => transfers)),
      events: median(each.map(({ events }) => events)),
    };
  };
  await during('warm-up', WARM_UP_MINUTES);
  const before = await during('before', USUAL_MINUTES);
  const somebody = new Client({ connectionString: service.database.url });
  await somebody.connect();
  await somebody.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM accounts');
  const held = await during('a snapshot is held', minutes);
  await somebody.query('ROLLBACK');
  await somebody.end();
  await during('just after', 1);
  const after = await during('after', USUAL_MINUTES);

  const wrong = await told.finish();
  for (const what of ['transfers', 'events'] as const) {
    const isAs = (ms: number, times: number): boolean => isAsBefore(before[what], ms, times, NOISE_MS);
    if (!isAs(held[what], HELD_MAX)) wrong.push(`p99 of ${what} meanwhile is ${held[what].toFixed(1)} ms`);
    if (!isAs(after[what], AFTER_MAX)) wrong.push(`p99 of ${what} afterwards is ${after[what].toFixed(1)} ms`);
  }
  // Throws when they are not in order.
  await service.verifyBooks();
  const said = ({ transfers, events }: P99s): string => `${transfers.toFixed(1)} and ${events.toFixed(1)}`;
  await conclude(
    lifetime,
    wrong,
    `${minutes} min at ${rate} a second from one wallet: p99 ${said(before)} → ${said(held)} → ${said(after)} ms; books in order.`,
  );
});

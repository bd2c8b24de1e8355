import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../../bench/service';
import { runProcess } from '../../../src/core/process/lifetime';
import { conclude, figure, isAsBefore } from '../command-line';
import { PEAK, Told, transfersOn } from '../steady';
import { growthOf } from './growth';

const THIRDS = 3;
/** Of the whole run; each collects all garbage, which takes tens of milliseconds. */
const SAMPLES = 120;
const SAMPLE_MS_MIN = 5_000;

/** Of less time figures are told and not judged: caches that fill say more than what is lost. */
const JUDGED_MINUTES = 60;
/** MiB an hour. */
const KEPT_MAX = 1;
/** The last third against the first one. */
const RESIDENT_MAX = 1.1;
const P99_MAX = 1.25;
const P99_NOISE_MS = 5;

/**
 * `npm run test:chaos:soak`: MINUTES (120) at half of the peak rate, by processes as they run in production. What API and worker keep after
 * a collection of all garbage grows by no more than 1 MiB an hour, p99 does not grow, and the books are in order.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const minutes = figure('MINUTES', 120);
  const folder = mkdtempSync(join(tmpdir(), 'duka-soak-'));
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const service = await Service.start(lifetime);
  service.settings = {
    WORKER_IN_API: 'false',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    NODE_OPTIONS: `--require=${join(__dirname, 'memory.cjs')}`,
    MEMORY_FILE: join(folder, 'memory'),
    MEMORY_EVERY_MS: String(Math.max(SAMPLE_MS_MIN, (minutes * 60_000) / SAMPLES)),
  };
  const api = await service.startApi();
  const worker = await service.startWorker();
  const put = await transfersOn(service, api);
  const peak = (await put(PEAK)).perSecond;
  const rate = Math.floor(peak / 2);
  console.log(`peak: ${Math.round(peak)} transfers a second; ${minutes} min at ${rate}`);

  const told = await Told.start(lifetime, service, api);
  const since = Date.now();
  const p99s: number[] = [];
  for (let third = 1; third <= THIRDS; third++) {
    const outcome = await put({ warmUpSeconds: 0, seconds: (minutes * 60) / THIRDS }, rate);
    console.log(`third ${third}: ${outcome.answered} transfers, p99 ${outcome.p99Ms.toFixed(1)} ms`);
    p99s.push(outcome.p99Ms);
  }
  const wrong = await told.finish();

  const judge = (isRight: boolean, found: string): void => {
    console.log(found);
    if (!isRight && minutes >= JUDGED_MINUTES) wrong.push(found);
  };
  const growths = Object.entries({ API: api.pid, worker: worker.pid! }).map(([name, pid]) =>
    growthOf(name, `${service.settings.MEMORY_FILE}.${pid}`, since),
  );
  const pair = (each: readonly number[]): string => each.map((value) => value.toFixed(1)).join(' → ');
  for (const { name, perHour, error, kept, resident } of growths) {
    const grows = `${perHour.toFixed(2)} ± ${error.toFixed(2)} MiB an hour`;
    judge(perHour - error <= KEPT_MAX, `${name} keeps ${pair(kept)} MiB, ${grows} more`);
    judge(resident[1] <= resident[0] * RESIDENT_MAX, `${name} has ${pair(resident)} MiB resident`);
  }
  const [first, last] = [p99s[0]!, p99s.at(-1)!];
  judge(isAsBefore(first, last, P99_MAX, P99_NOISE_MS), `p99 ${pair([first, last])} ms`);
  // Throws when they are not in order.
  await service.verifyBooks();
  const growing = growths.map(({ name, perHour, error }) => `${name} ${perHour.toFixed(2)} ± ${error.toFixed(2)}`);
  const said = `${minutes} min at ${rate} a second: MiB an hour ${growing.join(', ')}; p99 ${pair([first, last])} ms`;
  await conclude(
    lifetime,
    wrong,
    `${said}; books in order.${minutes < JUDGED_MINUTES ? ' Too short to be judged.' : ''}`,
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Redis from 'ioredis';
import { freePort } from '../../src/core/process/ports';
import { until } from './recurring-probe';
import { launchRedis, startRedis } from './redis-server';

const SLOTS = 16_384;

const folders: string[] = [];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'duka-redis-'));
  folders.push(path);
  return path;
}

export const removeFolders = (): void => folders.forEach((path) => rmSync(path, { recursive: true, force: true }));

export async function onRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

export const pidOf = async (url: string): Promise<number> =>
  Number(/process_id:(\d+)/.exec(await onRedis(url, (redis) => redis.info('server')))![1]);

const portOf = (url: string): string => new URL(url).port;

/** Addresses of three masters that share the slots. */
export async function startCluster(): Promise<string[]> {
  const masters = await Promise.all(
    [0, 1, 2].map(async () => {
      const bus = String(await freePort());
      const url = await startRedis('--cluster-enabled', 'yes', '--cluster-port', bus, '--dir', folder());
      return { url: url!, bus };
    }),
  );
  for (const [index, { url }] of masters.entries())
    await onRedis(url, async (redis) => {
      const [from, next] = [index, index + 1].map((third) => Math.round((third * SLOTS) / 3));
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', from!, next! - 1);
      await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      if (index > 0) await redis.call('CLUSTER', 'MEET', '127.0.0.1', portOf(masters[0]!.url), masters[0]!.bus);
    });
  const urls = masters.map(({ url }) => url);
  const isWhole = (url: string) =>
    onRedis(url, async (redis) => String(await redis.cluster('INFO')).includes('cluster_state:ok'));
  await until(async () => (await Promise.all(urls.map(isWhole))).every(Boolean), 20);
  return urls;
}

/** Address of a sentinel that calls a master with a replica `duka`, and takes half a second of silence for its end. */
export async function startSentinel(): Promise<string> {
  const master = (await startRedis('--dir', folder()))!;
  const replicaof = `127.0.0.1 ${portOf(master)}`;
  await startRedis('--dir', folder(), '--replicaof', replicaof, '--repl-diskless-sync-delay', '0');
  const file = join(folder(), 'sentinel.conf');
  const settings = [
    `monitor duka 127.0.0.1 ${portOf(master)} 1`,
    'down-after-milliseconds duka 500',
    'failover-timeout duka 2000',
  ];
  writeFileSync(file, settings.map((line) => `sentinel ${line}\n`).join(''));
  const port = await freePort();
  await launchRedis(port, file, '--sentinel', '--port', String(port), '--bind', '127.0.0.1');
  const sentinel = `redis://127.0.0.1:${port}`;
  // It asks the master for its replicas every ten seconds, and at the start.
  const replicas = () => onRedis(sentinel, (redis) => redis.call('SENTINEL', 'REPLICAS', 'duka') as Promise<unknown[]>);
  await until(async () => (await replicas()).length === 1, 20);
  return sentinel;
}

/** Whom the sentinel takes for the master. */
export const masterOf = (sentinel: string): Promise<string> =>
  onRedis(sentinel, async (redis) => {
    const [host, port] = (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'duka')) as [string, string];
    return `redis://${host}:${port}`;
  });

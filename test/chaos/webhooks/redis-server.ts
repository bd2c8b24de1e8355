import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import Redis from 'ioredis';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { freePort } from '../../../src/core/process/ports';

const POLL_MS = 20;
const CROWD_KEYS = 100;
const CROWD_VALUE = 'x'.repeat(1_000);

/** The machine's redis-server on a port of its own. It keeps nothing on disk: each stop loses all jobs. */
export class RedisServer {
  private child?: ChildProcess;

  private constructor(
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  static get isInstalled(): boolean {
    return spawnSync('redis-server', ['--version']).status === 0;
  }

  static async start(lifetime: Lifetime, ...settings: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await lifetime.own(Promise.resolve(), () => server.stop());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', [...args, ...this.settings], { stdio: 'ignore' });
    while (!(await this.command((redis) => redis.ping()).catch(() => null))) await sleep(POLL_MS);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Stands still, and goes on. */
  async pause(ms: number): Promise<void> {
    this.child?.kill('SIGSTOP');
    await sleep(ms);
    this.child?.kill('SIGCONT');
  }

  /** Keys that it threw away to make room. */
  async evicted(): Promise<number> {
    return Number(/^evicted_keys:(\d+)/m.exec(await this.command((redis) => redis.info('stats')))![1]);
  }

  /** Somebody else's cache in it, which always wants more room than there is. */
  async crowd(signal: AbortSignal): Promise<void> {
    await this.command(async (redis) => {
      for (let written = 0; !signal.aborted; await sleep(POLL_MS)) {
        const pipeline = redis.pipeline();
        for (let i = 0; i < CROWD_KEYS; i++) pipeline.set(`cache:${++written}`, CROWD_VALUE);
        await pipeline.exec();
      }
    });
  }

  async flushAll(): Promise<void> {
    await this.command((redis) => redis.flushall());
  }

  /** `CLIENT KILL TYPE normal`: everybody's connection ends. */
  async killClients(): Promise<void> {
    await this.command((redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'));
  }

  private async command<T>(run: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await run(redis);
    } finally {
      redis.disconnect();
    }
  }
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/core/process/ports';

// The pipe on its input closes with this process, however that ends: then `cat` returns and Redis is stopped.
const UNTIL_WE_ARE_GONE = 'redis-server "$@" & cat; kill $!';

/** Starts the machine's redis-server on a free port, without persistence; null when it has none. */
export async function startRedis(...settings: string[]): Promise<string | null> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return null;
  const port = await freePort();
  await launchRedis(
    port,
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    ...settings,
  );
  return `redis://127.0.0.1:${port}`;
}

/** With these words on its command line, of which it gets its port; until it listens. */
export async function launchRedis(port: number, ...args: string[]): Promise<void> {
  const shell = spawn('sh', ['-c', UNTIL_WE_ARE_GONE, 'redis', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as Socket).unref();
  for (let tries = 0; tries < 250; tries++) {
    if (await accepts(port)) return;
    await sleep(20);
  }
  throw new Error(`redis-server did not answer on port ${port}`);
}

/** Whether somebody listens there. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A wire to a Redis. */
export class RedisWire {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.join(client));

  private constructor(private readonly target: URL) {}

  static async to(url: string): Promise<RedisWire> {
    const wire = new RedisWire(new URL(url));
    await once(wire.server.listen(0, '127.0.0.1'), 'listening');
    return wire;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The connections that there are carry nothing any more, and nobody is told. New ones work. */
  goSilent(): void {
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  async close(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket): void {
    const redis = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}

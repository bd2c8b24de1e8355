import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CannotStart } from '../errors/cannot-start';

/**
 * A port of 127.0.0.1 on which nobody listens now. Below those that outgoing connections get: one of them could take it
 * before anybody listens there, or listens again; and a client that knocks at the port of a dead server often enough
 * would be given that port itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const isFree = await tryPort('127.0.0.1', port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
}

const STARTS = {
  PORT: 'npm start',
  WORKER_PORT: 'npm run start:worker',
  PLATFORM_PORT: 'npm run start:platform',
} as const;

/**
 * Throws `CannotStart` unless this process may listen there: told before any work is done, and how to choose another.
 */
export async function requireFreePort(
  host: string,
  port: number,
  setting: keyof typeof STARTS = 'PORT',
): Promise<void> {
  try {
    await tryPort(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? `Port ${port} is taken by another program.` : `Cannot listen: ${message}.`;
    throw new CannotStart(`${reason} Choose another with ${setting}, for example: ${setting}=4000 ${STARTS[setting]}`, {
      cause: error,
    });
  }
}

async function tryPort(host: string, port: number): Promise<number> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  const found = (probe.address() as AddressInfo).port;
  await new Promise((closed) => probe.close(closed));
  return found;
}

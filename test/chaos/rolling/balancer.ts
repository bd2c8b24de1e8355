import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { freePort } from '../../../src/core/process/ports';
import type { Service } from '../service';

const PROGRAM = '/usr/sbin/haproxy';

const POLL_MS = 50;

interface Balancer {
  readonly url: string;
  /** Until it sends requests to each server: it asks them a little after they are ready. */
  untilAllUp(): Promise<void>;
}

/** Debian's HAProxy in front of some servers. It asks each of them whether it is ready, and only that. */
export async function balance(lifetime: Lifetime, service: Service, urls: readonly string[]): Promise<Balancer> {
  if (!existsSync(PROGRAM)) throw new Error('apt-get install --no-install-recommends haproxy');
  const address = `127.0.0.1:${await freePort()}`;
  const servers = urls.map((url, index) => `    server api-${index + 1} ${new URL(url).host} check`);
  const file = service.keep('haproxy.cfg', `${CONFIGURATION}    bind ${address}\n${servers.join('\n')}\n`);
  const child = spawn(PROGRAM, ['-db', '-f', file], { stdio: 'ignore' });
  await lifetime.own(Promise.resolve(), async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });
  const url = `http://${address}`;
  const untilAllUp = async (): Promise<void> => {
    for (let ups = -1; ups !== urls.length; await sleep(POLL_MS)) {
      const asked = fetch(`${url}/balancer;csv`).then((answer) => answer.text());
      // It has just been started.
      const table = await asked.catch(() => '');
      ups = table.split('\n').filter((line) => line.startsWith('duka,api-') && line.split(',').includes('UP')).length;
    }
  };
  return { url, untilAllUp };
}

/** Looks often enough for `SHUTDOWN_NOTICE_SECONDS`, a second as it comes. */
const CONFIGURATION = `
defaults
    mode http
    timeout connect 2s
    timeout check 1s
    timeout client 60s
    timeout server 60s

listen duka
    option httpchk GET /readyz
    stats enable
    stats uri /balancer
    default-server inter 200ms fall 1 rise 1
`;

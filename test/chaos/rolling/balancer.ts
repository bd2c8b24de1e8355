import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { freePort } from '../../../src/core/process/ports';
import type { Service } from '../service';

const PROGRAM = '/usr/sbin/haproxy';

/** Debian's HAProxy in front of some servers. It asks each of them whether it is ready, and only that; returns its address. */
export async function balance(lifetime: Lifetime, service: Service, urls: readonly string[]): Promise<string> {
  if (!existsSync(PROGRAM)) throw new Error('apt-get install --no-install-recommends haproxy');
  const address = `127.0.0.1:${await freePort()}`;
  const servers = urls.map((url, index) => `    server api-${index + 1} ${new URL(url).host} check`);
  const file = service.keep('haproxy.cfg', `${CONFIGURATION}    bind ${address}\n${servers.join('\n')}\n`);
  const child = spawn(PROGRAM, ['-db', '-f', file], { stdio: 'ignore' });
  await lifetime.own(Promise.resolve(), async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });
  return `http://${address}`;
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
    default-server inter 200ms fall 1 rise 1
`;

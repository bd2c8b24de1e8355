import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Env } from '../../../src/core/config/env';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { openCells } from '../../../src/start-cells';
import { openAccount } from '../purchases/account';
import { Program } from '../program';
import { Member } from '../cards/member';
import { postmasterOf } from '../faults';
import { freePort } from '../../../src/core/process/ports';

const SECRETS_KEY = randomBytes(32).toString('base64');
const CELL_SECRET = randomBytes(32).toString('base64url');
const ACCOUNTS = 2;

export interface CellUnderFire {
  readonly name: string;
  readonly databaseUrl: string;
  readonly member: Member;
  readonly program: Program;
  /** Of its accounts. */
  readonly keys: readonly string[];
}

/** Three cells on durable servers of their own, with a process each that also runs the workers. */
export async function startFleet(lifetime: Lifetime): Promise<CellUnderFire[]> {
  const folder = mkdtempSync(join(tmpdir(), 'duka-chaos-cells-'));
  chmodSync(folder, 0o711);
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const ports = [await freePort(), await freePort(), await freePort()];
  const settings = {
    SECRETS_KEY,
    RATE_LIMIT_TEST: 0,
    RATE_LIMIT_OPEN: 0,
    LOG_LEVEL: 'warn',
    SHUTDOWN_NOTICE_SECONDS: 0,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: true,
  };
  const cells = await openCells(lifetime, folder, Object.assign(new Env(), settings), ports);
  const fleet: CellUnderFire[] = [];
  for (const [i, { name, databaseUrl }] of cells.entries()) {
    const own = { ...settings, DATABASE_URL: databaseUrl, CELL_SECRET };
    const keys: string[] = [];
    for (let n = 0; n < ACCOUNTS; n++) keys.push(await openAccount(Object.assign(new Env(), own)));
    const program = new Program('main.js', join(folder, `${name}.log`));
    const env = { ...own, PATH: process.env.PATH, REDIS_URL: '', PORT: ports[i], WORKER_IN_API: true };
    const texts = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]));
    const member = new Member(name, program, texts);
    await lifetime.own(Promise.resolve(), () => member.end());
    fleet.push({ name, databaseUrl, member, program, keys });
  }
  await Promise.all(fleet.map(({ member }) => member.untilReady()));
  return fleet;
}

/** `kill -9` of the server; its launcher starts it again. */
export async function killPostgres({ databaseUrl }: CellUnderFire): Promise<void> {
  process.kill(await postmasterOf(databaseUrl), 'SIGKILL');
}

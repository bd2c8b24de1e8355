import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { arrangeCells, type LocalCell } from './cli/cells';
import { type SandboxFacts, seedSandbox, writeSandboxFile } from './cli/sandbox';
import { Env, environmentWith, givenSettings } from './core/config/env';
import { EmbeddedLease } from './core/database/embedded-lease';
import { CannotStart } from './core/errors/cannot-start';
import { closeApp, type Lifetime } from './core/process/lifetime';
import { requireFreePort } from './core/process/ports';
import { keepSecret } from './core/secrets/secret-box';
import { runMigrations } from './migrations/migrations';

const CELLS_MAX = 9;
const READY_POLL_MS = 100;

/** What `--cells=3` asks for; null: nothing. Throws `CannotStart`. */
export function wantedCells(words: readonly string[]): number | null {
  const said = words.find((word) => word.startsWith('--cells'));
  if (said === undefined) return null;
  const count = Number.parseInt(said.slice('--cells='.length), 10);
  if (!(count >= 2 && count <= CELLS_MAX)) throw new CannotStart(`--cells takes a number of 2 to ${CELLS_MAX}.`);
  return count;
}

/** Databases of cells `a`, `b`, … in a folder each, which know each other. `ports`: where each will listen. */
export async function openCells(lifetime: Lifetime, dataDir: string, env: Env, ports: number[]): Promise<LocalCell[]> {
  const cells = await Promise.all(
    ports.map(async (port, i) => {
      const name = String.fromCharCode('a'.charCodeAt(0) + i);
      const folder = join(dataDir, name);
      mkdirSync(folder, { recursive: true });
      // PostgreSQL may run as another user.
      chmodSync(dataDir, 0o711);
      const lease = await lifetime.own(EmbeddedLease.take({ dataDir: folder, isFollowed: i === 0 }), (taken) =>
        taken.release(),
      );
      return { name, databaseUrl: lease.url, address: `http://127.0.0.1:${port}` };
    }),
  );
  for (const { databaseUrl } of cells)
    await runMigrations(Object.assign(new Env(), env, { DATABASE_URL: databaseUrl }));
  await arrangeCells(env, cells);
  return cells;
}

/** `npm start -- --cells=3`: so many servers and processes, on ports from `PORT` on; what to tell of them. */
export async function startCells(lifetime: Lifetime, env: Env, count: number): Promise<string> {
  if (env.DATABASE_URL) throw new CannotStart('--cells brings its own databases: unset DATABASE_URL.');
  const ports = Array.from({ length: count }, (_, i) => env.PORT + i);
  for (const port of ports) await requireFreePort(env.HOST, port);
  const dataDir = join(env.DATA_DIR, 'cells');
  mkdirSync(dataDir, { recursive: true });
  const secret = keepSecret(join(dataDir, 'cell.secret'), randomBytes(32).toString('base64url'));
  const cells = await openCells(lifetime, dataDir, env, ports);
  const lines: string[] = [];
  for (const [i, cell] of cells.entries()) {
    const folder = join(dataDir, cell.name);
    const own = Object.assign(new Env(), env, {
      DATABASE_URL: cell.databaseUrl,
      DATA_DIR: folder,
      CELL_SECRET: secret,
      PORT: ports[i]!,
    });
    const facts = await seed(own);
    writeSandboxFile(folder, cell.address, facts);
    await lifetime.own(launch(own), (end) => end());
    lines.push(...linesOf(cell, facts, folder));
  }
  await Promise.all(cells.map(({ address }) => untilReady(address, lifetime)));
  return ['', `  ${count} cells are running. Ctrl-C stops them; what you do is kept.`, '', ...lines, AFTER].join('\n');
}

const AFTER = `  Each key works at each address, and a transfer reaches the wallets of all: docs/cells.md.
`;

function linesOf({ name, address }: LocalCell, { test_key, wallets }: SandboxFacts, folder: string): string[] {
  return [
    `  Cell ${name}     ${address}`,
    `  Test key   ${test_key}`,
    `  Wallet     ${wallets[0]!.id}`,
    `  Data       ${folder}`,
    '',
  ];
}

/** An account of the cell with a key and test money. */
async function seed(env: Env): Promise<SandboxFacts> {
  const app = await NestFactory.createApplicationContext(AppModule.register(env), {
    abortOnError: false,
    logger: false,
  });
  try {
    return await seedSandbox(app);
  } finally {
    await closeApp(app);
  }
}

/** A process with its workers; what comes back ends it. */
async function launch(env: Env): Promise<() => Promise<void>> {
  // What one of them has to warn of, all have.
  const LOG_LEVEL = givenSettings()('LOG_LEVEL')?.value ?? 'error';
  const child = spawn(process.execPath, [join(__dirname, 'main.js')], {
    env: environmentWith({ ...env, WORKER_IN_API: true, LOG_LEVEL }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The terminal's Ctrl-C reaches it, too.
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}

async function untilReady(address: string, lifetime: Lifetime): Promise<void> {
  while (!lifetime.isEnding) {
    const answer = await fetch(`${address}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(READY_POLL_MS);
  }
}

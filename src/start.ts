import './core/process/require-node';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { AppModule } from './app.module';
import { runMigrations } from './migrations/migrations';
import { loadSandboxEnv, sandboxBanner, seedSandbox, writeSandboxFile } from './cli/sandbox';
import type { Env } from './core/config/env';
import { EmbeddedLease } from './core/database/embedded-lease';
import { createHttpApp } from './core/http/configure-http';
import { closeApp, runProcess } from './core/process/lifetime';
import { requireFreePort } from './core/process/ports';
import { startCells, wantedCells } from './start-cells';

// `npm start`: everything that a newcomer needs, in one process and with no other program.
runProcess(async (lifetime) => {
  lifetime.endWithParent();
  const env = loadSandboxEnv();
  lifetime.isService = true;
  lifetime.graceSeconds = env.SHUTDOWN_GRACE_SECONDS;
  const cells = wantedCells(process.argv);
  if (cells !== null) return console.log(await startCells(lifetime, env, cells));
  env.WORKER_IN_API = true;
  if (!env.DATABASE_URL) {
    const lease = await lifetime.own(EmbeddedLease.take({ dataDir: env.DATA_DIR }), (taken) => taken.release());
    env.DATABASE_URL = lease.url;
  }
  await requireFreePort(env.HOST, env.PORT);
  await runMigrations(env);
  const app = await lifetime.own(createHttpApp(AppModule.register(env), env), closeApp);
  await app.init();
  const facts = await seedSandbox(app);
  await app.listen(env.PORT, env.HOST);
  const baseUrl = baseUrlOf(app, env);
  writeSandboxFile(env.DATA_DIR, baseUrl, facts);
  console.log(sandboxBanner(env.DATA_DIR, baseUrl, facts));
});

function baseUrlOf(app: NestFastifyApplication, { PUBLIC_URL, HOST }: Env): string {
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/$/, '');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

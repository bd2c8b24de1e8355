import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module';
import type { Env } from '../core/config/env';
import { EmbeddedLease } from '../core/database/embedded-lease';
import { asOwner, type DatabaseRole } from '../core/database/options';
import { findEmbeddedPostgres } from '../core/database/embedded-postgres';
import { CannotStart } from '../core/errors/cannot-start';
import { closeApp, type Lifetime } from '../core/process/lifetime';
import { loadCommandEnv } from './sandbox';

/** What a command works with; taken down again when the command ends. */
export class Session {
  private constructor(
    readonly env: Env,
    private readonly lifetime: Lifetime,
  ) {}

  /**
   * On the database of DATABASE_URL, else on the sandbox of DATA_DIR, which is started for the command if it is not
   * running.
   */
  static async open(lifetime: Lifetime): Promise<Session> {
    const env = loadCommandEnv();
    if (env.DATABASE_APP_URL && !env.DATABASE_URL)
      throw new CannotStart('Commands need DATABASE_URL, the login of the owner, beside DATABASE_APP_URL.');
    env.DATABASE_URL ??= findEmbeddedPostgres(env.DATA_DIR)?.url ?? (await startSandbox(lifetime, env));
    // A command does its own work only, whatever the settings of the server say.
    env.WORKER_IN_API = false;
    return new Session(env, lifetime);
  }

  /** Where the command works, without anything secret. */
  get database(): string {
    const { hostname, port, pathname, searchParams } = new URL(this.env.DATABASE_URL!);
    return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}${decodeURIComponent(pathname)}`;
  }

  /** The modules, without a port and without workers. As `owner` they may do what no running process may. */
  app(role: DatabaseRole = 'app'): Promise<INestApplicationContext> {
    const env = role === 'owner' ? asOwner(this.env) : this.env;
    return this.lifetime.own(
      NestFactory.createApplicationContext(AppModule.register(env), { abortOnError: false, logger: false }),
      closeApp,
    );
  }
}

async function startSandbox(lifetime: Lifetime, { DATA_DIR: dataDir }: Env): Promise<string> {
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new CannotStart(
      `There is no sandbox in ${dataDir}: set DATABASE_URL, or make one with npm start (DATA_DIR says where).`,
    );
  }
  return (await lifetime.own(EmbeddedLease.take({ dataDir }), (lease) => lease.release())).url;
}

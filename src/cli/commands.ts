import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, type CommanderError } from 'commander';
import { AppModule } from '../app.module';
import { splitDatabaseUrl } from '../core/config/database-url';
import type { Env } from '../core/config/env';
import { EmbeddedLease } from '../core/database/embedded-lease';
import { findEmbeddedPostgres } from '../core/database/embedded-postgres';
import { asOwner, type DatabaseRole } from '../core/database/options';
import { CannotStart } from '../core/errors/cannot-start';
import { DomainError } from '../core/errors/domain-error';
import { closeApp, type Lifetime } from '../core/process/lifetime';
import { loadCommandEnv } from './sandbox';

/** What a command has to say. */
export interface Report {
  /** For people. */
  readonly text: string;
  /** For programs, with `--json`. */
  readonly json: object;
  /** The command did its work, and what it found is bad. */
  readonly failed?: boolean;
  /** It is noted, and nothing is done until a second person orders the same. */
  readonly waits?: boolean;
}

/** As lists say it. */
export const modeOf = (livemode: boolean): 'live' | 'test' => (livemode ? 'live' : 'test');

/**
 * Exit codes: 0 done, 1 refused or failed, 2 asked in a way that the command does not understand, 3 noted until a
 * second person orders the same.
 */
const [DONE, FAILED, USAGE, WAITS] = [0, 1, 2, 3];

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
    const { address, hosts } = splitDatabaseUrl(this.env.DATABASE_URL!);
    const { hostname, port, pathname, searchParams } = new URL(address);
    const server = `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`;
    const all = hosts.map(({ host, port }) => `${host}:${port}`).join();
    return (all || server) + decodeURIComponent(pathname);
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

/** A command with its options. Opens a session, says what came of it, and ends the process. */
export class DukaCommand extends Command {
  constructor(
    name: string,
    private readonly lifetime: Lifetime,
  ) {
    super(name);
    this.option('--json', 'answer with one line of JSON').exitOverride(onUsageError);
  }

  does<Options>(act: (session: Session, options: Options) => Promise<Report>): this {
    return this.answers<Options>(async (options, where) => {
      const session = await Session.open(this.lifetime);
      where.database = session.database;
      return act(session, options);
    });
  }

  /** For what needs no database. */
  says<Options>(act: (options: Options, words: readonly string[]) => Report | Promise<Report>): this {
    return this.answers<Options>(async (options, _where, words) => act(options, words));
  }

  private answers<Options>(
    act: (options: Options, where: { database?: string }, words: readonly string[]) => Promise<Report>,
  ): this {
    return this.action(async () => {
      const options = this.opts<Options & { json?: boolean }>();
      const where: { database?: string } = {};
      const report = await act(options, where, this.processedArgs as readonly string[]).catch(reportOf);
      const write = report.failed && !options.json ? console.error : console.log;
      write(options.json ? JSON.stringify({ ...report.json, ...where }) : report.text);
      // Whoever has several must not take one for another.
      if (where.database !== undefined && !options.json) console.error(`\nDatabase ${where.database}`);
      await this.lifetime.end(report.failed ? FAILED : report.waits ? WAITS : DONE);
    });
  }
}

/** A refusal is an answer; anything else is a fault of ours and keeps its stack. */
function reportOf(error: unknown): Report {
  if (error instanceof DomainError) {
    const { code, detail, param = null } = error.details;
    return { failed: true, text: `${detail} (${code})`, json: { error: { code, detail, param } } };
  }
  const known = CannotStart.of(error);
  if (known)
    return { failed: true, text: known.message, json: { error: { code: 'cannot_start', detail: known.message } } };
  throw error;
}

/** The words ask for help, or make no sense, and whoever typed them has been told so. */
export class NothingToDo extends Error {
  readonly exitCode: number;

  constructor({ exitCode, message }: CommanderError) {
    super(message);
    this.exitCode = exitCode === 0 ? DONE : USAGE;
  }
}

export function onUsageError(error: CommanderError): never {
  throw new NothingToDo(error);
}

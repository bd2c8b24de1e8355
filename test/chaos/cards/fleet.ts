import { Env } from '../../../src/core/config/env';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { openAccount } from '../purchases/account';
import { Service } from '../service';
import { Member } from './member';
import { freePort } from '../../../src/core/process/ports';

// No limit counts, nor that of one address for callbacks; each process runs the workers, too.
const SETTINGS = {
  WORKER_IN_API: 'true',
  RATE_LIMIT_LIVE: '0',
  RATE_LIMIT_OPEN: '0',
  SHUTDOWN_NOTICE_SECONDS: '0',
  SHUTDOWN_GRACE_SECONDS: '30',
};

/** Two API processes with workers on one durable PostgreSQL. */
export class Fleet {
  private constructor(
    readonly service: Service,
    readonly members: readonly Member[],
    /** Secrets of two accounts in test mode. */
    readonly keys: readonly string[],
  ) {}

  /** `settings` count more than those that every run has. */
  static async start(lifetime: Lifetime, settings: NodeJS.ProcessEnv = {}): Promise<Fleet> {
    const service = await Service.start(lifetime, { ...SETTINGS, ...settings });
    await service.end('SIGTERM');
    // The first where the service itself was, which is asked whether it is ready.
    const envs = [service.env, { ...service.env, PORT: String(await freePort()) }];
    const members = envs.map((env, index) => new Member(`api-${index + 1}`, service.program('main.js'), env));
    await lifetime.own(Promise.resolve(), () => Promise.all(members.map((member) => member.end())));
    const other = await openAccount(
      Object.assign(new Env(), { DATABASE_URL: service.databaseUrl, SECRETS_KEY: service.env.SECRETS_KEY }),
    );
    await Promise.all(members.map((member) => member.untilReady()));
    return new Fleet(service, members, [service.key, other]);
  }

  get urls(): string[] {
    return this.members.map(({ url }) => url);
  }

  /** Stops all as a deployment would; returns what went wrong. */
  async stop(): Promise<string[]> {
    const ends = await Promise.all(
      this.members.map(async (member) => ({ name: member.name, code: await member.stop() })),
    );
    return ends
      .filter(({ code }) => code !== 0)
      .map(({ name, code }) => `${name} was stopped and ended with ${code}:\n${this.service.lastWords}`);
  }
}

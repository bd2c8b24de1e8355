import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { runMigrations } from '../../../src/migrations/migrations';
import { Env } from '../../../src/core/config/env';
import { EmbeddedLease } from '../../../src/core/database/embedded-lease';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { openAccount } from './account';
import { FIRST_SELLER, SECOND_SELLER } from './deeds';
import { Member, type MemberSettings } from './member';
import type { Operator } from './operator';
import { freePort } from '../../../src/core/process/ports';
import { openPool } from '../open-pool';

const APIS = ['api-1', 'api-2'];

/** The service as servers run it: several API processes, one that runs the workers, on a durable PostgreSQL of its own. */
export class Fleet {
  readonly apis: Member[] = [];
  worker: Member;
  /** Of the account that buys. */
  key: string;

  private constructor(
    private readonly folder: string,
    readonly databaseUrl: string,
    readonly db: Pool,
  ) {}

  static async start(lifetime: Lifetime, operator: Operator): Promise<Fleet> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-chaos-'));
    // PostgreSQL runs as a user of its own when this is run by root.
    chmodSync(folder, 0o711);
    await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
    const { url } = await lifetime.own(EmbeddedLease.take({ dataDir: folder, port: await freePort() }), (lease) =>
      lease.release(),
    );
    const db = await openPool(lifetime, url, 3);
    const fleet = new Fleet(folder, url, db);
    await runMigrations(fleet.env);
    await lifetime.own(Promise.resolve(), () => fleet.each((member) => member.end('SIGKILL')));
    for (const name of APIS) fleet.apis.push(await fleet.member(name, 'api', operator));
    fleet.worker = await fleet.member('worker', 'worker', operator);
    fleet.key = await openAccount(fleet.env);
    // The network's own routes count before those of all networks.
    await db.query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', 'mtn', false, $1, 1), ('airtime', 'mtn', false, $2, 2), ('payout', '058', false, $1, 1), ('payout', '058', false, $2, 2)`,
      [FIRST_SELLER, SECOND_SELLER],
    );
    // Wide enough for all: each payout must find the counter as it read it.
    await db.query(
      `INSERT INTO payout_rules (account_id, livemode, currency, daily_limit) SELECT id, false, 'NGN', 1000000000 FROM accounts`,
    );
    await fleet.each((member) => (member === fleet.worker ? Promise.resolve() : member.untilReady()));
    return fleet;
  }

  /** Stops all as a deployment would; returns what went wrong with a process that nobody had killed. */
  async stop(): Promise<string[]> {
    const wrong: string[] = [];
    await this.each(async (member) => {
      if (member.collapses.length > 0)
        return void wrong.push(`${member.name} ended by itself with ${member.collapses.join()}:\n${member.lastWords}`);
      const code = await member.end('SIGTERM');
      if (code !== 0) wrong.push(`${member.name} was stopped and ended with ${code}:\n${member.lastWords}`);
    });
    return wrong;
  }

  /** A request of the account. Throws when no answer comes. */
  request(
    api: Member,
    path: string,
    { body, headers, signal }: { body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const type = body && { 'content-type': 'application/json' };
    return fetch(api.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, ...type, ...headers },
      body: body && JSON.stringify(body),
      signal,
    });
  }

  private async each(act: (member: Member) => Promise<unknown>): Promise<void> {
    await Promise.all([...this.apis, ...(this.worker ? [this.worker] : [])].map(act));
  }

  private async member(name: string, role: MemberSettings['role'], operator: Operator): Promise<Member> {
    const env = {
      ...SETTINGS,
      PATH: process.env.PATH,
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: '',
      PORT: String(await freePort()),
    };
    return new Member({ name, role, operator, env, logFile: join(this.folder, `${name}.log`) });
  }

  private get env(): Env {
    return Object.assign(new Env(), { DATABASE_URL: this.databaseUrl, SECRETS_KEY: SETTINGS.SECRETS_KEY });
  }
}

/** Nothing of the caller's environment counts. */
const SETTINGS = {
  SECRETS_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'warn',
  RATE_LIMIT_TEST: '0',
  SHUTDOWN_NOTICE_SECONDS: '0',
  SHUTDOWN_GRACE_SECONDS: '30',
};

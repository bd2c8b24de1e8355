import { setTimeout as sleep } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { Client, type PoolConfig } from 'pg';
import type { DatabaseHost } from '../config/database-url';
import { isConnectionLoss, READ_ONLY } from './unit-of-work';

export interface PrimaryConfig extends PoolConfig {
  /** What pools and pipelines make connections of. */
  readonly Client: new (config?: PrimaryConfig) => Client;
  /** Servers of which one takes changes. Empty: the one that the address names, whatever it takes. */
  readonly hosts: readonly DatabaseHost[];
}

/** With others to go to, a silent server is not waited for as long as the only one. */
const CONNECT_MAX_MS = 2_000;
/** After a search that found nothing. */
const PAUSE_MS = 200;

/** How `pg` calls a query that was not answered in time. */
const READ_TIMEOUT = 'Query read timeout';

type Connected = Parameters<Client['connect']>[0];

/**
 * Every connection to PostgreSQL. Of several servers it goes to the one that takes changes, looked for when none is
 * known or the known one stopped to be it. One whose server takes no changes any more breaks, as if the server had gone
 * away: the next one goes elsewhere.
 */
export class PrimaryClient extends Client {
  private isOnStandby = false;
  // Not shown where the client is: it has the password.
  readonly #config: PrimaryConfig;

  constructor(config: PrimaryConfig) {
    super(config.hosts.length === 0 ? config : { ...config, connectionTimeoutMillis: CONNECT_MAX_MS });
    this.#config = config;
    // Whoever asks hears of a connection that broke by their query; that nobody asks just then must end no process.
    this.on('error', () => undefined);
    // PostgreSQL tells this by itself to each new session.
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.isOnStandby = parameterValue === 'on';
    });
    // Whoever sent the statement hears of it first: the end of the stream is told a moment later.
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.break();
    });
    const query = super.query.bind(this) as (...question: unknown[]) => unknown;
    this.query = ((...question: unknown[]) => {
      const callback = question.at(-1);
      if (typeof callback === 'function')
        question[question.length - 1] = (error: Error | null, result: unknown) => {
          if (error) this.breakIfSilent(error);
          callback(error, result);
        };
      const answer = query(...question);
      if (answer instanceof Promise) answer.catch((error: Error) => this.breakIfSilent(error));
      return answer;
    }) as Client['query'];
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<Client> | void {
    const { hosts } = this.#config;
    if (hosts.length === 0) return callback ? super.connect(callback) : (super.connect() as Promise<Client>);
    const connected = this.connectToPrimary(Cluster.of(hosts));
    if (callback === undefined) return connected;
    callbackify(() => connected)(callback as (error: Error) => void);
  }

  /** Fails where this server takes no changes. */
  async connectTo({ host, port }: DatabaseHost): Promise<this> {
    Object.assign(this, { host, port });
    await super.connect();
    if (!this.isOnStandby) return this;
    this.break();
    throw Object.assign(new Error(`${host}:${port} takes no changes: it is a standby`), { code: READ_ONLY });
  }

  private async connectToPrimary(cluster: Cluster): Promise<this> {
    const host = await cluster.find(this.#config);
    const forget = (): void => cluster.forget(host);
    this.on('error', forget);
    const connected = this.connectTo(host);
    connected.catch(forget);
    return connected;
  }

  /**
   * An answer that is later than the server's own limits comes from a server that vanished without a word: what is sent
   * on this connection from now on would wait as long, until TCP gives up after a quarter of an hour.
   */
  private breakIfSilent(error: Error): void {
    if (error.message === READ_TIMEOUT) this.break();
  }

  private break(): void {
    this.connection.stream.destroy();
  }
}

/** A connection for some work. */
export async function connected<T>(config: PrimaryConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new PrimaryClient(config);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Which of several servers takes changes: all connections of a process share what one of them found. */
class Cluster {
  private static readonly all = new Map<string, Cluster>();
  private primary: DatabaseHost | null = null;
  private search: Promise<DatabaseHost> | null = null;

  static of(hosts: readonly DatabaseHost[]): Cluster {
    const key = hosts
      .map((host) => JSON.stringify(host))
      .sort()
      .join();
    const cluster = this.all.get(key) ?? new Cluster();
    this.all.set(key, cluster);
    return cluster;
  }

  async find(config: PrimaryConfig): Promise<DatabaseHost> {
    if (this.primary !== null) return this.primary;
    this.search ??= firstPrimary(config).finally(() => (this.search = null));
    return (this.primary = await this.search);
  }

  forget(host: DatabaseHost): void {
    if (this.primary === host) this.primary = null;
  }
}

/** All are asked at once: one of them may be silent. */
async function firstPrimary(config: PrimaryConfig): Promise<DatabaseHost> {
  const ask = async (host: DatabaseHost): Promise<DatabaseHost> => {
    const client = new PrimaryClient(config);
    await client.connectTo(host);
    void client.end().catch(() => undefined);
    return host;
  };
  try {
    return await Promise.any(config.hosts.map(ask));
  } catch (error) {
    const { errors } = error as AggregateError;
    // Whoever asks does so again at once: seven queues, and all of them in each process.
    await sleep(PAUSE_MS);
    // A login that is refused is of more use to whoever reads this than a server that is away.
    throw errors.find((each) => !isConnectionLoss(each)) ?? errors[0];
  }
}

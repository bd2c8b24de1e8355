import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client, DatabaseError } from 'pg';
import { CannotStart } from '../errors/cannot-start';
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres';

const REVIVE_PAUSE_MS = 250;

/**
 * One launcher's hold on the embedded PostgreSQL: a second launcher on the same folder is refused, a server that dies
 * is started again on its port, and none is left running when this process exits, however it exits short of SIGKILL.
 */
export class EmbeddedLease {
  private readonly log = new Logger('embedded PostgreSQL');
  private released = false;
  private revival: Promise<void> = Promise.resolve();
  private session: Client;

  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    readonly url: string,
  ) {}

  /** Starts the server or attaches to it. Throws `CannotStart`. */
  static async take(options: EmbeddedPostgresOptions): Promise<EmbeddedLease> {
    const { url, port } = await startEmbeddedPostgres(options);
    const lease = new EmbeddedLease({ ...options, port }, url);
    await lease.lock();
    process.once('exit', lease.kill);
    return lease;
  }

  async release(): Promise<void> {
    this.released = true;
    await this.revival;
    await this.session.end();
    await stopEmbeddedPostgres(this.options.dataDir);
    // From here on, a server on this folder is somebody else's.
    process.removeListener('exit', this.kill);
  }

  /**
   * The session's lock ends with this process, even with SIGKILL: no file can be left over. Its end tells that the
   * server died.
   */
  private async lock(): Promise<void> {
    const session = new Client({ connectionString: this.url, application_name: 'duka launcher', keepAlive: true });
    session.on('error', () => undefined);
    await session.connect();
    await session.query(`SET lock_timeout = '1s'`);
    try {
      await session.query(`SELECT pg_advisory_lock(hashtextextended('duka launcher', 0))`);
    } catch (error) {
      await session.end();
      if (!(error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
      throw new CannotStart(
        `Duka already runs on the data folder ${this.options.dataDir}. Stop it first, or choose another with DATA_DIR.`,
      );
    }
    this.session = session;
    session.once('end', () => {
      if (!this.released) this.revival = this.revive();
    });
  }

  private async revive(): Promise<void> {
    for (let told = ''; !this.released; await sleep(REVIVE_PAUSE_MS)) {
      try {
        await startEmbeddedPostgres(this.options);
        return await this.lock();
      } catch (error) {
        const { message } = error as Error;
        // As long as a disk is full, each try says the same.
        if (message !== told) this.log.warn(`PostgreSQL stopped and could not be started again yet: ${message}`);
        told = message;
      }
    }
  }

  private readonly kill = (): void => {
    const server = findEmbeddedPostgres(this.options.dataDir);
    if (server) process.kill(server.pid, 'SIGQUIT');
  };
}

const LOCK_NOT_AVAILABLE = '55P03';

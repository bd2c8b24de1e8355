import { Injectable } from '@nestjs/common';
import type { Client, QueryResult, QueryResultRow } from 'pg';
import { Env } from '../config/env';
import { Readiness } from '../health/readiness';
import type { Key, Tenant } from '../http/caller';
import { HIGHEST_ID } from '../http/ids';
import { Batcher } from './batcher';
import { arrayParam, type PreparedQuery } from './bulk';
import { clientConfig, type PlannedConfig } from './options';
import type { LookUp } from './rows';

/**
 * Statements are planned once: planning for the values at hand costs a small batch a third of its time. All of them
 * look rows up by their keys, in the order of an index; a plan made while a table was small would read all of it long
 * after it has grown.
 */
const PLANNING: Readonly<Record<Env['DATABASE_PLANS'], readonly string[]>> = {
  generic: [
    'plan_cache_mode=force_generic_plan',
    'enable_seqscan=off',
    'enable_bitmapscan=off',
    'enable_hashjoin=off',
    'enable_mergejoin=off',
  ],
  custom: ['plan_cache_mode=force_custom_plan'],
};

/**
 * Sends a statement. Those of one turn of the event loop leave in one write: a system call for each would cost more
 * than most of what they carry. With a callback: around the promise that pg would make, each query keeps the ones
 * before it from the young collection, and a tenth of all garbage grows old.
 */
export function send<R extends QueryResultRow>(
  client: Client,
  { name, text }: PreparedQuery,
  values: unknown[] = [],
): Promise<QueryResult<R>> {
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  return new Promise((resolve, reject) => {
    client.query<R>({ name, text, values }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

const FORGET_PLANS = { name: '', text: 'DISCARD PLANS' };

/**
 * One pipelined connection: statements are sent without waiting for the answers before them, so a burst of them costs
 * one round trip. Connects when first used and again after a loss; what was under way then fails.
 */
export class Pipeline {
  private client: Promise<Client> | null = null;
  private closed = false;
  private forgetAt = 0;

  /** `plansMs`: for so long a plan is kept. */
  constructor(
    private readonly config: PlannedConfig,
    private readonly plansMs = Infinity,
  ) {}

  async query<R extends QueryResultRow>(query: PreparedQuery, values: unknown[]): Promise<QueryResult<R>> {
    const client = await this.connection();
    if (this.plansMs < Infinity && performance.now() > this.forgetAt) {
      this.forgetAt = performance.now() + this.plansMs;
      // Should it fail, so does what follows it.
      send(client, FORGET_PLANS).catch(() => undefined);
    }
    return send<R>(client, query, values);
  }

  /** The live connection, for several statements that belong together. */
  connection(): Promise<Client> {
    if (this.closed) return Promise.reject(new Error('connection ended: the process is stopping'));
    return (this.client ??= this.connect());
  }

  async end(): Promise<void> {
    this.closed = true;
    const client = await this.client?.catch(() => null);
    await client?.end();
  }

  private connect(): Promise<Client> {
    const { plans, ...config } = this.config;
    const options = [config.options, ...PLANNING[plans].map((setting) => `-c ${setting}`)].join(' ');
    const client = new config.Client({ ...config, options, pipeline: true });
    const connected = client.connect().then(() => client);
    // A lost connection tells so twice; the second time its successor may already be there.
    const forget = () => {
      if (this.client === connected) this.client = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    connected.catch(forget);
    return connected;
  }
}

/** The pipelined connection for single statements on hot paths. */
@Injectable()
export class ReadPipeline extends Pipeline {
  constructor(env: Env, readiness: Readiness) {
    super(clientConfig(env));
    // On a server that takes no changes (a replica, a failover) it fails.
    readiness.watch('postgresql', () =>
      this.query({ name: 'ready', text: `SELECT 1 / (current_setting('transaction_read_only') = 'off')::integer` }, []),
    );
  }
}

const LIMITS = {
  batchMax: 200,
  parallel: 2,
  queueMax: Infinity,
  overflow: () => new Error('too many look-ups at once'),
};

const keyOf = ({ accountId, livemode, id }: Key): string => `${accountId} ${livemode} ${id}`;

/**
 * Finds rows by their key. Look-ups of the same moment are one query: one of its own would cost more than all else of a
 * delivery.
 */
export class RowLookUp<Row extends Key> {
  private readonly batcher = new Batcher<Key, Row | null>((keys) => this.select(keys), LIMITS);

  constructor(
    private readonly reads: ReadPipeline,
    private readonly lookUp: LookUp<Row>,
  ) {}

  find({ accountId, livemode, id }: Key): Promise<Row | null> {
    return this.batcher.add({ accountId, livemode, id });
  }

  /** Newest first, below `before`. */
  async list({ accountId, livemode }: Tenant, before: string | null, take: number): Promise<Row[]> {
    const { rows } = await this.reads.query(this.lookUp.page, [accountId, livemode, before ?? HIGHEST_ID, take]);
    return rows.map((row) => this.lookUp.read(row));
  }

  private async select(keys: readonly Key[]): Promise<(Row | null)[]> {
    const { rows } = await this.reads.query(this.lookUp.byKeys, [
      arrayParam(
        'uuid',
        keys.map(({ accountId }) => accountId),
      ),
      arrayParam(
        'boolean',
        keys.map(({ livemode }) => livemode),
      ),
      arrayParam(
        'uuid',
        keys.map(({ id }) => id),
      ),
    ]);
    const found = rows.map((row) => this.lookUp.read(row));
    const byKey = new Map(found.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(keyOf(key)) ?? null);
  }
}

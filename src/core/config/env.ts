import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { CannotStart } from '../errors/cannot-start';
import { IsDatabaseUrl } from './database-url';
import { IsRedisUrl } from './redis-url';
import { Settings, settingsNeededBy, type TeamSettings } from './settings';

const URLS = { require_tld: false, require_protocol: true } as const;

const Numeric = () => Transform(({ value }) => (typeof value === 'string' ? Number(value) : value));
const Whole = (min: number, max: number) => applyDecorators(Numeric(), IsInt(), Min(min), Max(max));
const Flag = () => Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value));

/** Every setting of the service. `.env.example` says a sentence about each; a test holds the two lists equal. */
export class Env {
  /**
   * Address that the API listens on. For each further address of `localhost` Fastify makes a server of its own, which
   * nothing would watch.
   */
  @Transform(({ value }) => (value === 'localhost' ? '127.0.0.1' : value))
  @IsString()
  HOST: string = '127.0.0.1';

  /** Port that the API listens on; 0 takes a free one. */
  @Whole(0, 65_535)
  PORT: number = 3000;

  /** Port of a worker: health, readiness and metrics. 0 takes a free one. */
  @Whole(0, 65_535)
  WORKER_PORT: number = 3001;

  /** Address that the platform's own API listens on. */
  @IsString()
  PLATFORM_HOST: string = '127.0.0.1';

  /** Port of the platform's own API. 0 takes a free one. */
  @Whole(0, 65_535)
  PLATFORM_PORT: number = 3002;

  /** Start it where other machines reach it. */
  @Flag()
  @IsBoolean()
  PLATFORM_ALLOW_REMOTE: boolean = false;

  /** Address under which clients reach the service; used in links. */
  @IsOptional()
  @IsUrl({ ...URLS, protocols: ['http', 'https'] })
  PUBLIC_URL?: string = undefined;

  /**
   * Server that takes our mail: `smtp://user:password@host:587` (encrypted by STARTTLS, without which nothing is sent
   * to another machine) or `smtps://…:465`. Unset: nothing is sent.
   */
  @IsOptional()
  @IsUrl({ ...URLS, protocols: ['smtp', 'smtps'] })
  SMTP_URL?: string = undefined;

  /** From whom our mail is: `Duka <no-reply@example.com>`. */
  @ValidateIf(({ SMTP_URL, MAIL_FROM }: Env) => SMTP_URL !== undefined || MAIL_FROM !== undefined)
  @Matches(/^(?:[^<>"\r\n]{0,100}<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, {
    message: 'MAIL_FROM must be set with SMTP_URL, to an address such as Duka <no-reply@example.com>',
  })
  MAIL_FROM?: string = undefined;

  /** Folder of the embedded PostgreSQL, its keys and `sandbox.json`. */
  @IsString()
  DATA_DIR: string = '.data';

  /** PostgreSQL 15 or newer. Of several hosts the one that takes changes is found. Unset: `npm start` brings one. */
  @IsOptional()
  @IsDatabaseUrl()
  DATABASE_URL?: string = undefined;

  /**
   * The login of running processes; `migrate` makes it. Unset: one whose name and password follow from `DATABASE_URL`.
   */
  @IsOptional()
  @IsDatabaseUrl()
  DATABASE_APP_URL?: string = undefined;

  /** Schema of our tables. Each is a service of its own; several may be in one database. */
  @Matches(/^(?!pg_)[a-z_][a-z0-9_]{0,40}$/, {
    message: 'DATABASE_SCHEMA must be small letters, digits and underscores, such as duka_7',
  })
  DATABASE_SCHEMA: string = 'public';

  /**
   * Whether the hottest statements are planned once (`generic`) or each time (`custom`), as an engine that routes by
   * what they ask for (Citus) needs.
   */
  @IsIn(['generic', 'custom'])
  DATABASE_PLANS: 'generic' | 'custom' = 'generic';

  /** Connections of the general pool of one process (the ledger has its own). */
  @Whole(1, 500)
  DATABASE_POOL_SIZE: number = 10;

  /** Milliseconds that a request waits for a database that went away: longer than a failover takes. */
  @Whole(100, 120_000)
  PATIENCE_MS: number = 8_000;

  /**
   * Redis 6.2 or newer for queues and rate limits: `redis://host`, `redis+sentinel://host,host/master` or
   * `redis+cluster://host,host`; `rediss…` is TLS. Unset: PostgreSQL carries the queues, limits count per process.
   */
  @IsOptional()
  @IsRedisUrl(
    'REDIS_URL must be redis://host:6379, redis+sentinel://host:26379,host:26379/master or ' +
      'redis+cluster://host:6379,host:6379 (rediss for TLS)',
  )
  REDIS_URL?: string = undefined;

  /** Of several cells, the same for all: by it they know each other's requests. Unset: there is one cell. */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{32,}$/, { message: 'CELL_SECRET must be 32 or more visible characters' })
  CELL_SECRET?: string = undefined;

  /** 32 bytes in base64. Seals cursors and encrypts secrets at rest. */
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: 'SECRETS_KEY must be 32 bytes in base64 (openssl rand -base64 32)' })
  SECRETS_KEY: string = '';

  /** Instead of `SECRETS_KEY` while it is changed: the new one, which seals, and old ones, which still open. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/, {
    message: 'SECRETS_KEYS must be keys of 32 bytes in base64, comma-separated, the new one first',
  })
  SECRETS_KEYS?: string = undefined;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: string = 'info';

  /** Requests per second of one live key; burst twice that; 0 = off. */
  @Whole(0, 1_000_000)
  RATE_LIMIT_LIVE: number = 100;

  /** Requests per second of one test key; burst twice that; 0 = off. */
  @Whole(0, 1_000_000)
  RATE_LIMIT_TEST: number = 25;

  /** An account may send as much as this many of its keys; 0 = as much as all of them. */
  @Whole(0, 1_000)
  RATE_LIMIT_ACCOUNT_FACTOR: number = 5;

  /** Requests per second of one address to one route that needs no key; burst twice that; 0 = off. */
  @Whole(0, 1_000_000)
  RATE_LIMIT_OPEN: number = 50;

  /**
   * Plans that live providers list are imported by themselves, once a day, as far as no price moves by more than so
   * many basis points. Unset: the log says what would change, and a person runs `catalogue:sync`.
   */
  @IsOptional()
  @Whole(1, 999_999)
  CATALOGUE_SYNC_MAX_MOVE?: number = undefined;

  /** Connections that one process takes at the same time. */
  @Whole(1, 1_000_000)
  CONNECTIONS_MAX: number = 5_000;

  /** What `GET /metrics` asks for as `Authorization: Bearer`. Unset: it answers only its own machine, and no proxy. */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{16,}$/, { message: 'METRICS_TOKEN must be 16 or more visible characters' })
  METRICS_TOKEN?: string = undefined;

  /** Keep requests of accounts for the request log of the dashboard. */
  @IsIn(['on', 'off'])
  REQUEST_LOG: string = 'on';

  /** MB of bodies that the request log keeps of an account a day, by each process, and as much again without bodies. */
  @Whole(1, 1_000_000)
  REQUEST_LOG_DAILY_MB: number = 256;

  /** Days for which the request log keeps the headers and the answer of a request that failed. */
  @Whole(1, 90)
  REQUEST_LOG_ANSWER_DAYS: number = 30;

  /** Wallets of an account in each mode, closed ones included. */
  @Whole(1, 1_000_000)
  WALLETS_MAX: number = 10_000;

  /** Cardholders of an account in each mode. */
  @Whole(1, 1_000_000)
  CUSTOMERS_MAX: number = 10_000;

  /** Webhook endpoints of an account in each mode: each event costs a row for each that listens. */
  @Whole(1, 1_000)
  WEBHOOK_ENDPOINTS_MAX: number = 50;

  /** Comma-separated addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed. */
  @IsString()
  TRUST_PROXY: string = '';

  /** In test mode webhooks may go to local and private addresses too; in live mode never. */
  @Flag()
  @IsBoolean()
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: boolean = false;

  /** Postings that one ledger transaction carries at most. */
  @Whole(1, 5_000)
  LEDGER_BATCH_MAX: number = 200;

  /** Ledger connections of one process. More than one pays only when batching is off. */
  @Whole(1, 64)
  LEDGER_WRITERS: number = 1;

  /**
   * Sets of the platform's own ledger accounts, by the slots of those who trade with them: a power of two, so that a
   * balancer can tell lanes by the key (docs/scaling.md). May be changed at any time.
   */
  @Numeric()
  @IsIn([1, 2, 4, 8, 16])
  LANES: number = 1;

  /** Postings that may wait for the ledger before the API answers 503. */
  @Whole(1, 1_000_000)
  LEDGER_QUEUE_MAX: number = 10_000;

  /**
   * Minor units by currency: to settle a purchase or a payment above this by hand, or to deposit more live money at
   * once, takes two people. Currencies without a figure: always two.
   */
  @Matches(/^(\d{1,16}|[A-Z]{3}:\d{1,16}(,[A-Z]{3}:\d{1,16})*)$/, {
    message:
      'REVIEW_TWO_PEOPLE_ABOVE must be minor units by currency, such as NGN:5000000,USD:10000, or one number for all',
  })
  REVIEW_TWO_PEOPLE_ABOVE: string = 'NGN:5000000,USD:10000,EUR:10000,GBP:10000,KES:500000,GHS:50000,ZAR:100000';

  /** Seconds that a stopping process gives its requests, batches and jobs. */
  @Whole(1, 120)
  SHUTDOWN_GRACE_SECONDS: number = 15;

  /**
   * Of these, seconds in which the API still serves but `/readyz` says no, so that a load balancer turns away first.
   */
  @Whole(0, 60)
  SHUTDOWN_NOTICE_SECONDS: number = 1;

  /** Run queue workers inside the API process. */
  @Flag()
  @IsBoolean()
  WORKER_IN_API: boolean = false;

  /**
   * Seconds after which a worker that takes no jobs, while its queue answers, is replaced; twice that later its process
   * ends.
   */
  @Whole(1, 3_600)
  WORKER_DEAF_SECONDS: number = 30;

  /** Where traces are sent, by OTLP over HTTP: `http://collector:4318`. Unset: there are none. */
  @IsOptional()
  @IsUrl({ ...URLS, protocols: ['http', 'https'] })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string = undefined;

  /** Sent along to the collector: `name=value`, with commas between. */
  @IsOptional()
  @IsString()
  OTEL_EXPORTER_OTLP_HEADERS?: string = undefined;

  /** Name of this process in traces. Unset: `duka-api`, or `duka-worker` where there are workers. */
  @IsOptional()
  @IsString()
  OTEL_SERVICE_NAME?: string = undefined;

  /** Which requests are traced, as OpenTelemetry names it. */
  @IsIn(['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]))
  OTEL_TRACES_SAMPLER: string = 'parentbased_always_on';

  /** Of `traceidratio`: the share, from 0 to 1. */
  @Numeric()
  @IsNumber()
  @Min(0)
  @Max(1)
  OTEL_TRACES_SAMPLER_ARG: number = 1;
}

/** Settings whose values nobody is shown. Addresses of databases carry passwords. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set<keyof Env>([
  'DATABASE_URL',
  'DATABASE_APP_URL',
  'REDIS_URL',
  'CELL_SECRET',
  'SECRETS_KEY',
  'SECRETS_KEYS',
  'METRICS_TOKEN',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
]);

export class InvalidEnvironment extends CannotStart {
  constructor(readonly faults: readonly string[]) {
    super(`These settings need attention (see .env.example):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

export interface Needs {
  /** Settings without which this entry point cannot work, though others can. */
  required?: readonly (keyof Env)[];
  /** Of these one is enough. */
  oneOf?: readonly (keyof Env)[];
  /** What counts where the environment says nothing, instead of the default above. */
  defaults?: Partial<Record<keyof Env, string>>;
}

/**
 * Reads and checks all settings, those of teams too; throws `InvalidEnvironment` that names every fault at once, a line
 * per setting. `''` counts as not set, so that a copied `.env.example` line without a value keeps the default.
 */
export function loadEnv({ required = [], oneOf = [], defaults = {} }: Needs = {}, source = environment()): Env {
  const given = Object.fromEntries(
    (Object.keys(new Env()) as (keyof Env)[])
      .map((key) => [key, source[key] || defaults[key]])
      .filter(([, value]) => value),
  );
  if (source.SECRETS_KEYS) given.SECRETS_KEY = source.SECRETS_KEYS.split(',')[0];
  const env = plainToInstance(Env, given);
  const missing = required.filter((key) => !env[key]).map((key) => `${key} must be set`);
  if (oneOf.length > 0 && !oneOf.some((key) => env[key])) missing.push(`${oneOf.join(' or ')} must be set`);
  const wrong = validateSync(env).map(({ constraints = {} }) => Object.values(constraints).at(-1)!);
  const faults = [...missing, ...wrong, ...Settings.faults(source, Object.keys(env))];
  if (faults.length > 0) throw new InvalidEnvironment(faults);
  return env;
}

/** The values of a team's settings; null: none of them is set. Throws `InvalidEnvironment`. */
export function valuesOf(settings: TeamSettings): object | null {
  const { values, faults } = settings.read(process.env);
  if (faults.length > 0) throw new InvalidEnvironment(faults);
  return values;
}

/** Whether a class has the settings that it needs. Throws `InvalidEnvironment`. */
export function hasItsSettings(target: object): boolean {
  const needed = settingsNeededBy(target);
  return needed === null || valuesOf(needed) !== null;
}

/** What teams keep secret, as the environment has it. */
export const secretsOfTeams = (): string[] =>
  Settings.all
    .flatMap(({ variables }) => variables)
    .filter(({ reader }) => reader.isSecret)
    .flatMap(({ name }) => process.env[name] ?? []);

/** A variable as it counts now, and where it comes from. */
export interface Given {
  readonly value: string;
  readonly from: 'environment' | '.env';
}

/** What the environment says of a variable; null: nothing. What is set counts more than a line of `.env`. */
export function givenSettings(): (name: string) => Given | null {
  const set: NodeJS.ProcessEnv = { ...process.env };
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return (name) => {
    const value = name in set ? set[name] : file[name];
    return value ? { value, from: name in set ? 'environment' : '.env' } : null;
  };
}

/** For a process that this one starts: its own environment, with these settings instead. */
export const environmentWith = (env: Partial<Env>): NodeJS.ProcessEnv => {
  const settings = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...process.env, ...Object.fromEntries(settings.map(([name, value]) => [name, String(value)])) };
};

/** Whether one of the scripts in package.json started this process. */
export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined;

/** A variable that is set counts more than a line of `.env`. */
function environment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile();
  return process.env;
}

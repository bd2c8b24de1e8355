import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { getMetadataStorage } from 'class-validator';
import { Env, InvalidEnvironment, loadEnv } from './env';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

describe('.env.example', () => {
  const [text] = readFileSync(join(__dirname, '../../../.env.example'), 'utf8').split('\n# Settings of teams', 1);

  test('names every setting with its default, and no other', () => {
    const defaults = Object.entries(new Env()).map(([key, value]) => [key, String(value ?? '')]);
    expect(parseEnv(text!)).toEqual(Object.fromEntries(defaults));
  });

  test('says a sentence about each', () => {
    const settings = text!.split('\n\n').slice(1);
    expect(settings).toHaveLength(Object.keys(new Env()).length);
    for (const setting of settings) expect(setting).toMatch(/^# .+\.\n[A-Z_]+=/);
  });
});

describe('loadEnv', () => {
  test('knows each setting that has a rule: one without a value of its own would be read by nobody', () => {
    const rules = getMetadataStorage().getTargetValidationMetadatas(Env, '', false, false);
    const named = new Set(rules.map(({ propertyName }) => propertyName));
    expect([...named].filter((name) => !Object.hasOwn(new Env(), name))).toEqual([]);
    expect(loadEnv({}, { SECRETS_KEY, CATALOGUE_SYNC_MAX_MOVE: '500' }).CATALOGUE_SYNC_MAX_MOVE).toBe(500);
  });

  test('reads numbers and flags, and keeps defaults for what is empty', () => {
    const env = loadEnv({}, { SECRETS_KEY, PORT: '0', WORKER_IN_API: 'true', LOG_LEVEL: '' });
    expect(env).toMatchObject({ SECRETS_KEY, PORT: 0, WORKER_IN_API: true, LOG_LEVEL: 'info' });
  });

  test('takes localhost for one address: a second one would have a server of its own, which nothing watches', () => {
    expect(loadEnv({}, { SECRETS_KEY, HOST: 'localhost' }).HOST).toBe('127.0.0.1');
    expect(loadEnv({}, { SECRETS_KEY, HOST: '::1' }).HOST).toBe('::1');
  });

  test('prefers what is set to the defaults of an entry point', () => {
    const defaults = { SECRETS_KEY, LOG_LEVEL: 'warn' };
    expect(loadEnv({ defaults }, {}).LOG_LEVEL).toBe('warn');
    expect(loadEnv({ defaults }, { LOG_LEVEL: 'debug' }).LOG_LEVEL).toBe('debug');
  });

  test('reports all faults at once, one line each, without the values', () => {
    const source = {
      PORT: 'http',
      DATABASE_URL: 'mysql://root:hunter2@db',
      WORKER_IN_API: 'yes',
      LEDGER_BATCH_MAX: '0',
    };
    const faults = faultsOf(() => loadEnv({ required: ['REDIS_URL'] }, source));
    const named = ['REDIS_URL', 'PORT', 'DATABASE_URL', 'SECRETS_KEY', 'LEDGER_BATCH_MAX', 'WORKER_IN_API'];
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(named);
    expect(faults.join()).not.toContain('hunter2');
  });

  test.each(['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
    'refuses the key %s',
    (key) => {
      expect(faultsOf(() => loadEnv({}, { SECRETS_KEY: key }))).toEqual([
        expect.stringContaining('openssl rand -base64 32'),
      ]);
    },
  );
});

function faultsOf(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof InvalidEnvironment) return error.faults;
    throw error;
  }
  return [];
}

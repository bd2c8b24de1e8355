import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/core/process/ports';
import { Program } from './chaos/program';
import { Play } from './history/play';
import { Recorder } from './history/recorder';
import { check } from './history/run';
import { buildWhenStale, node, NODE_COMPILE_CACHE } from './support/command-line';
import { createTestDatabase, type TestDatabase } from './support/database';
import { until } from './support/recurring-probe';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

// The built service as a process of its own, so that it can be killed as one.
describe('a history of the service under faults', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let api: Program;
  let key: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'duka-history-'));
    database = await createTestDatabase();
    buildWhenStale();
    const settings = {
      DATABASE_URL: database.url,
      SECRETS_KEY,
      REDIS_URL: '',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_TEST: '0',
      SHUTDOWN_NOTICE_SECONDS: '0',
    };
    env = { ...settings, PATH: process.env.PATH!, NODE_COMPILE_CACHE, PORT: String(await freePort()) };
    const duka = (...words: string[]): any =>
      JSON.parse(node(['dist/src/cli/duka.js', ...words, '--json'], env).stdout);
    const { id } = duka('account:create', '--name', 'History');
    key = duka('key:create', '--account', id, '--mode', 'test').secret;
    api = new Program('main.js', join(folder, 'api.log'));
    api.launch(env);
    await untilReady();
  });
  afterAll(async () => {
    await api?.end('SIGKILL');
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const url = (): string => `http://127.0.0.1:${env.PORT}`;
  const isReady = async (): Promise<boolean> => (await fetch(`${url()}/readyz`).catch(() => null))?.status === 200;
  const untilReady = (): Promise<void> => until(isReady, 60);

  // `KEEP_HISTORY=<file>` keeps what was recorded.
  it('can be explained when the process is killed and stopped, and clients hang up', async () => {
    const file = process.env.KEEP_HISTORY ?? join(folder, 'history.jsonl');
    const recorder = new Recorder(file);
    const play = new Play(recorder, { url, key, account: 'shop' });
    await play.open(3);
    play.start(5, 1);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const before = play.orders;
      await until(() => play.orders > before + 50, 30);
      await api.end(signal);
      api.launch(env);
      await untilReady();
    }
    await play.finish();
    await recorder.end(['feed']);
    const { contradiction, counts } = await check(file);
    expect(contradiction).toBeNull();
    // Or nothing was tried.
    expect(counts.unanswered).toBeGreaterThan(5);
    expect(counts.entries).toBeGreaterThan(100);
  });
});

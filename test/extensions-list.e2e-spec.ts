import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from './support/database';

const ROOT = join(__dirname, '..');
let database: TestDatabase;

function node(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = {
    PATH: process.env.PATH,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: database.url,
  };
  return spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
}

beforeAll(async () => {
  database = await createTestDatabase();
  const build = node('scripts/build-when-stale.mjs');
  if (build.status !== 0) throw new Error(build.stdout + build.stderr);
}, 120_000);

afterAll(() => database.drop());

it('npm run duka -- extension:list tells what runs where, in order', () => {
  const { stdout, status } = node('dist/src/cli/duka.js', 'extension:list', '--json');
  expect(status).toBe(0);
  const { extensions } = JSON.parse(stdout) as { extensions: object[] };
  expect(extensions).toContainEqual({
    id: 'example.gate',
    point: 'svc_before_payment',
    kind: 'gate',
    priority: 10,
    timeout_ms: 500,
    mode: 'active',
    operations: ['bill_payment'],
    place: 'ExampleGate.check',
  });
  // A team's own stand between them.
  expect(
    extensions.map((extension) => (extension as { id: string }).id).filter((id) => id.startsWith('example.')),
  ).toEqual(['example.log', 'example.gate', 'example.free-fee']);
  const { stdout: text } = node('dist/src/cli/duka.js', 'extension:list');
  expect(text).toMatch(/^svc_transaction_fee +10 +example\.free-fee +ExampleFee\.free, +bill_payment$/m);
});

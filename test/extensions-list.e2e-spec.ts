import { command } from './support/command-line';
import { createTestDatabase, type TestDatabase } from './support/database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const list = (...options: string[]) => command(['extension:list', ...options], { DATABASE_URL: database.url });

it('npm run duka -- extension:list tells what runs where, in order', async () => {
  const { stdout, status } = await list('--json');
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
  const { stdout: text } = await list();
  expect(text).toMatch(/^svc_transaction_fee +10 +example\.free-fee +ExampleFee\.free, +bill_payment$/m);
});

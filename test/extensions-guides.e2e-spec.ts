import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Logger } from '@nestjs/common';
import { Duka, type TestAccount } from './support/duka';
import { until } from './support/recurring-probe';

const GUIDES = ['write-a-filter', 'veto-a-payment', 'react-to-a-payment'];
const textOf = (guide: string): string => readFileSync(`docs/guides/${guide}.md`, 'utf8');

/** A block of code under the name of its file. */
const shown = GUIDES.flatMap((guide) =>
  [...textOf(guide).matchAll(/^`(src\/[^`]+)`\n\n```ts\n(.*?)^```$/gms)].map(
    ([, file, code]) => [guide, file!, code!] as const,
  ),
);

it.each(shown)('%s shows %s as it is', (_, file, code) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

it.each(GUIDES)('%s shows no code that is not in the repository, and a test', (guide) => {
  const blocks = textOf(guide).match(/^```ts$/gm)!;
  const files = shown.filter(([of]) => of === guide).map(([, file]) => file);
  expect(files).toHaveLength(blocks.length);
  expect(files.filter((file) => file.endsWith('.spec.ts'))).toHaveLength(1);
});

describe('the commands', () => {
  let duka: Duka;
  let account: TestAccount;
  let folder: string;
  const lines: unknown[] = [];

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation((line) => void lines.push(line));
    duka = await Duka.start({ WORKER_IN_API: true });
    account = await duka.account();
    folder = mkdtempSync(join(tmpdir(), 'duka-guides-'));
    const [{ id }] = (await account.api.get('/v4/wallets')).body.data;
    writeFileSync(join(folder, 'sandbox.json'), JSON.stringify({ test_key: account.key, wallets: [{ id }] }));
  });

  afterAll(async () => {
    await duka.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(GUIDES)('of %s do what it says', async (guide) => {
    const blocks = [...textOf(guide).matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block]) => block!);
    expect(blocks.length).toBeGreaterThan(1);
    const script = blocks.join('\n').replaceAll('http://127.0.0.1:3000', duka.url).replaceAll('./.data/', `${folder}/`);
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
  });

  it('leave the line that the guide to observers speaks of', async () => {
    const line = expect.objectContaining({ message: 'a bill payment is final', type: 'transaction.successful' });
    await until(() => lines.some((found) => line.asymmetricMatch(found)));
  });
});

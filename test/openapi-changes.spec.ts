import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';

const ROOT = join(__dirname, '..');
const BEFORE = join(ROOT, 'docs/api/openapi.json');

/** The committed document, as far as these tests change it. */
interface Document {
  readonly paths: Record<string, Record<string, any>>;
  readonly webhooks: Record<string, unknown>;
  readonly components: { readonly schemas: Record<string, any> };
}

describe('a change of the OpenAPI document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duka-openapi-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What is said about the document once `change` has been made to it, and the exit code. */
  async function compare(
    name: string,
    change: (document: Document) => void,
  ): Promise<{ said: string[]; code: number }> {
    const document = JSON.parse(readFileSync(BEFORE, 'utf8')) as Document;
    change(document);
    const file = join(folder, `${name.replaceAll(/\W/g, '-')}.json`);
    writeFileSync(file, JSON.stringify(document));
    const run = promisify(execFile)(process.execPath, [join(ROOT, 'scripts/openapi-changes.mjs'), BEFORE, file]);
    const { stdout, code } = await run.then(
      (done) => ({ ...done, code: 0 }),
      (error: unknown) => error as { stdout: string; code: number },
    );
    return { said: stdout.trim().split('\n'), code };
  }

  const transfer = (document: Document): any => document.components.schemas.CreateTransfer;
  const wallet = (document: Document): any => document.components.schemas.Wallet;

  it.each<[string, (document: Document) => void, string]>([
    [
      'an operation that is gone',
      ({ paths }) => delete paths['/v4/wallets/transfer'],
      'breaks  callers   POST /v4/wallets/transfer is gone',
    ],
    [
      'an event that is gone',
      ({ webhooks }) => delete webhooks['transaction.failed'],
      'breaks  receivers transaction.failed is sent no more',
    ],
    [
      'a field of an answer that is gone',
      (d) => delete wallet(d).properties.currency,
      'breaks  readers   GET /v4/wallets/{id} 200.currency is gone',
    ],
    [
      'a field that changes its type',
      (d) => (wallet(d).properties.currency.type = 'integer'),
      'breaks  readers   GET /v4/wallets/{id} 200.currency is integer instead of string',
    ],
    [
      'a field that must be sent',
      (d) => transfer(d).required.push('reference'),
      'breaks  callers   POST /v4/wallets/transfer body.reference is required',
    ],
    [
      'a field that is sent no more',
      (d) => delete transfer(d).properties.narration,
      'breaks  callers   POST /v4/wallets/transfer body.narration is refused',
    ],
    [
      'a limit that is lower',
      (d) => (transfer(d).properties.reference.maxLength = 3),
      'breaks  callers   POST /v4/wallets/transfer body.reference has maxLength 3',
    ],
    [
      'a parameter that is gone',
      ({ paths }) => paths['/v4/transactions']!.get.parameters.shift(),
      'breaks  callers   GET /v4/transactions',
    ],
  ])('breaks somebody: %s', async (name, change, line) => {
    const { said, code } = await compare(name, change);
    expect(code).toBe(1);
    expect(said).toContainEqual(expect.stringContaining(line));
  });

  it.each<[string, (document: Document) => void, string]>([
    [
      'a field of an answer',
      (d) => (wallet(d).properties.colour = { type: 'string' }),
      'adds    readers   GET /v4/wallets/{id} 200.colour is new',
    ],
    [
      'a field that may be sent',
      (d) => (transfer(d).properties.colour = { type: 'string' }),
      'adds    callers   POST /v4/wallets/transfer body.colour is new',
    ],
    [
      'an operation that retires',
      ({ paths }) => (paths['/v4/wallets']!.get.deprecated = true),
      'retires callers   GET /v4/wallets is deprecated',
    ],
  ])('breaks nobody: %s', async (name, change, line) => {
    const { said, code } = await compare(name, change);
    expect(code).toBe(0);
    expect(said).toContainEqual(expect.stringContaining(line));
    expect(said.at(-1)).toMatch(/^0 of \d+ changes break somebody\.$/);
  });

  it('is none without one', async () => {
    await expect(compare('nothing', () => undefined)).resolves.toEqual({
      said: ['0 of 0 changes break somebody.'],
      code: 0,
    });
  });
});

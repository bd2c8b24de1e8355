import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { DaysService } from '../src/modules/statements/days.service';
import { Duka, type TestAccount } from './support/duka';
import { findOnPath } from './support/programs';

/** `STATEMENT_TRANSACTIONS=100000 STATEMENT_PERIODS=1000 npm test -- test/statement-size` */
const TRANSACTIONS = Number(process.env.STATEMENT_TRANSACTIONS ?? 2_000);
const PERIODS = Number(process.env.STATEMENT_PERIODS ?? 40);
const TOGETHER = 500;
const DAY_MS = 86_400_000;
const AGE_MS = 60_000 + (TRANSACTIONS + PERIODS) * 30;

interface Line {
  readonly at: string;
  readonly in: number;
  readonly out: number;
  readonly balance: number;
}

let duka: Duka;
let shop: TestAccount;
let wallet: string;
let whole: { data: Line[]; from: string; to: string; total_in: number; total_out: number };

const read = async (query: Record<string, string>): Promise<Buffer> => {
  const path = `${duka.url}/v4/wallets/${wallet}/statement?${new URLSearchParams(query).toString()}`;
  const response = await fetch(path, { headers: { authorization: `Bearer ${shop.key}` } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

const readJson = async (query: Record<string, string>): Promise<any> => JSON.parse((await read(query)).toString());

beforeAll(async () => {
  duka = await Duka.start();
  shop = await duka.account();
  wallet = await shop.api.wallet(1_000_000);
  const other = await shop.api.wallet(1_000_000);
  for (let sent = 1; sent < TRANSACTIONS;) {
    const items = Array.from({ length: Math.min(TOGETHER, TRANSACTIONS - sent) }, () => {
      const [from_wallet, to_wallet] = sent++ % 2 === 0 ? [other, wallet] : [wallet, other];
      return { from_wallet, to_wallet, amount: 1 + (sent % 997), reference: `line-${sent}` };
    });
    const body = { kind: 'transfer', on_error: 'all_or_nothing', items };
    expect((await shop.api.post('/v4/batches', body, { key: randomUUID() })).status).toBe(201);
  }
  whole = await readJson({ to: new Date().toISOString() });
}, AGE_MS);
afterAll(() => duka.stop(), AGE_MS);

it('has a line for each transaction', () => {
  expect(whole.data).toHaveLength(TRANSACTIONS);
});

it(
  'opening and lines make the closing of whatever period is asked for',
  async () => {
    const times = whole.data.map(({ at }) => Date.parse(at));
    const bound = (): number => times[Math.floor(Math.random() * times.length)]! + Math.floor(Math.random() * 3) - 1;
    for (let i = 0; i < PERIODS; i++) {
      const [from, to] = [bound(), bound()].sort((a, b) => a - b) as [number, number];
      const part = await readJson({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
      const lines = whole.data.filter((_, at) => times[at]! >= from && times[at]! < to);
      expect(part.data).toHaveLength(lines.length);
      expect(part.data.at(-1)).toEqual(lines.at(-1));
      const moved = (part.data as Line[]).reduce((sum, line) => sum + line.in - line.out, 0);
      expect(part.opening + moved).toBe(part.closing);
      expect(part.closing).toBe(whole.data.findLast((_, at) => times[at]! < to)?.balance ?? 0);
    }
  },
  AGE_MS,
);

it(
  'is the same bytes twice, in each format',
  async () => {
    for (const format of ['json', 'csv', 'pdf']) {
      const query = { to: whole.to, format };
      expect((await read(query)).equals(await read(query))).toBe(true);
    }
  },
  AGE_MS,
);

it(
  'is closed with its day, in a chain that verify:ledger follows',
  async () => {
    await duka.get<DaysService>(DaysService).close(new Date(Date.now() + 2 * DAY_MS));
    const days = await shop.api.all(`/v4/wallets/${wallet}/days?limit=10`);
    const sum = (of: string): number => days.reduce((total, day) => total + day[of], 0);
    expect([sum('total_in'), sum('total_out')]).toEqual([whole.total_in, whole.total_out]);
    await duka.expectBooks();
  },
  AGE_MS,
);

/** Where LibreOffice is installed: `apt-get install libreoffice-calc`. */
const office = findOnPath('soffice');

(office === null ? it.skip : it)(
  'opens in LibreOffice, which adds up to the same sums',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'statement-'));
    try {
      writeFileSync(join(folder, 'statement.csv'), await read({ to: whole.to, format: 'csv' }));
      // Numbers that it took for text would be quoted: each text is, and no number.
      const asWritten = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false';
      const profile = `-env:UserInstallation=file://${folder}/profile`;
      const into = ['--outdir', join(folder, 'opened'), join(folder, 'statement.csv')];
      await promisify(execFile)(office!, [profile, '--headless', '--convert-to', asWritten, ...into]);
      const opened = readFileSync(join(folder, 'opened', 'statement.csv'), 'utf8');
      const rows: Record<string, string>[] = parse(opened, {
        columns: true,
        bom: true,
        quote: false,
        relax_column_count: true,
      });
      const cents = (text: string): number => Math.round(Number(text) * 100);
      const numbers = (of: string) => rows.map((row) => row[`"${of}"`] ?? '').filter((cell) => /^-?[\d.]+$/.test(cell));
      const sum = (of: string): number => numbers(of).reduce((total, cell) => total + cents(cell), 0);
      expect([sum('in'), sum('out')]).toEqual([whole.total_in, whole.total_out]);
      expect(numbers('balance')).toHaveLength(TRANSACTIONS + 2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  AGE_MS,
);

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { findOnPath } from './support/programs';

let duka: Duka;
let ada: Browser;

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
});
afterAll(() => duka.stop());

const VIEW = { page: 'transactions', name: 'Failed', search: 'status=failed', shared: false };
const names = async (who: Browser): Promise<string[]> =>
  (await who.get('/views?page=transactions')).body.data.map(({ name }: { name: string }) => name);

describe('a view', () => {
  it('is saved, replaced by one of its name, renamed and removed', async () => {
    const { status, body } = await ada.call('PUT', '/views', VIEW);
    expect([status, body]).toEqual([200, { ...VIEW, id: expect.any(String), mine: true, by: expect.any(String) }]);
    expect((await ada.call('PUT', '/views', { ...VIEW, search: 'status=failed&type=payout' })).body.id).toBe(body.id);
    await ada.call('PUT', '/views', { ...VIEW, name: 'all' });
    expect(await names(ada)).toEqual(['all', 'Failed']);
    expect((await ada.call('PATCH', `/views/${body.id}`, { name: 'all' })).body).toMatchObject({ param: '/name' });
    expect((await ada.call('PATCH', `/views/${body.id}`, { name: 'Bad' })).body.name).toBe('Bad');
    expect((await ada.call('DELETE', `/views/${body.id}`)).status).toBe(204);
    expect((await ada.call('DELETE', `/views/${body.id}`)).status).toBe(404);
    expect(await names(ada)).toEqual(['all']);
  });

  it('is seen by the team when it is shared, changed by its owner alone, and by nobody of another account', async () => {
    const bola = await newMember(duka, ada, 'support');
    const { body } = await ada.call('PUT', '/views', { ...VIEW, name: 'For all', shared: true });
    await ada.call('PUT', '/views', { ...VIEW, name: 'Mine' });
    expect(await names(bola)).toEqual(['For all']);
    expect((await bola.get('/views?page=transactions')).body.data[0].mine).toBe(false);
    expect((await bola.call('PATCH', `/views/${body.id}`, { name: 'Theirs' })).status).toBe(404);
    expect((await bola.call('DELETE', `/views/${body.id}`)).status).toBe(404);
    expect(await names(await newOwner(duka))).toEqual([]);
    expect((await ada.call('PATCH', `/views/${body.id}`, { shared: false })).body.shared).toBe(false);
    expect(await names(bola)).toEqual([]);
  });

  it('is one of at most 50 of a person', async () => {
    const olu = await newOwner(duka);
    for (let i = 0; i < 50; i++) await olu.call('PUT', '/views', { ...VIEW, name: `View ${i}` });
    expect((await olu.call('PUT', '/views', { ...VIEW, name: 'One more' })).body.code).toBe('limit_exceeded');
    expect((await olu.call('PUT', '/views', { ...VIEW, name: 'View 7', shared: true })).status).toBe(200);
    expect(await names(olu)).toHaveLength(50);
  });

  it('is refused where it makes no sense, and an id that is none is not found', async () => {
    expect((await ada.call('PUT', '/views', { ...VIEW, page: 'nowhere' })).body.code).toBe('validation_failed');
    expect((await ada.call('PUT', '/views', { ...VIEW, search: 'x'.repeat(2_001) })).status).toBe(400);
    expect((await ada.call('PATCH', '/views/nonsense', { name: 'x' })).status).toBe(404);
  });
});

describe('the transactions as a workbook', () => {
  const cell = (sheet: string, place: string): string =>
    new RegExp(`<c r="${place}"[^>]*>(.*?)</c>`).exec(sheet)?.[1]?.replaceAll(/<[^>]+>/g, '') ?? '';

  it('has amounts as numbers, moments as dates of the account’s clocks, and a header that stays', async () => {
    const wallet = (await ada.get('/test/v4/wallets')).body.data[0].id as string;
    await ada.post(`/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 999_999_999_999, reference: 'first-1' });
    await ada.post(`/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 125_050 });
    const file = await fetch(
      `${duka.url}/dashboard/api/transactions/export/xlsx?amount_gte=999999999999&currency=NGN`,
      { headers: { cookie: `session=${ada.token}`, 'sec-fetch-site': 'same-origin' } },
    );
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="transactions.xlsx"');
    expect(file.headers.get('content-type')).toContain('spreadsheetml.sheet');
    const folder = mkdtempSync(join(tmpdir(), 'workbook-'));
    try {
      const path = join(folder, 'transactions.xlsx');
      writeFileSync(path, Buffer.from(await file.arrayBuffer()));
      const sheet = execFileSync('unzip', ['-p', path, 'xl/worksheets/sheet1.xml'], { encoding: 'utf8' });
      expect(sheet).toContain('ySplit="1"');
      expect(sheet).toContain('state="frozen"');
      expect([cell(sheet, 'A1'), cell(sheet, 'B1'), cell(sheet, 'G1')]).toEqual(['id', 'created_at', 'amount']);
      expect(sheet).toMatch(/<c r="G2" s="\d+"><v>9999999999\.99<\/v><\/c>/);
      expect(sheet).not.toContain('<row r="3"');
      const days = Number(cell(sheet, 'B2'));
      // Lagos is an hour ahead of UTC, summer and winter.
      expect(Math.abs(days - 25_569 - (Date.now() + 3_600_000) / 86_400_000)).toBeLessThan(1 / 24);
      const office = findOnPath('soffice');
      if (office === null) return;
      const where = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'csv'];
      execFileSync(office, [...where, '--outdir', folder, path], { timeout: 90_000, stdio: 'ignore' });
      const [, line] = readFileSync(join(folder, 'transactions.csv'), 'utf8').split('\n');
      expect(line).toMatch(
        /^txn_\w{26},\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,deposit,credit,successful,FALSE,9999999999\.99,/,
      );
      expect(line).toContain(',first-1,');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

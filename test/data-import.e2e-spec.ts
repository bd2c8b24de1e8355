import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import seeded from '../src/migrations/seeds/data-plans.json';
import { PlanImportService } from '../src/modules/data/plan-import.service';
import type { Api } from './support/api';
import { command } from './support/command-line';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const PLAN = {
  plan_code: 'mtn-night-2gb-1d',
  network: 'mtn',
  country: 'NG',
  name: 'MTN Night 2 GB, 1 day',
  type: 'direct',
  data_bytes: 2 * 1024 ** 3,
  validity: { quantity: 1, unit: 'day' },
  price: 25_000,
  currency: 'NGN',
  commission_bps: 250,
};

let duka: Duka;
let api: Api;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duka-plans-'));
  duka = await Duka.start();
  api = (await duka.account()).api;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await duka.stop();
});

const shown = async (code: string) => (await api.get(`/v4/data/plans?q=${code}`)).body.data[0];
const importPlans = (content: unknown, dryRun = false) =>
  duka.get<PlanImportService>(PlanImportService).import(content, { dryRun });

/** `npm run duka -- catalogue:import` with a file of this content. */
function importFile(content: string, ...options: string[]) {
  const file = join(folder, 'plans.json');
  writeFileSync(file, content);
  return command(['catalogue:import', '--file', file, ...options], { DATABASE_URL: duka.env.DATABASE_URL! });
}

describe('npm run duka -- catalogue:import', () => {
  const changed = { ...seeded.find(({ plan_code }) => plan_code === 'glo-sme-1gb-1m')!, price: 45_000, active: false };
  const same = seeded.find(({ plan_code }) => plan_code === 'glo-sme-5gb-1m')!;
  const file = JSON.stringify([PLAN, changed, same]);

  it('shows what would change, and changes nothing', async () => {
    const { status, stdout } = await importFile(file, '--dry-run');
    expect([status, stdout.trim().split('\n')]).toEqual([
      0,
      [
        '+ mtn-night-2gb-1d: MTN Night 2 GB, 1 day, NGN 250.00',
        '~ glo-sme-1gb-1m: price 44000 → 45000, active true → false',
        `Nothing was written. It would be: 1 added, 1 changed, 1 as they were; ${seeded.length - 2} on sale are not in the file and stay.`,
      ],
    ]);
    expect([await shown('mtn-night'), (await shown('glo-sme-1gb-1m')).price]).toEqual([undefined, 44_000]);
  });

  it('adds and changes plans; a running service sells them', async () => {
    const before = (await api.get('/v4/data/plans')).body.catalogue_version;
    const { status, stdout } = await importFile(file, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: false,
      added: 1,
      changed: 1,
      unchanged: 1,
      changes: [
        {
          plan_code: 'mtn-night-2gb-1d',
          kind: 'added',
          fields: expect.arrayContaining([{ field: 'validity', before: null, after: '1 day' }]),
        },
        {
          plan_code: 'glo-sme-1gb-1m',
          kind: 'changed',
          fields: [
            { field: 'price', before: '44000', after: '45000' },
            { field: 'active', before: 'true', after: 'false' },
          ],
        },
      ],
    });
    await until(async () => (await shown('mtn-night')) !== undefined);
    expect(await shown('mtn-night')).toMatchObject({
      price: 25_000,
      data_bytes: 2 * 1024 ** 3,
      validity: { quantity: 1, unit: 'day' },
      commission_bps: 250,
    });
    expect(await shown('glo-sme-1gb-1m')).toBeUndefined();
    expect((await api.get('/v4/data/plans')).body.catalogue_version).not.toBe(before);
  });

  it('finds nothing to do the second time', async () => {
    const { updated_at } = await shown('mtn-night');
    expect(await importPlans(JSON.parse(file))).toMatchObject({ changes: [], unchanged: 3 });
    expect((await shown('mtn-night')).updated_at).toBe(updated_at);
  });

  it.each([
    ['no JSON', 'plans', 2, /file of JSON/],
    ['a faulty plan', JSON.stringify([{ ...PLAN, price: 0 }]), 1, /\/0\/price: price must be between 1 and/],
  ])('refuses %s', async (_, content, code, message) => {
    const { status, stderr } = await importFile(content);
    expect([status, stderr]).toEqual([code, expect.stringMatching(message)]);
  });
});

describe('a list of plans', () => {
  it('may call a network by another name', async () => {
    const { changes } = await importPlans([{ ...PLAN, plan_code: 't2-night', network: 'etisalat' }], true);
    expect(changes.map(({ plan }) => plan.network)).toEqual(['t2']);
  });

  it('is taken whole or not at all', async () => {
    await expect(
      importPlans([
        { ...PLAN, plan_code: 'good' },
        { ...PLAN, plan_code: 'bad', price: 1.5 },
      ]),
    ).rejects.toMatchObject({ details: { param: '/1/price' } });
    expect((await importPlans([{ ...PLAN, plan_code: 'good' }], true)).changes).toMatchObject([{ kind: 'added' }]);
  });

  it('is compared with what an import at the same time has made', async () => {
    // Several rounds: in the first one, connections that are still being made would keep them apart.
    for (const round of [1, 2, 3, 4, 5]) {
      const imports = await Promise.all([1, 2, 3].map(() => importPlans([{ ...PLAN, plan_code: `at-once-${round}` }])));
      expect(imports.flatMap(({ changes }) => changes)).toHaveLength(1);
    }
  });

  it('is told every fault', async () => {
    const refused = importPlans([{ ...PLAN, price: 0, currency: 'XXX' }, 7, { ...PLAN, colour: 'red' }, PLAN, PLAN]);
    await expect(refused).rejects.toMatchObject({ details: { code: 'validation_failed' } });
    const { details } = (await refused.catch(
      (error: { details: { errors: { param: string }[]; detail: string } }) => error,
    )) as any;
    expect(details.errors.map(({ param }: { param: string }) => param)).toEqual([
      '/0/price',
      '/0/currency',
      '/1',
      '/2/colour',
      '/4',
    ]);
    expect(details.detail).toContain('  /2/colour: /colour is not a field');
  });

  it.each([
    ['plan_code', 'MTN 1GB'],
    ['plan_code', ''],
    ['plan_code', 7],
    ['plan_code', 'a'.repeat(65)],
    ['network', 'nobody'],
    ['network', 'safaricom'],
    ['country', 'Nigeria'],
    ['name', ''],
    ['type', 'weekly'],
    ['data_bytes', 0],
    ['data_bytes', 1.5],
    ['data_bytes', '1024'],
    ['validity', null],
    ['validity', 30],
    ['validity', { quantity: 1, unit: 'year' }],
    ['validity', { quantity: 0, unit: 'day' }],
    ['validity', { quantity: 1.5, unit: 'day' }],
    ['validity', { quantity: 1, unit: 'day', extra: 1 }],
    ['price', '25000'],
    ['price', -1],
    ['currency', 'ngn'],
    ['commission_bps', -1],
    ['commission_bps', 10_000],
    ['commission_bps', 2.5],
    ['active', 'yes'],
  ])('is refused for %s: %j', async (field, value) => {
    await expect(importPlans([{ ...PLAN, [field]: value }], true)).rejects.toMatchObject({
      details: { param: `/0/${field}` },
    });
  });

  it.each([[{}], [null], ['plans'], [{ plans: [] }]])('is not %j', async (content) => {
    await expect(importPlans(content, true)).rejects.toMatchObject({ details: { code: 'validation_failed' } });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GLOBAL_TABLES } from '../src/core/cells/control-cell';
import { decodeId } from '../src/core/http/ids';
import { Announcements } from '../src/modules/accounts/announcements.service';
import { FeesService } from '../src/modules/accounts/fees.service';
import { CatalogueService } from '../src/modules/bills/catalogue.service';
import { RatesService } from '../src/modules/conversions/rates.service';
import { PlanImportService } from '../src/modules/data/plan-import.service';
import { PlanSyncs } from '../src/modules/data/plan-syncs';
import { Routes } from '../src/providers/routes';
import { ThreeCells } from './support/cells';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

let cells: ThreeCells;

beforeAll(async () => {
  cells = await ThreeCells.start({ REQUEST_LOG: 'off' });
});
afterAll(() => cells.stop());

const RULE = { product: 'airtime', tier: 'standard', currency: 'NGN', flat: 700n, basisPoints: 0, cap: null } as const;
const ROUTE = { product: 'airtime', network: '*', livemode: false, provider: 'sandbox' } as const;

/** What changes tables that are one for all cells. */
const WRITERS: [string, (duka: Duka) => Promise<unknown>][] = [
  ['a fee', (duka) => duka.get<FeesService>(FeesService).setRule(RULE)],
  ['a route', (duka) => duka.get<Routes>(Routes).enable(ROUTE, true)],
  ['a biller', async (duka) => duka.get<CatalogueService>(CatalogueService).setEnabled('sandbox-power', true)],
  ['plans', (duka) => duka.get<PlanImportService>(PlanImportService).import([], { dryRun: false })],
  [
    'a list of plans',
    (duka) => duka.get<PlanSyncs>(PlanSyncs).order({ provider: 'any', person: 'x', dryRun: true, maxMove: null }, []),
  ],
  [
    'a rate of a provider',
    (duka) =>
      duka
        .get<RatesService>(RatesService)
        .addProvided({ livemode: false, base: 'USD', quote: 'NGN' }, { rate: 1n, asOf: new Date(), provider: 'any' }),
  ],
];

it.each(WRITERS)('%s is changed in the control cell only, which the refusal names', async (_, write) => {
  const refused = await write(cells.of.b).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    details: { code: 'forbidden', detail: expect.stringContaining('control cell, a;') },
  });
  const done = await write(cells.of.a).catch((error: unknown) => error);
  expect((done as { details?: { code: string } } | null)?.details?.code).not.toBe('forbidden');
});

it('what recurs and changes them does nothing in other cells', async () => {
  for (const duka of cells.all) await duka.asOwner(`TRUNCATE catalogue_syncs`);
  const order = `INSERT INTO catalogue_syncs (id, provider, person, dry_run) VALUES (gen_random_uuid(), 'x', 'y', true)`;
  for (const duka of [cells.of.a, cells.of.b]) {
    await duka.asOwner(order);
    await duka.get<PlanSyncs>(PlanSyncs).syncOrdered();
  }
  const ended = (duka: Duka) => duka.asOwner('SELECT ended_at IS NOT NULL AS ended FROM catalogue_syncs');
  expect([await ended(cells.of.a), await ended(cells.of.b)]).toEqual([[{ ended: true }], [{ ended: false }]]);
});

it('a change counts in every cell once it has been copied, in processes that knew it otherwise', async () => {
  const account = await cells.of.b.account();
  const asked = { product: 'airtime', currency: 'NGN', accountId: decodeId('acct', account.id)! } as const;
  const fee = () => cells.of.b.get<FeesService>(FeesService).listed(asked, 10_000n);
  await cells.of.a.get<FeesService>(FeesService).setRule({ ...RULE, flat: 0n });
  await cells.replicate();
  await until(async () => (await fee()) === 0n);
  await cells.of.a.get<FeesService>(FeesService).setRule(RULE);
  await cells.replicate();
  await until(async () => (await fee()) === 700n);
});

it('what every account is told of it is told in all cells, once', async () => {
  for (const duka of cells.all) await duka.account();
  const biller = (await cells.of.a.asOwner('SELECT code FROM billers ORDER BY code LIMIT 1'))[0]!.code as string;
  const told = async (duka: Duka) => {
    const events = await duka.asOwner(
      `SELECT account_id FROM events WHERE type = 'biller.status_changed' AND snapshot ->> 'biller_code' = $1`,
      [biller],
    );
    return events.length;
  };
  const accountsOf = async (duka: Duka) =>
    (await duka.asOwner('SELECT id FROM accounts WHERE NOT live_enabled')).length;
  await cells.of.a.get<CatalogueService>(CatalogueService).setEnabled(biller, false);
  await cells.replicate();
  const hear = () => Promise.all(cells.all.map((duka) => duka.get<Announcements>(Announcements).hear()));
  await Promise.all([hear(), hear()]);
  await hear();
  for (const duka of cells.all) expect(await told(duka)).toBe(await accountsOf(duka));
});

it('migrations that change rows of such a table leave copies alone', () => {
  const writes = new RegExp(`\\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\\s+(?:${GLOBAL_TABLES.join('|')})\\b`);
  const folder = join(__dirname, '../src/migrations');
  const since = readdirSync(folder).filter((file) => Number.parseInt(file, 10) > 102);
  const careless = since.filter((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return writes.test(text) && !text.includes('NOT is_control');
  });
  expect([since.length > 0, careless]).toEqual([true, []]);
});

it('whoever writes such a table asks whether it may', () => {
  const writes = new RegExp(
    `\\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\\s+(?:${GLOBAL_TABLES.join('|')})\\b|\\badd_provided_rate\\(`,
  );
  const root = join(__dirname, '../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/^(?:migrations|cli\/cell)/.test(file))
    .filter((file) => writes.test(readFileSync(join(root, file), 'utf8')));
  expect(files.length).toBeGreaterThan(5);
  const careless = files.filter((file) => !readFileSync(join(root, file), 'utf8').includes('requireHere()'));
  // Holds the statement for `plan-import.service.ts`.
  expect(careless).toEqual(['modules/data/data-plan.ts']);
});

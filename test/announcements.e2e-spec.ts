import { CatalogueService } from '../src/modules/bills/catalogue.service';
import { PlanImportService } from '../src/modules/data/plan-import.service';
import { Duka, type TestAccount } from './support/duka';

const PLAN = {
  plan_code: 'mtn-news-1gb-1d',
  network: 'mtn',
  country: 'NG',
  name: 'MTN News 1 GB, 1 day',
  type: 'direct',
  data_bytes: 1024 ** 3,
  validity: { quantity: 1, unit: 'day' },
  price: 25_000,
  currency: 'NGN',
  commission_bps: 250,
};

let duka: Duka;
let accounts: TestAccount[];

beforeAll(async () => {
  duka = await Duka.start();
  accounts = [await duka.account(), await duka.account()];
});
afterAll(() => duka.stop());

const told = (type: string) =>
  Promise.all(accounts.map(async ({ api }) => (await api.get(`/v4/events?type=${type}`)).body.data));

describe('a change of the catalogue', () => {
  const importPlans = (content: unknown, dryRun = false) =>
    duka.get<PlanImportService>(PlanImportService).import(content, { dryRun });

  it('is told to every account, once', async () => {
    await importPlans([PLAN], true);
    await importPlans([PLAN]);
    await importPlans([PLAN]);
    for (const events of await told('catalogue.updated')) {
      expect(events).toMatchObject([
        {
          livemode: false,
          request: { id: null },
          data: {
            object: {
              object: 'catalogue_update',
              added: 1,
              changed: 0,
              plans: [{ plan_code: PLAN.plan_code, kind: 'added' }],
            },
          },
        },
      ]);
    }
  });

  it('names what is different', async () => {
    await importPlans([{ ...PLAN, price: 26_000, active: false }]);
    const [[{ data }]] = (await told('catalogue.updated')) as [[{ data: { object: object } }]];
    expect(data.object).toMatchObject({
      added: 0,
      changed: 1,
      plans: [{ kind: 'changed', fields: ['price', 'active'] }],
    });
  });

  it('is not told when it did not take place', async () => {
    const before = await told('catalogue.updated');
    await expect(
      importPlans([
        { ...PLAN, price: 27_000 },
        { ...PLAN, plan_code: 'bad', price: 0 },
      ]),
    ).rejects.toMatchObject({ details: { code: 'validation_failed' } });
    expect(await told('catalogue.updated')).toEqual(before);
  });

  it('stays a small event', async () => {
    await importPlans(Array.from({ length: 300 }, (_, i) => ({ ...PLAN, plan_code: `mtn-many-${i}` })));
    const [[{ data }]] = (await told('catalogue.updated')) as [
      [{ data: { object: { added: number; plans: object[] } } }],
    ];
    expect([data.object.added, data.object.plans.length]).toEqual([300, 100]);
    expect(JSON.stringify(data).length).toBeLessThan(20_000);
  });
});

describe('a biller that is switched off', () => {
  const setEnabled = (enabled: boolean, code = 'ikeja-electric') =>
    duka.get<CatalogueService>(CatalogueService).setEnabled(code, enabled);
  const isAvailable = async () => {
    const { body } = await accounts[0]!.api.get('/v4/bills/billers?category=electricity&limit=100');
    return (body.data as { code: string; available: boolean }[]).find(({ code }) => code === 'ikeja-electric')!
      .available;
  };

  it('is told to every account, as is its return', async () => {
    expect(await setEnabled(false)).toMatchObject({ isChanged: true });
    expect(await isAvailable()).toBe(false);
    expect(await setEnabled(true)).toMatchObject({ isChanged: true });
    expect(await isAvailable()).toBe(true);
    for (const events of await told('biller.status_changed')) {
      expect(events.map(({ data }: { data: { object: object } }) => data.object)).toMatchObject([
        { object: 'biller_status', biller_code: 'ikeja-electric', name: 'Ikeja Electric', enabled: true },
        { object: 'biller_status', biller_code: 'ikeja-electric', enabled: false },
      ]);
    }
  });

  it('is not told again when nothing changes, nor of one that does not exist', async () => {
    const before = await told('biller.status_changed');
    expect(await setEnabled(true)).toMatchObject({ isChanged: false });
    await expect(setEnabled(false, 'nobody')).rejects.toMatchObject({ details: { code: 'not_found' } });
    expect(await told('biller.status_changed')).toEqual(before);
  });
});

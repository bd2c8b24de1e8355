import { DataSource } from 'typeorm';
import { displayMoney } from '../src/core/money/money';
import { PlanSyncs } from '../src/modules/data/plan-syncs';
import { Company as Vtpass } from './pretended/vtpass/company';
import { Buyer } from './support/buyer';
import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

let duka: Duka;
let operator: Browser;
const vtpass = new Vtpass();
beforeAll(async () => {
  await vtpass.listen();
  Object.assign(process.env, vtpass.settings);
  duka = await Duka.start();
  operator = await newOwner(duka);
  await duka.setOperator(operator.email, true);
  await operator.stepUp();
});
afterAll(async () => {
  await duka.stop();
  await vtpass.stop();
});

const query = (sql: string): Promise<any[]> => duka.get<DataSource>(DataSource).query(sql);
const get = async (path: string) => (await operator.get(`/operators/catalogue${path}`)).body;

/** Every row of a list, page by page. */
async function all(list: string, limit: number): Promise<any[]> {
  const rows: any[] = [];
  for (let cursor = ''; ;) {
    const page = await get(`/${list}?limit=${limit}${cursor}`);
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

it('has every plan once, with its price, sold or not', async () => {
  const [{ plan_code: off }] = await query('SELECT plan_code FROM data_plans ORDER BY plan_code LIMIT 1');
  await duka.asOwner('UPDATE data_plans SET active = false WHERE plan_code = $1', [off]);
  const rows = await query('SELECT * FROM data_plans ORDER BY plan_code COLLATE "C"');
  const plans = await all('plans', 7);
  expect(plans.map(({ code, price_display, on_sale }) => [code, price_display, on_sale])).toEqual(
    rows.map(({ plan_code, price, currency, active }) => [
      plan_code,
      displayMoney({ amount: BigInt(price), currency }),
      active,
    ]),
  );
  const gone = await get('/plans?on_sale=false');
  expect(gone.data.map(({ code }: any) => code)).toEqual([off]);
  await duka.asOwner('UPDATE data_plans SET active = true');
});

it('is searched by words of names and codes, and narrowed', async () => {
  const { networks, categories, countries, synced_at } = await get('');
  expect(networks).toContain('mtn');
  expect(categories).toContain('electricity');
  expect([countries.includes('NG'), synced_at]).toEqual([true, null]);
  const [{ plan_code: code, name }] = await query(
    `SELECT plan_code, name FROM data_plans WHERE network = 'mtn' AND country = 'NG' LIMIT 1`,
  );
  const found = await get(`/plans?q=${encodeURIComponent(`${name.toUpperCase()} ${code}`)}`);
  expect(found.data.map((plan: any) => plan.code)).toEqual([code]);
  const mtn = (await get('/plans?kind=mtn&country=NG&limit=100')).data;
  expect([mtn.length > 1, mtn.every((plan: any) => plan.network === 'mtn' && plan.country === 'NG')]).toEqual([
    true,
    true,
  ]);
  for (const nothing of ['q=%00', 'q=no-such-plan', 'kind=%00'])
    expect((await get(`/plans?${nothing}`)).data).toEqual([]);
  expect((await operator.get('/operators/catalogue/plans?livemode=maybe')).status).toBe(400);
});

it('says who is asked, by mode, and whether anybody would be now', async () => {
  await query(`INSERT INTO provider_routes (product, network, livemode, provider, position, enabled)
    VALUES ('data', 'mtn', true, 'acme', 2, true), ('data', 'mtn', true, 'zenith', 1, true),
           ('data', 'mtn', true, 'away', 3, false)`);
  const first = async (livemode: boolean) => (await get(`/plans?kind=mtn&limit=1&livemode=${livemode}`)).data[0].asked;
  // This build has neither: nobody would be asked.
  expect(await first(true)).toEqual({ providers: ['zenith', 'acme'], available: false });
  expect(await first(false)).toMatchObject({ providers: expect.arrayContaining(['sandbox']), available: true });
  const airtime = (await get('/networks?livemode=false')).data;
  const rows = await query('SELECT country, slug, min_amount, currency FROM networks ORDER BY country, name');
  expect(airtime.map((one: any) => [one.country, one.slug, one.min_display])).toEqual(
    rows.map((one) => [
      one.country,
      one.slug,
      displayMoney({ amount: BigInt(one.min_amount), currency: one.currency }),
    ]),
  );
  expect(airtime[0].asked.available).toBe(true);
});

describe('billers', () => {
  it('are listed with what they sell', async () => {
    const billers = await all('billers', 3);
    const rows = await query(`
      SELECT code, (SELECT count(*)::integer FROM biller_items WHERE biller_code = b.code) AS items FROM billers b
       ORDER BY code COLLATE "C"`);
    expect(billers.map(({ code, items }) => ({ code, items }))).toEqual(rows);
    const { code } = rows.find(({ items }) => items > 0)!;
    const stored = await query(
      `SELECT code, amount FROM biller_items WHERE biller_code = '${code}' ORDER BY position, code`,
    );
    const { data } = await get(`/billers/${code}/items`);
    expect(data.map((item: any) => item.code)).toEqual(stored.map((item) => item.code));
    expect((await operator.get('/operators/catalogue/billers/nobody/items')).status).toBe(404);
    expect(
      (await get('/billers?kind=electricity&limit=100')).data.every((one: any) => one.category === 'electricity'),
    ).toBe(true);
  });

  it('are switched off and on after a fresh proof, with a reason that is written down', async () => {
    const path = '/operators/catalogue/billers/ikeja-electric';
    const order = { enabled: false, reason: 'their meters are down' };
    const again = operator.another();
    await again.logIn();
    expect((await again.call('PUT', path, order)).body.code).toBe('step_up_required');
    const owner = await newOwner(duka);
    await owner.stepUp();
    expect((await owner.call('PUT', path, order)).body.code).toBe('insufficient_role');
    expect((await operator.call('PUT', path, { ...order, reason: '' })).status).toBe(400);
    expect((await operator.call('PUT', '/operators/catalogue/billers/nobody', order)).status).toBe(404);
    for (const _ of [1, 2]) expect((await operator.call('PUT', path, order)).status).toBe(204);
    const { api } = await Buyer.of(duka);
    const offered = async () =>
      (await api.get('/v4/bills/billers?limit=100')).body.data.find(({ code }: any) => code === 'ikeja-electric');
    expect((await offered()).available).toBe(false);
    expect((await get('/billers?on_sale=false')).data.map(({ code }: any) => code)).toEqual(['ikeja-electric']);
    expect((await operator.call('PUT', path, { enabled: true, reason: 'they are back' })).status).toBe(204);
    expect((await offered()).available).toBe(true);
    const { data } = (await operator.get('/audit-log?action=biller')).body;
    expect(data.map(({ action, target, detail }: any) => [action, target, detail.reason])).toEqual([
      ['biller.enabled', 'ikeja-electric', 'they are back'],
      ['biller.disabled', 'ikeja-electric', 'their meters are down'],
    ]);
  });
});

describe('the list of a live provider', () => {
  const path = '/operators/catalogue/sources/vtpass/syncs';
  const work = () => duka.get<PlanSyncs>(PlanSyncs).syncOrdered();
  const last = async () => (await get('/sources')).data.find(({ provider }: any) => provider === 'vtpass').last;
  const plans = () => query(`SELECT plan_code, price FROM data_plans WHERE plan_code LIKE 'mtn-data.%' ORDER BY 1`);

  it('is asked for by a worker, and only looked at', async () => {
    expect(await last()).toBeNull();
    const again = operator.another();
    await again.logIn();
    expect((await again.post(path, { dry_run: true })).body.code).toBe('step_up_required');
    expect((await operator.post(path.replace('vtpass', 'nobody'), { dry_run: true })).status).toBe(404);
    expect((await operator.post(path, { dry_run: true, max_move: 0 })).status).toBe(400);
    expect((await operator.post(path, { dry_run: true })).status).toBe(204);
    expect((await operator.post(path, { dry_run: true })).body.code).toBe('invalid_state_transition');
    expect(await last()).toMatchObject({ person: operator.email, dry_run: true, ended_at: null, failure: null });
    await Promise.all([work(), work()]);
    const { added, lines, ended_at } = await last();
    expect([added > 2, lines.length, ended_at === null]).toEqual([true, Math.min(added, 100), false]);
    expect(lines.some((line: string) => line.startsWith('+ mtn-data.'))).toBe(true);
    expect(await plans()).toEqual([]);
  });

  it('is imported, unless a price would move too far', async () => {
    await operator.post(path, { dry_run: false });
    await work();
    const imported = await plans();
    expect([(await last()).added > 2, imported.length > 2]).toEqual([true, true]);
    await duka.asOwner('UPDATE data_plans SET price = price * 2 WHERE plan_code = $1', [imported[0].plan_code]);
    await operator.post(path, { dry_run: false, max_move: 4_999 });
    await work();
    expect(await last()).toMatchObject({ added: null, failure: expect.stringContaining(imported[0].plan_code) });
    expect(await plans()).not.toEqual(imported);
    await operator.post(path, { dry_run: false, max_move: 5_000 });
    await work();
    expect(await last()).toMatchObject({ added: 0, changed: 1, failure: null });
    expect(await plans()).toEqual(imported);
    const { data } = (await operator.get('/audit-log?action=catalogue')).body;
    expect(data.map(({ action, target, detail }: any) => [action, target, detail.max_move])).toEqual([
      ['catalogue.sync_ordered', 'vtpass', 5_000],
      ['catalogue.sync_ordered', 'vtpass', 4_999],
      ['catalogue.sync_ordered', 'vtpass', null],
      ['catalogue.looked_at', 'vtpass', null],
    ]);
  });

  it('that a worker left is taken up by another, once its time is over', async () => {
    await operator.post(path, { dry_run: true });
    const leased = `UPDATE catalogue_syncs SET leased_until = now() + $1::interval WHERE ended_at IS NULL`;
    await duka.asOwner(leased, ['1 minute']);
    await work();
    expect((await last()).ended_at).toBeNull();
    await duka.asOwner(leased, ['-1 second']);
    vtpass.breaks = () => ({ status: 502, isDone: false });
    await work();
    vtpass.breaks = () => null;
    expect(await last()).toMatchObject({ failure: expect.any(String), added: null });
  });
});

import { PlanImportService } from '../src/modules/data/plan-import.service';
import { Company as Vtpass } from './pretended/vtpass/company';
import { Duka } from './support/duka';

const vtpass = new Vtpass();
let duka: Duka;

beforeAll(async () => {
  await vtpass.listen();
  Object.assign(process.env, vtpass.settings);
  duka = await Duka.start();
});
afterAll(async () => {
  await duka.stop();
  await vtpass.stop();
});

const plans = (): Promise<Record<string, unknown>[]> =>
  duka.asOwner(`SELECT plan_code, price::int FROM data_plans WHERE plan_code LIKE 'mtn-data.%' ORDER BY 1`);
const day = async (moveMax?: number): Promise<Record<string, unknown>[]> => {
  Object.assign(duka.env, { CATALOGUE_SYNC_MAX_MOVE: moveMax });
  await duka.get<PlanImportService>(PlanImportService).syncAll();
  return plans();
};

describe('once a day, what a live provider lists', () => {
  it('is not imported while nobody said how far a price may move', async () => {
    expect(await day()).toEqual([]);
  });

  it('is imported, and again nothing changes', async () => {
    const imported = await day(500);
    expect(imported.length).toBeGreaterThan(2);
    expect(await day(500)).toEqual(imported);
  });

  it('stays as it is when a price moves further, or nobody answers; a person can let it', async () => {
    const [first, ...rest] = await plans();
    await duka.asOwner('UPDATE data_plans SET price = price * 2 WHERE plan_code = $1', [first!.plan_code]);
    const doubled = [{ ...first, price: 2 * (first!.price as number) }, ...rest];
    expect(await day(4_999)).toEqual(doubled);
    vtpass.breaks = () => ({ status: 502, isDone: false });
    expect(await day(5_000)).toEqual(doubled);
    vtpass.breaks = () => null;
    expect(await day(5_000)).toEqual([first, ...rest]);
  });
});

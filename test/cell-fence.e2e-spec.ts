import { Injectable } from '@nestjs/common';
import { OnHook } from '../src/core/extension/decorators';
import { decodeId, slotOf } from '../src/core/http/ids';
import { createTestDatabase } from './support/database';
import { Duka } from './support/duka';
import { extendWith } from './support/extension-probe';
import { fence } from './support/fence';
import { becomeCell, CELL_SECRET } from './support/other-cell';
import { Shopper } from './support/shopper';

let asked = 0;

@Injectable()
class Probe {
  @OnHook('svc_before_payment', { id: 'test.gate' })
  count(): undefined {
    asked++;
  }

  @OnHook('svc_payment_refused', { id: 'test.refused', operations: ['airtime_purchase'] })
  giveBack(): void {}
}

/** A cell without workers: what recurs happens when a test says so. */
let duka: Duka;
let moving: Shopper;
let staying: Shopper;
let lift: () => Promise<void>;

beforeAll(async () => {
  extendWith(Probe);
  const database = await createTestDatabase();
  await becomeCell(database, 'own');
  duka = await Duka.start({ CELL_SECRET }, { database });
});
afterAll(() => duka.stop());

const slot = ({ account }: Shopper): string => slotOf(decodeId('acct', account.id)!);

beforeEach(async () => {
  moving = await Shopper.in(duka);
  do staying = await Shopper.in(duka);
  while (slot(staying) === slot(moving));
  lift = async () => {};
  asked = 0;
});
afterEach(() => lift());

/** From here on writes of the one account are refused. */
const stop = async (): Promise<void> => {
  lift = await fence(duka.env.DATABASE_URL!, moving.account);
};

it('asks no gate while nobody could be told that the payment was refused', async () => {
  await stop();
  expect((await moving.buy()).status).toBe(503);
  expect(asked).toBe(0);
  expect((await staying.buy()).status).toBe(201);
  expect(asked).toBe(1);
});

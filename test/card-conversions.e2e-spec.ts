import { randomUUID } from 'node:crypto';
import { type IssuerMessage, IssuerMessages } from '../src/modules/cards/issuer-messages';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

const TOLD = {
  merchant_amount: 1_937_500,
  merchant_currency: 'NGN',
  fx_rate: '0.00064516',
  fees: [{ type: 'foreign_transaction', amount: 25 }],
};
const NOTHING = { merchant_amount: null, merchant_currency: null, fx_rate: null, fees: null };

let duka: Duka;
let network: CardNetwork;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  network = await CardNetwork.in(duka, 10_000);
});

const toldOf = ({ merchant_amount, merchant_currency, fx_rate, fees }: any) => ({
  merchant_amount,
  merchant_currency,
  fx_rate,
  fees,
});

it('what the issuer tells of an authorization is shown, in the events as well', async () => {
  const made = await network.done('authorization', { amount: 1_250, ...TOLD });
  expect(toldOf(made)).toEqual(TOLD);
  expect(toldOf(await network.get(made.id))).toEqual(TOLD);
  const [event] = (await network.api.get('/v4/events?type=card.transaction.authorized')).body.data;
  expect(toldOf(event.data.object)).toEqual(TOLD);
  expect(toldOf(await network.done('decline', { amount: 5, ...TOLD }))).toEqual(TOLD);
  expect(toldOf(await network.done('clearing', { amount: 5, ...TOLD }))).toEqual(TOLD);
});

it('what it does not tell is null, and of nobody else', async () => {
  const made = await network.done('authorization', { amount: 1_250 });
  expect(toldOf(made)).toEqual(NOTHING);
  expect(toldOf(await network.done('fee', { amount: 5 }))).toEqual(NOTHING);
});

it('a clearing tells anew, and each keeps what was told with it', async () => {
  const { id } = await network.done('authorization', { amount: 1_250, ...TOLD });
  const { body } = await network.simulate('clearing', { card_transaction_id: id, amount: 600, fx_rate: '0.00065' });
  expect(toldOf(body)).toEqual({ ...TOLD, fx_rate: '0.00065' });
  expect(toldOf((await network.step('clearing', id, 100)).body)).toEqual({ ...TOLD, fx_rate: '0.00065' });
  const steps = await network.query(`SELECT amount, fx_rate FROM card_clearings WHERE card_id = $1 ORDER BY id`, [
    network.cardId,
  ]);
  expect(steps).toEqual([
    { amount: '600', fx_rate: '0.00065' },
    { amount: '100', fx_rate: null },
  ]);
  await network.step('refund', id, 50);
  expect(toldOf((await network.list('&type=refund'))[0])).toEqual(NOTHING);
});

it.each([
  [{ merchant_amount: 0 }, '/merchant_amount', 'amount_out_of_range'],
  [{ merchant_currency: 'XYZ' }, '/merchant_currency'],
  [{ merchant_currency: 'ngn' }, '/merchant_currency'],
  [{ fx_rate: 0.5 }, '/fx_rate'],
  [{ fx_rate: '1e3' }, '/fx_rate'],
  [{ fees: [{ type: 'a fee', amount: 1 }] }, '/fees/0/type'],
  [{ fees: [{ type: 'fee', amount: 1.5 }] }, '/fees/0/amount', 'amount_not_integer'],
  [{ fees: [{ type: 'fee', amount: 1, more: 1 }] }, '/fees/0/more', 'unknown_field'],
  [{ fees: [[{ type: 'fee', amount: 1 }]] }, '/fees'],
])('%j is refused', async (told, param, code = 'validation_failed') => {
  const { status, body } = await network.simulate('authorization', { amount: 1, ...told });
  expect([status, body.errors.map((error: any) => error.param)]).toEqual([400, [param]]);
  expect(body.code).toBe(code);
});

it('an adapter hands over what its issuer says', async () => {
  const message: IssuerMessage = {
    issuer: 'sandbox',
    id: randomUUID(),
    cardId: network.cardId,
    kind: 'clearing',
    amount: 100n,
    merchant: null,
    authorization: 'auth-1',
    declineReason: null,
    told: { merchantAmount: 9_007n, merchantCurrency: 'JPY' },
  };
  const { made } = await duka.get<IssuerMessages>(IssuerMessages).take(message);
  expect([made.merchantAmount, made.merchantCurrency, made.fxRate, made.fees]).toEqual([9_007n, 'JPY', null, null]);
});

it('the list comes as CSV, too', async () => {
  await network.done('authorization', {
    amount: 1_250,
    ...TOLD,
    merchant: { name: '=1+1', mcc: '5411', country: 'NG' },
  });
  await network.done('fee', { amount: 5 });
  const { status, headers, body } = await network.api.get(
    `/v4/cards/${network.card}/transactions?format=csv&type=authorization`,
  );
  const [header, row, end] = (body as string).split('\n');
  expect([status, headers.get('content-type'), end]).toEqual([200, 'text/csv; charset=utf-8', '']);
  const at = (name: string) => header!.split(',').indexOf(name);
  expect(row).toContain('1937500,NGN,0.00064516,"[{""type"":""foreign_transaction"",""amount"":25}]"');
  expect([at('merchant_amount') + 1, at('merchant_currency') + 1]).toEqual([at('merchant_currency'), at('fx_rate')]);
});

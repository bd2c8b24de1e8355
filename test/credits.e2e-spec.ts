import { Duka } from './support/duka';
import { Payer } from './support/payer';

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
});

const credited = async (): Promise<any> =>
  (await payer.api.get('/v4/events?type=wallet.credited')).body.data[0].data.object;

describe('the credit of a payment', () => {
  it('keeps what was paid, the fee and what the wallet got', async () => {
    const { id, amount, fee } = await payer.asked();
    const { transaction_id: credit } = (await payer.complete(id, 'successful')).body;
    const { body } = await payer.api.get(`/v4/transactions/${credit}`);
    expect(body).toMatchObject({ amount: amount - fee, fee, total: amount - fee, details: { gross: amount } });
    expect(body.amount + body.fee).toBe(body.details.gross);
  });

  it('is found by the reference of the payment: in the list, alone, by the look-up and in the CSV', async () => {
    const { id } = await payer.asked({ reference: 'order-1001' });
    const { transaction_id: credit } = (await payer.complete(id, 'successful')).body;
    expect((await payer.api.get('/v4/transactions?reference=order-1001')).body.data.map((one: any) => one.id)).toEqual([
      credit,
    ]);
    expect((await payer.api.get('/v4/transactions/order-1001')).body).toMatchObject({
      id: credit,
      reference: 'order-1001',
    });
    expect((await payer.api.get('/v4/references/order-1001')).body.resource).toMatchObject({
      id,
      transaction_id: credit,
    });
    const csv = String((await payer.api.get('/v4/transactions?format=csv&reference=order-1001')).body);
    expect(csv).toContain(credit);
  });

  it('is told with its amount and its reference', async () => {
    const { id } = await payer.asked({ reference: 'order-1002' });
    const { transaction_id: credit } = (await payer.complete(id, 'successful')).body;
    expect(await credited()).toMatchObject({
      id: payer.wallet,
      transaction_id: credit,
      amount: 98_500,
      sender: null,
      reference: 'order-1002',
    });
  });
});

describe('who receives a transfer', () => {
  it('sees its narration, who sent it, and by which reference', async () => {
    const sender = await Payer.of(duka);
    await sender.api.credit(sender.wallet, 5_000);
    const sent = {
      from_wallet: sender.wallet,
      to_wallet: payer.wallet,
      amount: 700,
      narration: 'Rent of May',
      reference: 'rent-5',
    };
    expect((await sender.api.post('/v4/wallets/transfer', sent)).status).toBe(201);
    const {
      body: {
        data: [received],
      },
    } = await payer.api.get('/v4/transactions?type=transfer_in');
    // The reference is the sender's: beside those of the receiver, among which it would be taken for one of theirs.
    expect(received).toMatchObject({
      counterparty: sender.wallet,
      reference: null,
      details: { narration: 'Rent of May', sender_reference: 'rent-5' },
    });
    expect((await payer.api.get('/v4/transactions/rent-5')).status).toBe(404);
    expect(await credited()).toMatchObject({
      id: payer.wallet,
      amount: 700,
      sender: sender.wallet,
      reference: 'rent-5',
    });
    const {
      body: {
        data: [paid],
      },
    } = await sender.api.get('/v4/transactions?type=transfer_out');
    expect(paid).toMatchObject({ reference: 'rent-5', details: { narration: 'Rent of May' } });
  });
});

it('a deposit is told with its amount', async () => {
  await payer.api.credit(payer.wallet, 300);
  expect(await credited()).toMatchObject({ amount: 300, sender: null, reference: null });
});

import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { SandboxCalls } from '../src/modules/purchases/sandbox/calls';
import type { CallbackRequest } from '../src/providers/answers';
import { Company } from './pretended/stripe/company';
import { cardholder } from './support/cardholder';
import { ThreeCells, watchStatements } from './support/cells';
import type { Duka } from './support/duka';
import { Funder } from './support/funder';
import { Payer } from './support/payer';
import { until } from './support/recurring-probe';
import { Shopper } from './support/shopper';

let cells: ThreeCells;
let company: Company;
/** Where companies call. */
let a: Duka;
/** Where the accounts are. */
let b: Duka;

beforeAll(async () => {
  company = await new Company().listen();
  Object.assign(process.env, company.settings);
  cells = await ThreeCells.start({ REQUEST_LOG: 'off' });
  ({ a, b } = cells.of);
  company.callbackUrl = a.url;
});
afterAll(async () => {
  await cells.stop();
  await company.stop();
});

/** As the company calls the cell a. */
async function tell(path: string, { body, headers }: CallbackRequest): Promise<[number, any]> {
  const answer = await fetch(`${a.url}/callbacks/${path}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: new Uint8Array(body),
  });
  return [answer.status, await answer.json()];
}

describe('what a company tells the wrong cell', () => {
  it('of a payment reaches the right one, as it was signed', async () => {
    const payer = await Payer.of(b);
    const payment = await payer.asked();
    await payer.start(payment);
    await payer.decide(payment.id, 'successful');
    expect(await tell('sandbox_card', payer.signed(payment.id))).toEqual([200, { received: true }]);
    expect((await payer.get(payment.id)).status).toBe('successful');
  });

  it('of an order reaches the right one', async () => {
    const shopper = await Shopper.in(b);
    const { id } = (await shopper.steer('outcome=processing')).body;
    const [{ reference }] = (await b.asOwner('SELECT id AS reference FROM purchase_attempts WHERE purchase_id = $1', [
      decodeId('txn', id),
    ])) as [{ reference: string }];
    const callback = b.get<SandboxCalls>(SandboxCalls).callback('sandbox', reference, 'delivered');
    expect(await tell('purchases/sandbox', callback)).toEqual([200, { received: true }]);
    await until(async () => {
      const rows = await b.asOwner('SELECT FROM purchase_callbacks WHERE purchase_id = $1', [decodeId('txn', id)]);
      return rows.length === 1;
    });
  });

  it('of a transfer to a virtual account reaches the right one', async () => {
    const funder = await Funder.of(b);
    const { id } = await funder.opened();
    const arrival = funder.arrival(id);
    funder.answering(() => ({
      outcome: 'received',
      ...arrival,
      payer: { name: 'ADA OBI', bank: 'GTB', accountNumber: '0123456789' },
      sessionId: '000013',
      arrivedAt: new Date(),
    }));
    expect(await tell('virtual-accounts/sandbox', funder.bank.callback(arrival))).toEqual([200, { received: true }]);
    expect(await funder.balance()).toBe(50_000);
  });

  it('is checked where it arrives: what is forged goes no further', async () => {
    const payer = await Payer.of(b);
    const payment = await payer.asked();
    const right = payer.signed(payment.id);
    const watch = watchStatements();
    const forged = { ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) };
    expect((await tell('sandbox_card', forged))[0]).toBe(401);
    expect(watch.of(b)).toEqual([]);
    watch.end();
  });

  it('comes again when the right cell is away, and of what nobody knows is taken as ever', async () => {
    const payer = await Payer.of(cells.of.c);
    const payment = await payer.asked();
    const callback = payer.signed(payment.id);
    await cells.of.c.app.close();
    expect(await tell('sandbox_card', callback)).toMatchObject([503, { code: 'service_unavailable' }]);
    await cells.restart('c');
    expect(await tell('sandbox_card', callback)).toEqual([200, { received: true }]);
    const nobody = b.get<SandboxCalls>(SandboxCalls).callback('sandbox', '01890a5d-ac96-774b-bcce-b302099a8f57', 'x');
    expect(await tell('purchases/sandbox', nobody)).toEqual([200, { received: true }]);
  });
});

describe('an issuer', () => {
  it('that asks another cell about a card is answered by the one that keeps it', async () => {
    const { id } = await b.account();
    const live = b.api(await b.key({ accountId: id, livemode: true }));
    const wallet = await live.wallet(0, 'USD');
    await b.fund(wallet, 1_000_000n);
    const customer = (await live.post('/v4/customers', cardholder())).body.id;
    await b.asOwner(
      `UPDATE customers SET kyc_status = 'verified', kyc_tier = 3, kyc_reference = id, kyc_provider = 'test',
              kyc_verified_at = now()`,
    );
    await b.get<DataSource>(DataSource).query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position)
         VALUES ('cards', '*', true, 'stripe', 1)`,
    );
    const order = { customer_id: customer, currency: 'USD', amount: 5_000, funding_wallet_id: wallet };
    const card = (await live.post('/v4/cards/issue', order)).body;
    const [theirs] = [...company.cards.keys()];
    const balance = async () => {
      const { available, held } = (await live.get(`/v4/cards/${card.id}`)).body.balance;
      return [available, held];
    };
    const authorization = (await company.network.authorize({ card: theirs!, amount: '1250' }))!;
    expect(authorization).toMatchObject({ approved: true, amount: 1_250 });
    expect(await balance()).toEqual([3_750, 1_250]);
    await company.network.capture(authorization, { capture_amount: '1250' });
    expect(await balance()).toEqual([3_750, 0]);
    expect(await company.network.authorize({ card: theirs!, amount: '4001' })).toMatchObject({ approved: false });
  });
});

describe('a secret in a body', () => {
  it('of a key that is given back ends the key, wherever it is sent', async () => {
    const { api, key } = await b.account();
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ token: key });
    expect((await fetch(`${a.url}/device/revoke`, { method: 'POST', headers, body })).status).toBe(200);
    await until(async () => (await api.get('/v4/wallets')).status === 401);
  });
});

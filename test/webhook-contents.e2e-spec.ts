import { until } from './support/recurring-probe';
import { WebhookBench } from './support/webhook-bench';

const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start({});
});
afterAll(() => bench.stop());
beforeEach(() => bench.begin());
afterEach(() => bench.end());

it('meter tokens are masked but for endpoints that asked for them whole', async () => {
  const { api } = bench.account;
  await bench.credit(10_000_000);
  const [masked, whole] = [
    await bench.listen({ events: ['transaction.successful'] }),
    await bench.listen({ events: ['transaction.successful'], includeSecrets: true }),
  ];
  const { body: validation } = await api.post('/v4/bills/validate', METER);
  const { body: bill } = await api.post('/v4/bills/pay', { ...METER, amount: 1_000_000, validation_id: validation.id });
  await until(() => masked.received.length === 1 && whole.received.length === 1);
  const tokensOf = ({ received: [first] }: typeof masked): string[] =>
    first!.body.data.object.details.tokens.map(({ value }: { value: string }) => value);
  const { body: shown } = await api.get(`/v4/transactions/${bill.id}`);
  expect(tokensOf(whole)).toEqual(shown.details.tokens.map(({ value }: { value: string }) => value));
  for (const value of tokensOf(whole)) expect(value).toMatch(/^\d{20}$/);
  for (const value of tokensOf(masked)) expect(value).toMatch(/^\*{16}\d{4}$/);
});

describe('a sample event', () => {
  const trigger = async (type: string, key?: string): Promise<{ status: number; body: any }> => {
    const headers = {
      authorization: `Bearer ${bench.account.key}`,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    };
    const answer = await fetch(`${bench.duka.url}/v4/sandbox/events/trigger`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ type }),
    });
    return { status: answer.status, body: await answer.json() };
  };

  it('is sent like any other, about something real, and changes nothing', async () => {
    const all = await bench.listen({ events: ['*'] });
    const before = (await bench.account.api.get(`/v4/wallets/${bench.wallet}`)).body;
    const { status, body } = await trigger('wallet.frozen', 'once');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'wallet.frozen',
      data: { object: { id: bench.wallet, status: 'frozen' } },
      request: { idempotency_key: 'once' },
    });
    await until(() => all.received.length === 1);
    expect(all.verify(all.received[0]!)).toEqual(body);
    expect((await bench.account.api.get(`/v4/wallets/${bench.wallet}`)).body).toEqual(before);
    expect((await trigger('wallet.frozen', 'once')).body).toEqual(body);
    expect((await trigger('wallet.credited', 'once')).status).toBe(422);
    expect((await trigger('wallet.credited')).status).toBe(201);
    await until(() => all.received.length === 2);
  });

  it('needs something to be about', async () => {
    const { status, body } = await trigger('transaction.failed');
    expect([status, body.code]).toEqual([409, 'nothing_to_trigger']);
    expect((await trigger('nothing.at_all')).status).toBe(400);
    await bench.credit();
    const { body: transfer } = await bench.account.api.transfer(bench.wallet, await bench.account.api.wallet(), 10);
    expect((await trigger('transfer.successful')).body.data.object.id).toBe(transfer.id);
  });
});

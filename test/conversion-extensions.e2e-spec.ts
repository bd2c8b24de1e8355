import { Injectable } from '@nestjs/common';
import { Filter, OnHook } from '../src/core/extension/decorators';
import type { AfterPayment, BeforePayment, Verdict } from '../src/core/extension/points';
import { decodeId } from '../src/core/http/ids';
import type { SpreadContext } from '../src/modules/conversions/rates.service';
import { Duka, type TestAccount } from './support/duka';
import { extendWith } from './support/extension-probe';
import { until } from './support/recurring-probe';

const asked: BeforePayment[] = [];
const told: AfterPayment[] = [];
const spreads: SpreadContext[] = [];
let verdict: Verdict;
let spread: unknown;

@Injectable()
class Probe {
  @OnHook('svc_before_payment', { id: 'test.gate', operations: ['conversion'] })
  gate(payment: BeforePayment): Verdict {
    asked.push(payment);
    return verdict;
  }

  @OnHook('svc_after_payment', { id: 'test.after', operations: ['conversion'] })
  after(payment: AfterPayment): void {
    told.push(payment);
  }

  @Filter('svc_fx_spread', { id: 'test.spread' })
  spread(basisPoints: number, context: SpreadContext): number {
    spreads.push(context);
    return (spread ?? basisPoints) as number;
  }
}

let duka: Duka;
let account: TestAccount;
let order: { quote_id: string; from_wallet: string; to_wallet: string };

beforeAll(async () => {
  extendWith(Probe);
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  [asked.length, told.length, spreads.length] = [0, 0, 0];
  [verdict, spread] = [undefined, undefined];
  account = await duka.account();
  order = {
    quote_id: (await quote()).id,
    from_wallet: await account.api.wallet(10_000, 'USD'),
    to_wallet: await account.api.wallet(),
  };
});

const quote = async (): Promise<any> =>
  (await account.api.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 1_000 })).body;

it('a gate sees the conversion, its veto stops it without a trace, and the quote stays good', async () => {
  verdict = { veto: true, code: 'not_today', message: 'Markets are closed.' };
  const before = await duka.totals();
  const { status, body } = await account.api.post('/v4/conversions', order);
  expect([status, body.detail]).toEqual([422, expect.stringContaining('Markets are closed.')]);
  expect(await duka.totals()).toEqual(before);
  expect(asked).toMatchObject([
    {
      operation: 'conversion',
      objectType: 'cnv',
      dryRun: false,
      draft: {
        amount: 1_000n,
        currency: 'USD',
        walletId: decodeId('wal', order.from_wallet),
        details: { to_currency: 'NGN', buy_amount: '1542250', rate: '1542.25' },
      },
    },
  ]);
  verdict = undefined;
  expect((await account.api.post('/v4/conversions', { ...order, dry_run: true })).status).toBe(200);
  const { body: made } = await account.api.post('/v4/conversions', order);
  expect(asked.map(({ dryRun }) => dryRun)).toEqual([false, true, false]);
  expect(asked[2]!.objectId).toBe(decodeId('cnv', made.id));
});

it('what the books would refuse no gate is asked about', async () => {
  const empty = await account.api.wallet(0, 'USD');
  expect((await account.api.post('/v4/conversions', { ...order, from_wallet: empty })).status).toBe(402);
  expect(asked).toEqual([]);
});

it('observers are told of it', async () => {
  const { body } = await account.api.post('/v4/conversions', order);
  // Of conversions of the cases before, the observer may be told only now.
  const mine = () => told.filter(({ objectId }) => objectId === decodeId('cnv', body.id));
  await until(() => mine().length > 0);
  expect(mine()).toMatchObject([{ operation: 'conversion', type: 'conversion.successful' }]);
});

it('a filter sets the spread; what is no spread is left out', async () => {
  spread = 0;
  expect((await quote()).rate).toBe('1550');
  expect(spreads.at(-1)).toEqual({
    accountId: decodeId('acct', account.id),
    livemode: false,
    fromCurrency: 'USD',
    toCurrency: 'NGN',
  });
  for (const wrong of [-1, 5_001, 0.5, '10']) {
    spread = wrong;
    expect((await quote()).rate).toBe('1542.25');
  }
});

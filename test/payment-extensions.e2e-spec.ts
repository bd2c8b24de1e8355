import { Injectable } from '@nestjs/common';
import { Filter, OnHook } from '../src/core/extension/decorators';
import type {
  AfterPayment,
  BeforePayment,
  GatewayChoice,
  GatewayContext,
  OnErrorContext,
  Verdict,
} from '../src/core/extension/points';
import type { Money } from '../src/core/money/money';
import { decodeId } from '../src/core/http/ids';
import { Duka } from './support/duka';
import { extendWith } from './support/extension-probe';
import { Payer } from './support/payer';
import { until } from './support/recurring-probe';

const asked: BeforePayment[] = [];
const told: AfterPayment[] = [];
const errors: OnErrorContext[] = [];
let verdict: Verdict;
let fee: (listed: Money) => Money = (listed) => listed;
let choose: (list: readonly GatewayChoice[]) => readonly GatewayChoice[] = (list) => list;

@Injectable()
class Probe {
  @OnHook('svc_before_payment', { id: 'test.gate', operations: ['payment'] })
  gate(payment: BeforePayment): Verdict {
    asked.push(payment);
    return verdict;
  }

  @Filter('svc_transaction_fee', { id: 'test.fee', operations: ['payment'] })
  fee(listed: Money): Money {
    return fee(listed);
  }

  @Filter('svc_payment_gateway', { id: 'test.gateways', operations: ['payment'] })
  gateways(list: readonly GatewayChoice[], _: GatewayContext): readonly GatewayChoice[] {
    return choose(list);
  }

  @OnHook('svc_after_payment', { id: 'test.after', operations: ['payment'] })
  after(payment: AfterPayment): void {
    told.push(payment);
  }

  @OnHook('svc_on_error', { id: 'test.errors' })
  error(error: OnErrorContext): void {
    errors.push(error);
  }
}

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  extendWith(Probe);
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
  [asked.length, told.length, errors.length] = [0, 0, 0];
  [verdict, fee, choose] = [undefined, (listed) => listed, (list) => list];
});

it('a gate sees the payment, and its veto stops it without a trace', async () => {
  verdict = { veto: true, code: 'too_fast', message: 'Slow down.' };
  const before = await duka.totals();
  const { status, body } = await payer.create({ reference: 'vetoed', metadata: { a: 'b' } }, 'vetoed');
  expect([status, body.code, body.detail]).toEqual([422, 'blocked_by_hook', 'Slow down. (test.gate: too_fast)']);
  expect(asked[0]).toMatchObject({
    operation: 'payment',
    livemode: false,
    dryRun: false,
    draft: {
      amount: 100_000n,
      currency: 'NGN',
      walletId: decodeId('wal', payer.wallet),
      reference: 'vetoed',
      metadata: { a: 'b' },
    },
  });
  expect(await duka.totals()).toEqual(before);
  verdict = undefined;
  expect((await payer.create({ reference: 'vetoed', metadata: { a: 'b' } }, 'vetoed')).status).toBe(201);
});

it('a replay asks nobody; a dry run asks and says so', async () => {
  await payer.create({ reference: 'again' });
  asked.length = 0;
  verdict = { veto: true, code: 'x', message: 'No.' };
  expect((await payer.create({ reference: 'again' })).status).toBe(200);
  expect(asked).toEqual([]);
  expect((await payer.create({ dry_run: true })).body.code).toBe('blocked_by_hook');
  expect(asked[0]!.dryRun).toBe(true);
});

it('a filter sets the fee that is kept, and is named', async () => {
  fee = ({ currency }) => ({ amount: 250n, currency });
  const payment = await payer.asked();
  expect([payment.fee, payment.details.breakdown]).toEqual([
    250,
    [
      { kind: 'fee', amount: 1_500, by: 'fee_table' },
      expect.objectContaining({
        kind: 'fee_filter',
        by: 'test.fee',
        before: expect.anything(),
        after: expect.anything(),
      }),
    ],
  ]);
  fee = (listed) => listed;
  await payer.complete(payment.id, 'successful');
  expect(await payer.balance()).toBe(99_750);
});

it('a fee that leaves nothing is refused', async () => {
  fee = ({ currency }) => ({ amount: 100_000n, currency });
  expect((await payer.create()).body).toMatchObject({ code: 'amount_out_of_range', param: '/amount' });
});

it('a filter reorders, removes and sets options of gateways; what is left can be chosen', async () => {
  choose = (list) => list.toReversed();
  expect((await payer.asked()).available_gateways).toEqual(['sandbox_bank_transfer', 'sandbox_card']);
  choose = (list) =>
    list.filter(({ name }) => name === 'sandbox_card').map((one) => ({ ...one, options: { theme: 'dark' } }));
  const payment = await payer.asked();
  expect([payment.available_gateways, payment.gateway]).toEqual([['sandbox_card'], 'sandbox_card']);
  expect((await payer.create({ gateway: 'sandbox_bank_transfer' })).body.param).toBe('/gateway');
  const open = jest.spyOn(payer.bank, 'open');
  await payer.start(payment);
  expect(open.mock.calls[0]![1]).toMatchObject({ options: { theme: 'dark' } });
  choose = () => [];
  expect((await payer.create()).body.code).toBe('provider_unavailable');
});

it('observers hear of what is final, and of what goes wrong', async () => {
  const payment = await payer.asked();
  await payer.complete(payment.id, 'failed');
  // Of a payment of the cases before, the observer may be told only now.
  const mine = () => told.filter(({ objectId }) => objectId === decodeId('pay', payment.id));
  await until(() => mine().length > 0);
  expect(mine()).toMatchObject([{ operation: 'payment', type: 'payment.failed', objectType: 'pay' }]);
  await until(() => errors.length > 0);
  expect(errors[0]).toMatchObject({
    operation: 'payment',
    error: { stage: 'provider', by: 'sandbox_card', code: 'payment_declined', outcome: 'failed' },
  });
});

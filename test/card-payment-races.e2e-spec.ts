import { jest } from '@jest/globals';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { LedgerAccountsService } from '../src/modules/ledger/accounts.service';
import { PaymentRun } from '../src/modules/payments/payment-run';
import { GatewayClient } from '../src/modules/payments/gateway-client';
import { SandboxBank } from '../src/modules/payments/sandbox/sandbox.provider';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';
import { Payer } from './support/payer';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
afterEach(() => jest.restoreAllMocks());

it('a refund that arrives just when an ended card was put away goes on to the wallet', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const { id } = await network.done('authorization', { amount: 500 });
  await network.step('clearing', id);
  const before = await network.wallet();
  const setStatus = jest.spyOn(duka.get<LedgerAccountsService>(LedgerAccountsService), 'setStatus');
  const unitOfWork = duka.get<UnitOfWork>(UnitOfWork);
  const run = unitOfWork.run.bind(unitOfWork);
  let refund: Promise<{ status: number }> | null = null;
  jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
    const result = await run(work);
    if (refund === null && setStatus.mock.calls.length > 0) await (refund = network.step('refund', id, 500));
    return result as any;
  });
  await network.api.post(`/v4/cards/${network.card}/terminate`);
  await network.pass(1);
  expect((await refund!).status).toBe(201);
  await network.pass(20);
  expect([(await network.wallet()) - before, await network.balance()]).toEqual([1_000, [0, 0]]);
});

it('a callback counts also when its process dies at once, and another one is at work on what was before', async () => {
  const payer = await Payer.of(duka);
  const { id } = await payer.asked();
  expect((await payer.complete(id, 'successful')).body.status).toBe('successful');
  const calls = duka.get<GatewayClient>(GatewayClient);
  const query = calls.query.bind(calls);
  const checks = duka.get<PaymentRun>(PaymentRun);
  const spied = jest.spyOn(calls, 'query').mockImplementationOnce(async (payment) => {
    const answer = await query(payment);
    // The gateway gives the money back and says so; who hears it dies before it has looked.
    await payer.decide(id, 'reversed');
    const look = jest.spyOn(checks, 'look').mockRejectedValueOnce(new Error('killed'));
    expect((await payer.call(payer.signed(id, 'reversed'))).status).toBe(200);
    look.mockRestore();
    return answer;
  });
  expect((await payer.call(payer.signed(id))).status).toBe(200);
  expect(spied).toHaveBeenCalled();
  await payer.advance(60);
  expect([(await payer.get(id)).status, await payer.balance()]).toEqual(['reversed', 0]);
});

it('completing a payment may be asked again when the gateway did not say whether it opened an order', async () => {
  const payer = await Payer.of(duka);
  const { id } = await payer.asked();
  jest.spyOn(duka.get<SandboxBank>(SandboxBank), 'open').mockRejectedValueOnce(new Error('socket hang up'));
  const { status, body } = await payer.complete(id, 'successful');
  expect([status, body.code, body.retryable]).toEqual([503, 'provider_unavailable', true]);
  expect((await payer.complete(id, 'successful')).body.status).toBe('successful');
  expect(await payer.balance()).toBe(98_500);
});

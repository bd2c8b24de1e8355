import { encodeId, newId } from '../../src/core/http/ids';
import { SandboxBank, SandboxBankTransfer, SandboxCard } from '../../src/modules/payments/sandbox/sandbox.provider';
import type { Gateway, GatewayOrder } from '../../src/modules/payments/gateway';
import { Duka } from '../support/duka';
import { gatewayContract } from './gateway-contract';
import type { GatewayDeed, GatewayRig } from './gateway-rules';

const OUTCOMES: Partial<Record<GatewayDeed, string>> = {
  pays: 'successful',
  declines: 'failed',
  gives_back: 'reversed',
  gives_back_a_part: 'partially_reversed',
  keeps_the_money: 'successful',
};

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

describe.each([
  ['sandbox_card', SandboxCard],
  ['sandbox_bank_transfer', SandboxBankTransfer],
] as const)('%s', (name, type) => {
  gatewayContract('of the sandbox', (): GatewayRig => {
    const bank = duka.get<SandboxBank>(SandboxBank);
    const gateway = duka.get<Gateway>(type);
    const deeds = new Map<string, GatewayDeed>();
    return {
      // The person decides once the order is open.
      gateway: {
        start: async (order, signal) => {
          const result = await gateway.start(order, signal);
          const outcome = OUTCOMES[deeds.get(order.reference)!];
          if (outcome !== undefined)
            await bank.decide({ accountId: order.accountId, livemode: false, id: order.paymentId }, outcome);
          return result;
        },
        query: (...asked) => gateway.query(...asked),
        verify: (callback) => gateway.verify(callback),
        refund: (...asked) => gateway.refund!(...asked),
        findRefund: (...asked) => gateway.findRefund!(...asked),
      },
      refund: (payment) => ({
        reference: newId(),
        payment,
        paymentReference: 'p',
        amount: deeds.get(payment.reference) === 'keeps_the_money' ? 902n : 1_000n,
        currency: 'NGN',
        reason: null,
      }),
      order: (deed): GatewayOrder => {
        const paymentId = newId();
        const reference = encodeId('pay', paymentId);
        deeds.set(reference, deed);
        return {
          reference,
          accountId: newId(),
          livemode: false,
          paymentId,
          amount: 5_000n,
          currency: 'NGN',
          description: null,
          customer: null,
          options: {},
          returnUrl: 'http://localhost/checkout/t/return',
          expiresAt: new Date(),
        };
      },
      callback: (order) => bank.callback(name, order.reference, 'successful'),
      cannot: ['refuses', 'locks_us_out', 'stays_silent', 'talks_nonsense'],
    };
  });
});

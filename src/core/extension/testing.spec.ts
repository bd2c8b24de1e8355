import type { Money } from '../money/money';
import { Filter, OnHook } from './decorators';
import type { FeeContext } from './points';
import { ExtensionKit, sampleOutcome, samplePayment } from './testing';

const FEE: Money = { amount: 1n, currency: 'NGN' };

class Bad {
  @Filter('svc_transaction_fee', { id: 'test.fee' })
  fee(fee: Money, { draft }: FeeContext): Money {
    if (draft.reference === 'throw') throw new Error('on purpose');
    if (draft.reference === 'mutate') Object.assign(fee, { amount: 0n });
    return { ...fee, amount: -1n };
  }

  @OnHook('svc_before_payment', { id: 'test.gate', timeoutMs: 10 })
  slow(): Promise<void> {
    return new Promise(() => undefined);
  }

  @OnHook('svc_after_payment', { id: 'test.after' })
  async after(): Promise<void> {
    throw new Error('on purpose');
  }
}

// The service would go on without such a handler; a team must hear of it.
it('fails the test of a handler that fails', async () => {
  const kit = ExtensionKit.with(new Bad());
  const fee = (reference: string) => kit.filter('svc_transaction_fee', FEE, samplePayment({ draft: { reference } }));
  await expect(fee('')).rejects.toThrow('its result is not used: it is not an amount of 0 or more minor units');
  await expect(fee('throw')).rejects.toMatchObject({ code: 'threw', cause: new Error('on purpose') });
  await expect(fee('mutate')).rejects.toMatchObject({ code: 'threw', cause: expect.any(TypeError) });
  await expect(kit.gate('svc_before_payment', samplePayment())).rejects.toThrow('it took longer than 10 ms');
  await expect(kit.observe('svc_after_payment', sampleOutcome())).rejects.toMatchObject({ code: 'threw' });
});

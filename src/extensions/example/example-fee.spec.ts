import { ExtensionKit, samplePayment } from '../../core/extension/testing';
import type { Money } from '../../core/money/money';
import { ExampleFee } from './example-fee';

const FEE: Money = { amount: 10_000n, currency: 'NGN' };
const kit = ExtensionKit.with(new ExampleFee());

it('takes the fee off a payment that asks for it, and says so', async () => {
  const payment = samplePayment({ draft: { metadata: { example: 'free' } } });
  expect(await kit.filter('svc_transaction_fee', FEE, payment)).toEqual({
    value: { amount: 0n, currency: 'NGN' },
    changes: [{ by: 'example.free-fee', before: 10_000, after: 0 }],
  });
});

it('leaves every other fee, and all of live mode, as it is', async () => {
  const live = samplePayment({ livemode: true, draft: { metadata: { example: 'free' } } });
  for (const payment of [samplePayment(), live]) {
    expect(await kit.filter('svc_transaction_fee', FEE, payment)).toEqual({ value: FEE, changes: [] });
  }
});

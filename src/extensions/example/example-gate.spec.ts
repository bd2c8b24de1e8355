import { ExtensionKit, samplePayment } from '../../core/extension/testing';
import { ExampleGate } from './example-gate';

const kit = ExtensionKit.with(new ExampleGate());

it('stops a payment that asks for it', async () => {
  const payment = samplePayment({ draft: { metadata: { example: 'veto' } } });
  await expect(kit.gate('svc_before_payment', payment)).rejects.toMatchObject({
    by: 'example.gate',
    details: { code: 'blocked_by_hook' },
  });
});

it('lets every other payment pass, and all of live mode', async () => {
  await kit.gate('svc_before_payment', samplePayment());
  await kit.gate('svc_before_payment', samplePayment({ livemode: true, draft: { metadata: { example: 'veto' } } }));
});

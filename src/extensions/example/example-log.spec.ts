import { Logger } from '@nestjs/common';
import { ExtensionKit, sampleOutcome } from '../../core/extension/testing';
import { ExampleLog } from './example-log';

it('writes a line about a payment that is final', async () => {
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  await ExtensionKit.with(new ExampleLog()).observe('svc_after_payment', sampleOutcome());
  const line = {
    message: 'a bill payment is final',
    type: 'transaction.successful',
    event: expect.stringMatching(/^evt_/),
    object: expect.stringMatching(/^txn_/),
  };
  expect(log.mock.calls).toEqual([[line]]);
});

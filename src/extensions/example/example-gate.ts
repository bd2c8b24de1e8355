import { Injectable } from '@nestjs/common';
import { OnHook } from '../../core/extension/decorators';
import type { BeforePayment, Verdict } from '../../core/extension/points';

/** Stops a bill payment of the sandbox that says `{"example": "veto"}`. */
@Injectable()
export class ExampleGate {
  @OnHook('svc_before_payment', { id: 'example.gate', operations: ['bill_payment'] })
  check({ livemode, draft }: BeforePayment): Verdict {
    if (livemode || draft.metadata.example !== 'veto') return;
    return { veto: true, code: 'example_veto', message: 'The metadata of this payment asks for a veto.' };
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { OnHook } from '../../core/extension/decorators';
import type { AfterPayment } from '../../core/extension/points';
import { encodeId } from '../../core/http/ids';

/** Writes a line about each bill payment that is final. */
@Injectable()
export class ExampleLog {
  private readonly log = new Logger('example');

  @OnHook('svc_after_payment', { id: 'example.log', operations: ['bill_payment'] })
  note({ eventId, type, objectType, objectId }: AfterPayment): void {
    this.log.log({
      message: 'a bill payment is final',
      event: encodeId('evt', eventId),
      type,
      object: encodeId(objectType, objectId),
    });
  }
}

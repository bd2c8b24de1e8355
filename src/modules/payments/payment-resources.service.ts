import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { Presents, type Viewer } from '../../core/resources/resources';
import { CheckoutLinks } from './checkout/checkout-links';
import { PaymentDryRuns } from './payment-dry-runs.service';
import { PaymentReads } from './payment-reads.service';
import { PaymentDto } from './payment.dto';
import type { Payment } from './payment.entity';

/** Shows payments. */
@Injectable()
export class PaymentResources {
  constructor(
    private readonly reads: PaymentReads,
    private readonly links: CheckoutLinks,
    private readonly dryRuns: PaymentDryRuns,
  ) {}

  @Presents('pay', 'payments:read')
  async payment(viewer: Viewer, id: string): Promise<PaymentDto> {
    return this.show(await this.reads.require(viewer, encodeId('pay', id)));
  }

  show(payment: Readonly<Payment>): PaymentDto {
    return PaymentDto.of(payment, this.links.urlOf(payment));
  }

  /** A payment that a dry run would record, with the lines that its success would write. Throws `PostingRefused`. */
  async preview(payment: Readonly<Payment>): Promise<PaymentDto> {
    return PaymentDto.ofPreview(payment, await this.dryRuns.linesOf(payment));
  }
}

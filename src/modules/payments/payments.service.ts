import { Injectable } from '@nestjs/common';
import { Extensions } from '../../core/extension/extensions';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import { KeylessRequests } from '../accounts/keyless.service';
import { PaymentReads } from './payment-reads.service';
import type { NewPayment } from './payment-request.dto';
import { PaymentRequests } from './payment-requests.service';
import { type PaymentTerms, PaymentTermsService } from './payment-terms.service';
import type { Payment } from './payment.entity';

export interface PaymentResult {
  readonly payment: Payment;
  readonly replayedBy: Replay['by'] | null;
}

/** Asks for money on behalf of accounts. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly keyless: KeylessRequests,
    private readonly terms: PaymentTermsService,
    private readonly extensions: Extensions,
    private readonly requests: PaymentRequests,
    readonly reads: PaymentReads,
  ) {}

  /**
   * Records a payment that somebody is to make. A request that was seen before is answered with its payment, and nobody is
   * asked again. Throws what `PaymentTermsService.of` throws, `BlockedByHook`, `GateUnavailable`, `IdempotencyKeyReused`,
   * `DuplicateReference`.
   */
  async create(caller: Caller, order: NewPayment, request: RequestClaim): Promise<PaymentResult> {
    // A second request for money moves none: it is not stopped, but where accounts demand a key.
    await this.keyless.likeness(
      caller,
      { key: request.key, reference: order.reference, allowDuplicate: true },
      () => '',
    );
    const seen = await this.requests.replayOf(caller, order, request);
    if (seen !== null) return this.reads.replayed(caller, seen);
    const payment = draftOf(caller, order, { terms: await this.agree(caller, order, false), key: request.key });
    const replay = await this.requests.record(payment, request);
    return replay ? this.reads.replayed(caller, replay) : { payment, replayedBy: null };
  }

  /** What `create` would record now; writes nothing. */
  async preview(caller: Caller, order: NewPayment): Promise<Payment> {
    return draftOf(caller, order, { terms: await this.agree(caller, order, true), key: null });
  }

  private async agree(caller: Caller, order: NewPayment, dryRun: boolean): Promise<PaymentTerms> {
    const { terms, context } = await this.terms.of(caller, order, dryRun);
    if (!this.extensions.isEmpty('svc_before_payment', 'payment')) await this.extensions.gate(context);
    return terms;
  }
}

function draftOf(
  { accountId, livemode, requestId }: Caller,
  order: NewPayment,
  { terms, key }: { terms: PaymentTerms; key: string | null },
): Payment {
  const { amount, currency, reference, description, customer, callbackUrl, metadata, gateway } = order;
  const { walletId, fee, breakdown, offer, expiresAt } = terms;
  return {
    accountId,
    livemode,
    id: newId(),
    status: 'pending',
    amount,
    fee,
    currency,
    walletId,
    gateways: gateway === null ? [...offer.names] : [gateway],
    options: { ...offer.options },
    gateway: null,
    gatewayReference: null,
    page: null,
    reference,
    description,
    customer,
    callbackUrl,
    metadata: { ...metadata },
    breakdown,
    amountReceived: null,
    currencyReceived: null,
    amountRefunded: 0n,
    reversals: [],
    resolution: null,
    creditWalletId: null,
    failure: null,
    review: null,
    reviews: 0,
    transactionId: null,
    expiresAt,
    paidAt: null,
    nextCheckAt: expiresAt,
    checks: 0,
    version: 1,
    requestId,
    idempotencyKey: key,
    updatedAt: new Date(),
  };
}

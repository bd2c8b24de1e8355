import { Injectable } from '@nestjs/common';
import { DomainError, FieldRefused } from '../../core/errors/domain-error';
import { Extensions, type Pass } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { AccountsService } from '../accounts/accounts.service';
import { FeesService, type Priced } from '../accounts/fees.service';
import { WalletsService } from '../wallets/wallets.service';
import { type Choice, ProviderUnavailable, Routes } from '../../providers/routes';
import type { Gateway, GatewaySettings } from './gateway';
import { PaymentReads } from './payment-reads';
import { PaymentStore } from './payment-store';
import type { NewPayment } from './payment.dto';
import type { Payment } from './payment.entity';

export class WalletOfOtherCurrency extends DomainError {
  constructor(walletId: string, currency: string) {
    super({
      code: 'currency_mismatch',
      kind: 'unprocessable',
      title: 'Currency mismatch',
      param: '/wallet_id',
      detail: `${walletId} does not hold ${currency}.`,
    });
  }
}

class ClosedWallet extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'wallet_closed',
      kind: 'conflict',
      title: 'Wallet closed',
      param: '/wallet_id',
      recovery: 'none',
      detail: `${walletId} is closed.`,
    });
  }
}

/** What is agreed before a payment is recorded. */
export interface PaymentTerms extends Priced {
  readonly walletId: string;
  readonly offer: Choice;
  readonly expiresAt: Date;
  /** What the payment will be called. */
  readonly id: string;
  /** That of the gates. */
  readonly pass: Pass;
}

/** Asks for money on behalf of accounts. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly fees: FeesService,
    private readonly routes: Routes,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
    private readonly store: PaymentStore,
    private readonly reads: PaymentReads,
  ) {}

  /**
   * Records a payment that somebody is to make. A request that was seen before is answered with its payment, and nobody
   * is asked again. Throws `NotFound`, `NoWallet`, `WalletOfOtherCurrency`, `ClosedWallet`, `FieldRefused`,
   * `ProviderUnavailable`, `BlockedByHook`, `GateUnavailable`, `IdempotencyKeyReused`, `DuplicateReference`.
   */
  async create(caller: Caller, order: NewPayment, request: RequestClaim): Promise<Made<Payment>> {
    // A second request for money moves none: it is not stopped, but where accounts demand a key.
    await this.accounts.likenessOf(
      caller,
      { key: request.key, reference: order.reference, allowDuplicate: true },
      () => '',
    );
    const { accountId, livemode } = caller;
    const claim = { accountId, livemode, ...request, reference: order.reference, resource: 'pay' } as const;
    const seen = await this.idempotency.replayOf({ ...claim, resourceId: '' });
    if (seen !== null) return this.reads.replayed(caller, seen);
    const terms = await this.agree(caller, order, false);
    const payment = draftOf(caller, order, { terms, key: request.key });
    const replay = await terms.pass.make(
      () =>
        this.idempotency.once({ ...claim, resourceId: payment.id }, (tx) =>
          this.store.insert(tx, payment, terms.pass.writes),
        ),
      (earlier) => earlier === null,
    );
    return replay ? this.reads.replayed(caller, replay) : { made: payment, replayedBy: null };
  }

  /** What `create` would record now; writes nothing. */
  async preview(caller: Caller, order: NewPayment): Promise<Payment> {
    return draftOf(caller, order, { terms: await this.agree(caller, order, true), key: null });
  }

  /**
   * Which wallet is credited, what it costs, which gateways are offered; then the gates. Reads only, and no transaction
   * is open.
   */
  private async agree(caller: Caller, order: NewPayment, dryRun: boolean): Promise<PaymentTerms> {
    const walletId = await this.walletOf(caller, order);
    // Before the id, which is when the payment was made.
    const expiresAt = new Date((await this.store.now(caller)).getTime() + order.expiresIn * 1_000);
    const context = contextOf(caller, order, walletId, dryRun);
    const { fee, breakdown } = await this.fees.priced('payment', context);
    if (fee >= order.amount)
      throw new FieldRefused('/amount', `The fee of ${fee} would leave nothing of ${order.amount}.`, {
        code: 'amount_out_of_range',
      });
    const offer = await this.offer(context, order.gateway);
    const pass = await this.extensions.gate(context);
    return {
      id: context.objectId,
      pass,
      walletId,
      expiresAt,
      offer,
      fee,
      breakdown: [...breakdown, ...offer.changes.map((change) => ({ kind: 'gateway_filter', ...change }))],
    };
  }

  /** Between which gateways the payer may choose. `wanted`: the one that the account asks for. */
  private async offer(context: PaymentContext, wanted: string | null): Promise<Choice> {
    const { currency } = context.draft;
    const offer = await this.routes.choose<Gateway, GatewaySettings>(
      { product: 'payment', network: currency },
      context,
      {
        nobody: `no gateway takes payments in ${currency} now`,
        suits: ({ currencies }) => !currencies?.length || currencies.includes(currency),
      },
    );
    if (offer.names.length === 0) throw new ProviderUnavailable(`No gateway takes payments in ${currency}`);
    if (wanted !== null && !offer.names.includes(wanted))
      throw new FieldRefused('/gateway', `gateway must be one of ${offer.names.join(', ')}.`);
    return offer;
  }

  private async walletOf(caller: Caller, { walletId, currency }: NewPayment): Promise<string> {
    if (walletId === null) return this.wallets.requireOldest(caller, currency);
    const wallet = await this.wallets.require(caller, decodeId('wal', walletId));
    if (wallet.currency !== currency) throw new WalletOfOtherCurrency(walletId, currency);
    if (wallet.status === 'closed') throw new ClosedWallet(walletId);
    return wallet.id;
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
    id: terms.id,
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
    gatewayFee: null,
    currencyReceived: null,
    amountRefunded: 0n,
    refundsMade: 0n,
    refundsRunning: 0n,
    onUnderpaid: order.onUnderpaid,
    onOverpaid: order.onOverpaid,
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

const contextOf = (
  { accountId, livemode, requestId }: Caller,
  order: NewPayment,
  walletId: string,
  dryRun: boolean,
): PaymentContext => ({
  operation: 'payment',
  accountId,
  livemode,
  objectType: 'pay',
  objectId: newIdOf(accountId),
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: order.currency,
    walletId,
    recipient: walletId,
    network: null,
    reference: order.reference,
    metadata: order.metadata,
    details: { description: order.description, customer: order.customer, gateway: order.gateway },
  },
});

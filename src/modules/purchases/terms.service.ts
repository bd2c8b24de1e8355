import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../core/clock/clock';
import { DomainError, FieldRefused, found } from '../../core/errors/domain-error';
import { Extensions, type Pass } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, newIdOf } from '../../core/http/ids';
import { AMOUNT_MAX, toJsonNumber } from '../../core/money/money';
import { type Choice, ProviderUnavailable, Routes } from '../../providers/routes';
import { FeesService } from '../accounts/fees.service';
import { type Cost, totalOf } from '../../core/money/bought';
import { type Exchange, ExchangeService } from '../conversions/exchange.service';
import { WalletsService } from '../wallets/wallets.service';
import { ProviderClient } from './provider-client';
import type { Provider } from './purchases.provider';
import type { NewPurchase } from './running';
import { PRODUCTS } from '../../vocabulary/products';

/** How long an account's wallet is remembered as the one that pays when none is named. */
const WALLET_STALE_MS = 5_000;
const WALLETS_MAX = 10_000;

/** What an order costs and who is asked for it, in order. */
export interface Terms {
  /** What the transaction will be called. */
  readonly id: string;
  readonly walletId: string;
  /** What leaves the wallet, in its own currency. */
  readonly paid: Cost;
  /** What is held of that. */
  readonly total: bigint;
  /** For `details`: where fee and commission come from, and what is converted. */
  readonly details: { readonly breakdown: readonly object[] };
  /** Where the wallet is in another currency than what is bought. */
  readonly exchange: Exchange | null;
  readonly route: Choice;
  /** How far the account's clock is ahead. */
  readonly clockOffsetMs: number;
  /** That of the gates. */
  readonly pass: Pass;
}

/** Works out what an order costs, which wallet pays, and who is asked. Reads only. */
@Injectable()
export class TermsService {
  private readonly payers = new LRUCache<string, string>({ max: WALLETS_MAX, ttl: WALLET_STALE_MS });

  constructor(
    private readonly wallets: WalletsService,
    private readonly fees: FeesService,
    private readonly exchange: ExchangeService,
    private readonly routes: Routes,
    private readonly client: ProviderClient,
    private readonly extensions: Extensions,
    private readonly clock: Clock,
  ) {}

  /**
   * The terms, when no gate has anything against them; no transaction is open. Throws `NoWallet`, `NotFound`,
   * `InvalidPurchaseRequest`, `ProviderUnavailable`, `BlockedByHook` and what `ExchangeService.agree` throws.
   */
  async agree(caller: Caller, order: NewPurchase, dryRun: boolean): Promise<Terms> {
    const clockOffsetMs = await this.clock.offsetMs(caller);
    checkTimes(order, new Date(Date.now() + clockOffsetMs));
    const walletId = await this.payer(caller, order);
    const context = contextOf(caller, order, walletId, dryRun);
    const { objectId: id } = context;
    const { fee, breakdown } = await this.fees.priced(order.product, context);
    const route = await this.routeOf(order, context);
    const { currency, amount, commission } = order;
    // The ledger refuses what nobody has; one that waits for money is kept before it is asked.
    if (amount + fee > AMOUNT_MAX)
      throw new FieldRefused('/amount', 'The amount and its fee are too large.', { code: 'amount_out_of_range' });
    const price = { currency, amount, fee, commission };
    const details = { breakdown: withCommission(breakdown, order) };
    const exchange = await this.exchangeOf(caller, order, { price, ...details, dryRun });
    const pass = await this.extensions.gate(context);
    const paid = exchange?.paid ?? price;
    const told = exchange?.details ?? details;
    return { id, walletId, paid, total: totalOf(paid), details: told, exchange, route, clockOffsetMs, pass };
  }

  /** Of two who use a quote at once the second fails on its row. Throws `QuoteUsed` when that is why. */
  async requireUnused(error: unknown, { exchange }: Terms): Promise<void> {
    await this.exchange.requireUnused(error, exchange);
  }

  private async payer(caller: Caller, { walletId, currency }: NewPurchase): Promise<string> {
    // The ledger refuses a wallet that is not the caller's in the same words.
    if (walletId !== null) return found(decodeId('wal', walletId), 'wallet', '/wallet_id');
    const key = `${caller.accountId}/${caller.livemode}/${currency}`;
    const known = this.payers.get(key);
    if (known) return known;
    const oldest = await this.wallets.requireOldest(caller, currency);
    this.payers.set(key, oldest);
    return oldest;
  }

  private async exchangeOf(
    caller: Caller,
    { exchange, walletId, onInsufficientFunds }: NewPurchase,
    due: { readonly price: Cost; readonly breakdown: readonly object[]; readonly dryRun: boolean },
  ): Promise<Exchange | null> {
    if (exchange === null) return null;
    if (walletId === null)
      throw new InvalidPurchaseRequest('/wallet_id', '/wallet_id is required: it says from which currency to convert.');
    if (onInsufficientFunds === 'queue')
      throw new InvalidPurchaseRequest(
        '/on_insufficient_funds',
        'on_insufficient_funds "queue" cannot convert: no rate is promised for so long.',
      );
    return this.exchange.agree(caller, exchange, { ...due, walletId, param: '/wallet_id' });
  }

  /**
   * The providers to ask, after the filters of `svc_payment_gateway`. One that could not sell this now is left out.
   * Throws `ProviderUnavailable` when nobody is left.
   */
  private async routeOf(order: NewPurchase, context: PaymentContext): Promise<Choice> {
    const { accountId, livemode } = context;
    const { product, network, amount, currency, item, scenario } = order;
    const query = { accountId, livemode, purchaseId: '', amount, currency, item, scenario };
    const route = await this.routes.choose<Provider>({ product, network }, context, {
      nobody: `nobody can sell for ${network} now`,
      able: (provider) => this.client.canSell(provider, query),
    });
    if (route.names.length === 0) throw new ProviderUnavailable(`Nobody who sells for ${network} can be asked`);
    return route;
  }
}

/** Shows the commission of the catalogue beside the fee. */
const withCommission = (breakdown: readonly object[], { commission }: NewPurchase): readonly object[] =>
  commission === 0n
    ? breakdown
    : [...breakdown, { kind: 'commission', amount: toJsonNumber(commission), by: 'catalogue' }];

const contextOf = (
  { accountId, livemode, requestId }: Caller,
  order: NewPurchase,
  walletId: string,
  dryRun: boolean,
): PaymentContext => ({
  operation: PRODUCTS[order.product].operation,
  accountId,
  livemode,
  objectType: 'txn',
  objectId: newIdOf(accountId),
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: order.currency,
    walletId,
    recipient: order.recipient,
    network: order.network,
    reference: order.reference,
    metadata: order.metadata,
    details: { product: order.product, variant: order.variant, commission: order.commission },
  },
});

function checkTimes({ deliverBy, onInsufficientFunds }: NewPurchase, now: Date): void {
  if (onInsufficientFunds === 'queue' && deliverBy === null) {
    throw new InvalidPurchaseRequest(
      '/deliver_by',
      'on_insufficient_funds "queue" needs deliver_by: until when to wait for money.',
    );
  }
  if (deliverBy !== null && deliverBy <= now)
    throw new InvalidPurchaseRequest('/deliver_by', 'deliver_by must be in the future.');
}

class InvalidPurchaseRequest extends DomainError {
  constructor(param: string, detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail,
      param,
      errors: [{ param, code: 'invalid', detail }],
    });
  }
}

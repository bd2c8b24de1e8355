import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service';
import { RefundApprovals, type RefundRuleKey } from '../payments/refund-approvals';
import { Reviews } from '../../providers/reviews';
import { found } from '../../core/errors/domain-error';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Made } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { type Currency, toJsonNumber } from '../../core/money/money';
import { DepositsService, type NewDeposit } from '../wallets/deposits.service';
import { WalletChangesService } from '../wallets/wallet-changes.service';
import { WalletDto } from '../wallets/wallet.dto';
import { WalletsService } from '../wallets/wallets.service';
import { OperatorOrders, type Order, type OrderFor, ReasonNeeded } from './operator-orders.service';
import { NO_ORIGIN } from '../../core/outbox/outbox';

interface DepositOrder {
  /** Wallet uuid. */
  readonly wallet: string;
  readonly amount: bigint;
  /** Names the deposit: it is done once, however often it is ordered. */
  readonly reference: string;
}

/** As it is shown. Minor units. */
export interface Deposited {
  readonly transaction_id: string | null;
  readonly wallet_id: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly livemode: boolean;
  readonly reference: string;
  readonly settled: boolean;
  readonly replayed: boolean;
  readonly available: number;
}

/** As it is shown. Minor units. */
export interface CreditLimitSet {
  readonly wallet_id: string;
  readonly livemode: boolean;
  readonly currency: Currency;
  readonly credit_limit: number;
  readonly available: number;
  readonly credit_available: number;
}

/** What operators decide about money. */
@Injectable()
export class OperatorMoney {
  constructor(
    private readonly orders: OperatorOrders,
    private readonly wallets: WalletsService,
    private readonly deposits: DepositsService,
    private readonly idempotency: Idempotency,
    private readonly reviews: Reviews,
    private readonly changes: WalletChangesService,
    private readonly accounts: AccountsService,
    private readonly refunds: RefundApprovals,
  ) {}

  /**
   * `order` is asked for who orders: only live money needs an operator. Not settled: a second person must order the
   * same.
   */
  async deposit(orderOf: OrderFor, { wallet: walletId, amount, reference }: DepositOrder): Promise<Deposited> {
    const wallet = found(await this.wallets.findAny(walletId), 'wallet', '/wallet_id');
    const result = await this.carryOut(await orderOf(wallet.livemode), wallet, { amount, reference });
    const { available, currency } = await this.wallets.require(wallet, wallet.id);
    return {
      transaction_id: result && encodeId('txn', result.made),
      wallet_id: encodeId('wal', wallet.id),
      amount: toJsonNumber(amount),
      currency,
      livemode: wallet.livemode,
      reference,
      settled: result !== null,
      replayed: result !== null && result.replayedBy !== null,
      available: toJsonNumber(available),
    };
  }

  /**
   * How far a wallet may be below zero, in minor units. What is used beyond a lower limit stays used: no debit passes
   * until it is back. `order` is asked for who orders: only live money needs an operator. Throws `NotFound`,
   * `WalletIsClosed`, `ReasonNeeded`.
   */
  async setCreditLimit(orderOf: OrderFor, walletId: string, limit: bigint): Promise<CreditLimitSet> {
    const wallet = found(await this.wallets.findAny(walletId), 'wallet');
    const { accountId, livemode } = wallet;
    const target = encodeId('wal', wallet.id);
    await this.orders.run(await orderOf(livemode), async (tx) => {
      const before = await this.changes.setCreditLimit(tx, wallet, limit);
      const detail = { livemode, before: toJsonNumber(before), after: toJsonNumber(limit) };
      return [undefined, { accountId, action: 'wallet.credit_limit_set', target, detail }];
    });
    const { currency, credit_limit, balance } = WalletDto.of(await this.wallets.require(wallet, wallet.id));
    return {
      wallet_id: target,
      livemode,
      currency,
      credit_limit,
      available: balance.available,
      credit_available: balance.credit_available,
    };
  }

  /** Larger refunds of an account need a second person, in minor units; null: none does. Throws `NotFound`. */
  setRefundLimits(order: Order, rule: RefundRuleKey, approvalAbove: bigint | null): Promise<void> {
    return this.orders.run(order, async (tx) => {
      const { accountId, livemode, currency } = rule;
      await this.accounts.require(accountId);
      const before = await this.refunds.setRule(tx, rule, approvalAbove);
      const shown = (above: bigint | null) => ({ approval_above: above?.toString() ?? null });
      const detail = { livemode, currency, before: shown(before), after: shown(approvalAbove) };
      return [
        undefined,
        { accountId, action: 'account.refund_limits_set', target: encodeId('acct', accountId), detail },
      ];
    });
  }

  /** The uuid of the transaction. Null: a second person must order the same. */
  private async carryOut(
    order: Order,
    wallet: NewDeposit['wallet'],
    { amount, reference }: Omit<DepositOrder, 'wallet'>,
  ): Promise<Made<string> | null> {
    const { accountId, livemode, currency } = wallet;
    const [id, walletId] = [newIdOf(accountId), encodeId('wal', wallet.id)];
    const request = { key: null, fingerprint: sha256(`wallet:deposit ${wallet.id} ${amount}`) };
    const planned: NewDeposit = {
      wallet,
      amount,
      source: livemode ? 'opening' : 'sandbox_source',
      reference,
      metadata: {},
      id,
    };
    const replay = await this.idempotency.replayOf({
      accountId,
      livemode,
      ...request,
      reference,
      resource: 'txn',
      resourceId: id,
    });
    if (replay !== null) return { made: replay.resourceId, replayedBy: replay.by };
    const facts = { livemode, wallet_id: walletId, amount: toJsonNumber(amount), currency, reference };
    const noted = (isSettled: boolean) => {
      const [action, target] = isSettled
        ? (['wallet.deposited', encodeId('txn', id)] as const)
        : (['wallet.deposit_ordered', walletId] as const);
      return [this.orders.entry(order, { accountId, action, target, detail: facts })];
    };
    if (!livemode) return this.deposits.deposit({ ...planned, writes: noted(true) }, request, NO_ORIGIN);
    if (order.operator === null) throw new ReasonNeeded();
    // What would be refused is refused to the first person.
    await this.deposits.preview(planned, request);
    const subject = {
      accountId,
      livemode,
      resource: 'wal',
      id: orderId(wallet.id, amount, reference),
      publicId: walletId,
      round: 0,
    } as const;
    const ballot = { person: order.operator, outcome: 'deposit', note: `${reference}: ${order.reason}`, writes: noted };
    return this.reviews.decide(subject, ballot, this.reviews.peopleNeeded({ amount, currency }), (writes) =>
      this.deposits.deposit({ ...planned, writes }, request, NO_ORIGIN),
    );
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The uuid of an order: wallet, amount and reference make it the same. */
const orderId = (walletId: string, amount: bigint, own: string): string =>
  sha256(`${walletId} ${amount} ${own}`)
    .toString('hex', 0, 16)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5');

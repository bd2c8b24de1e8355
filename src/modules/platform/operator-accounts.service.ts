import { Injectable } from '@nestjs/common';
import type { Tx } from '../../core/database/unit-of-work';
import { FieldRefused, found } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { type AccountFreeze, type AccountRecord, AccountsService } from '../accounts/accounts.service';
import { ApiKeysService, detailOf, type KeyRecord, type NewApiKey } from '../accounts/api-keys.service';
import { CatalogueService } from '../bills/catalogue.service';
import { PeopleService, sameEmail } from '../dashboard-api/people.service';
import { FeesService } from '../accounts/fees.service';
import type { PayoutRule } from '../payouts/payout-rule.entity';
import { type PayoutLimits, PayoutsService } from '../payouts/payouts.service';
import { WalletFreezesService } from '../wallets/wallet-freezes.service';
import { OperatorOrders, type OperatorOrder, type Order, type OrderFor } from './operator-orders.service';

/** What operators change of accounts, keys, people and billers. */
@Injectable()
export class OperatorAccounts {
  constructor(
    private readonly orders: OperatorOrders,
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    private readonly fees: FeesService,
    private readonly people: PeopleService,
    private readonly billers: CatalogueService,
    private readonly payouts: PayoutsService,
    private readonly freezes: WalletFreezesService,
  ) {}

  /** Throws `NotFound`, of a tier that no fee is for, too. */
  setTier(order: OperatorOrder, id: string, tier: string): Promise<AccountRecord> {
    return this.change(order, id, 'account.tier_set', async (tx) => {
      found(
        (await this.fees.listRules()).find((fee) => fee.tier === tier),
        'tier',
        '/tier',
      );
      const { tier: before } = await this.accounts.require(id);
      return [await this.accounts.setTier(tx, id, tier), { before, after: tier }];
    });
  }

  /** Whether what moves money needs a key or a reference. Throws `NotFound`. */
  setKeyRequired(order: OperatorOrder, id: string, isRequired: boolean): Promise<AccountRecord> {
    return this.change(order, id, 'account.key_required', async (tx) => {
      const account = await this.accounts.setRequireIdempotencyKey(tx, id, isRequired);
      return [account, { require_idempotency_key: account.requireIdempotencyKey }];
    });
  }

  /** Where in the world its days begin. Throws `NotFound`, `FieldRefused`. */
  setTimeZone(order: OperatorOrder, id: string, timeZone: string): Promise<AccountRecord> {
    return this.change(order, id, 'account.time_zone_set', async (tx) => {
      const { timeZone: before } = await this.accounts.require(id);
      return [await this.accounts.setTimeZone(tx, id, timeZone), { before, after: timeZone }];
    });
  }

  /**
   * Which way no money of an account moves, in both modes, of its wallets and cards; while it is `both` its keys only
   * read. Null lets it go. Throws `NotFound`, `FieldRefused`.
   */
  async setFreeze(order: OperatorOrder, id: string, freeze: AccountFreeze | null): Promise<AccountRecord> {
    if (freeze?.until && freeze.until.getTime() <= Date.now())
      throw new FieldRefused('/until', 'until must be a time to come.');
    return this.change(order, id, freeze === null ? 'account.unfrozen' : 'account.frozen', async (tx) => {
      const account = await this.freezes.freezeAccount(tx, id, freeze);
      return [account, freeze === null ? {} : { direction: freeze.direction, until: freeze.until }];
    });
  }

  /** How much an account may pay out; null: as much as it has. Throws `NotFound`. */
  setPayoutLimits(
    order: Order,
    rule: Pick<PayoutRule, 'accountId' | 'livemode' | 'currency'>,
    limits: PayoutLimits,
  ): Promise<void> {
    return this.orders.run(order, async (tx) => {
      const { accountId, livemode, currency } = rule;
      await this.accounts.require(accountId);
      const before = await this.payouts.setRule(tx, rule, limits);
      const detail = { livemode, currency, before: before && shownLimits(before), after: shownLimits(limits) };
      return [
        undefined,
        { accountId, action: 'account.payout_limits_set', target: encodeId('acct', accountId), detail },
      ];
    });
  }

  /** The secret is shown this once. Throws `NotFound`, `LiveModeNotEnabled`, `InvalidKeySettings`, `LimitExceeded`. */
  async createKey(orderOf: OrderFor, wanted: NewApiKey): Promise<{ key: KeyRecord; secret: string }> {
    const order = await orderOf(wanted.livemode);
    return this.keys.create(wanted, (made) => [this.orders.entry(order, keyEntry('key.created', made))]);
  }

  /** As `ApiKeysService.roll`; the secret is shown this once. Throws `NotFound`, `KeyNotUsable`, `LimitExceeded`. */
  async rollKey(
    orderOf: OrderFor,
    id: string,
    overlapSeconds: number,
  ): Promise<{ old: KeyRecord; key: KeyRecord; secret: string }> {
    const old = await this.keys.require(id);
    const order = await orderOf(old.livemode);
    const made = await this.keys.roll(old, overlapSeconds, (rolled) => {
      const entry = keyEntry('key.rolled', old);
      return [this.orders.entry(order, { ...entry, detail: { ...entry.detail, ...detailOf(rolled) } })];
    });
    return { old: await this.keys.require(id), ...made };
  }

  /** Throws `NotFound`. */
  async revokeKey(orderOf: OrderFor, id: string): Promise<KeyRecord> {
    const { livemode } = await this.keys.require(id);
    const order = await orderOf(livemode);
    return this.keys.revoke(id, (stopped) => [this.orders.entry(order, keyEntry('key.revoked', stopped))]);
  }

  /** Throws `NotFound`. */
  async setOperator(order: Order, email: string, operator: boolean): Promise<{ email: string; operator: boolean }> {
    return this.orders.run(order, async (tx) => {
      const changed = await this.people.setOperator(tx, sameEmail(email), operator);
      const accountId = await this.orders.accountOf(changed.id, ...(order.operator ? [order.operator.userId] : []));
      const action = operator ? 'operator.made' : 'operator.revoked';
      return [
        changed,
        accountId === null
          ? null
          : { accountId, action, target: encodeId('usr', changed.id), detail: { email: changed.email } },
      ];
    });
  }

  /** Every account is told. Throws `NotFound`. */
  async switchBiller(order: OperatorOrder, code: string, enabled: boolean): Promise<object> {
    const accountId = await this.orders.accountOf(order.operator.userId);
    const action = enabled ? 'biller.enabled' : 'biller.disabled';
    const { biller, isChanged } = await this.orders.with(order, (writesOf) =>
      this.billers.setEnabled(code, enabled, () =>
        accountId === null ? [] : writesOf({ accountId, action, target: code }),
      ),
    );
    return { biller_code: biller.code, enabled, changed: isChanged };
  }

  private change(
    order: OperatorOrder,
    id: string,
    action: string,
    work: (tx: Tx) => Promise<[AccountRecord, object]>,
  ): Promise<AccountRecord> {
    return this.orders.run(order, async (tx) => {
      const [account, detail] = await work(tx);
      return [account, { accountId: id, action, target: encodeId('acct', id), detail }];
    });
  }
}

/** Minor units. */
const shownLimits = ({ singleLimit, dailyLimit, approvalAbove }: PayoutLimits) => ({
  single_limit: singleLimit?.toString() ?? null,
  daily_limit: dailyLimit?.toString() ?? null,
  approval_above: approvalAbove?.toString() ?? null,
});

const keyEntry = (
  action: string,
  { id, accountId, name, livemode, last4 }: Pick<KeyRecord, 'id' | 'accountId' | 'name' | 'livemode' | 'last4'>,
) => ({ accountId, action, target: encodeId('key', id), detail: { name, livemode, last4 } });

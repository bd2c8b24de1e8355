import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { ReadPipeline } from '../../core/database/pipeline';
import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { lowestIdAt } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { displayMoney, type Money } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { ProviderUnavailable } from '../../providers/routes';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import type { BeneficiaryDetails } from '../beneficiaries/beneficiary.entity';
import { isSameName, NameMismatch } from '../beneficiaries/is-same-name';
import { type PurchasePreview, PurchasesService } from '../purchases/purchases.service';
import { QueuedPurchases } from '../purchases/queued-purchases';
import { type Conditions, type NewPurchase, priceOf, type Running } from '../purchases/running';
import { Approvals, approvalWrite, approveBy } from '../transactions/approvals';
import type { TransactionFilters } from '../transactions/transaction.dto';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import type { Bank } from './bank.entity';
import { BanksService } from './banks.service';
import type { WantedPayout } from './payout.dto';
import { PayoutRule } from './payout-rule.entity';
import type { BankAccount, PayoutItem } from './payouts.provider';

/** Bounds of an account's payouts in a currency, in minor units; null: none. */
export type PayoutLimits = Pick<PayoutRule, 'singleLimit' | 'dailyLimit' | 'approvalAbove'>;

const DAY_MS = 24 * 3_600_000;
const SHOWN_DIGITS = 4;

const countOrder = rows(PayoutRule).update({ name: 'count_payouts', change: ['orders'], was: ['orders'] });

interface RuleRow {
  readonly single_limit: string | null;
  readonly daily_limit: string | null;
  readonly approval_above: string | null;
  readonly orders: string;
}

const SELECT_RULE = {
  name: 'select_payout_rule',
  text: `SELECT single_limit, daily_limit, approval_above, orders FROM payout_rules
          WHERE account_id = $1 AND livemode = $2 AND currency = $3`,
};

/**
 * Minor units that payouts of a currency take since an id, whatever paid them: those that were ordered since, and those
 * that waited before and went out since; without those that came to nothing, or back, nor with `$5` those that wait.
 */
const SELECT_PAID = {
  name: 'select_paid_out',
  text: `
    WITH since AS (
      SELECT id FROM transactions WHERE account_id = $1 AND livemode = $2 AND type = 'payout' AND id >= $4
      UNION ALL
      SELECT purchase_id FROM purchase_attempts
       WHERE account_id = $1 AND livemode = $2 AND id >= $4 AND number = 1 AND purchase_id < $4)
    SELECT coalesce(sum(coalesce((p.conversion ->> 'amount')::bigint, t.amount)), 0) AS paid
      FROM since JOIN transactions t USING (id) JOIN purchases p USING (account_id, livemode, id)
     WHERE account_id = $1 AND livemode = $2 AND type = 'payout'
       AND coalesce(p.conversion ->> 'currency', t.currency) = $3
       AND status NOT IN ('failed', 'cancelled', 'reversed') AND NOT ($5 AND status = 'pending')`,
};

/** Sends money to bank accounts: to whom, within which limits, and with a second person where one is asked for. */
@Injectable()
export class PayoutsService implements OnModuleInit {
  constructor(
    private readonly approvals: Approvals,
    private readonly reads: ReadPipeline,
    private readonly banks: BanksService,
    private readonly beneficiaries: BeneficiariesService,
    private readonly purchases: PurchasesService,
    private readonly waiting: QueuedPurchases,
    private readonly transactions: TransactionsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.beneficiaries.include({ kind: 'bank_account', check: (caller, details) => this.checkKept(caller, details) });
    this.approvals.include('payout', this.waiting);
    this.waiting.include('payout', (waited) => this.conditionsOfWaiting(waited));
  }

  /**
   * Throws `NotFound`, `BeneficiaryKindMismatch`, `InvalidAccountNumber`, `AccountNotFound`, `NameMismatch`,
   * `PayoutLimitExceeded`, `ProviderUnavailable` and what `PurchasesService.purchase` throws.
   */
  async pay(caller: Caller, wanted: WantedPayout, request: RequestClaim): Promise<Made<TransactionRecord>> {
    const made = await this.purchases.purchase(caller, { request, reference: wanted.terms.reference }, () =>
      this.orderOf(caller, wanted, { isKept: true }),
    );
    return this.beneficiaries.noteUse(caller, wanted.beneficiaryId, made);
  }

  /** What `pay` would do now; writes nothing, but the bank is asked whose account it is. */
  async preview(caller: Caller, wanted: WantedPayout): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.orderOf(caller, wanted, { isKept: false }));
  }

  /** What `pay` would cost now, whether or not the wallet has it; what the bank says is kept for `pay`. */
  async price(caller: Caller, wanted: WantedPayout): Promise<TransactionRecord> {
    return this.purchases.price(caller, await this.orderOf(caller, wanted, { isKept: true }));
  }

  /** The caller's payout, by its id or by the caller's reference. Throws `NotFound`. */
  async require(viewer: Viewer, idOrReference: string): Promise<TransactionRecord> {
    const transaction = await this.transactions.require(viewer, idOrReference);
    return found(transaction.type === 'payout' ? transaction : null, 'payout');
  }

  /** Newest first, below `before`. */
  list(
    viewer: Viewer,
    filters: Omit<TransactionFilters, 'type'>,
    before: string | null,
    take: number,
  ): Promise<TransactionRecord[]> {
    return this.transactions.list(viewer, { ...filters, type: ['payout'] }, before, take);
  }

  /** The rule of a currency; null: nothing is limited. */
  async findRule({ accountId, livemode }: Viewer, currency: PayoutRule['currency']): Promise<PayoutRule | null> {
    const [row] = (await this.reads.query<RuleRow>(SELECT_RULE, [accountId, livemode, currency])).rows;
    const minor = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
    return row === undefined
      ? null
      : {
          accountId,
          livemode,
          currency,
          singleLimit: minor(row.single_limit),
          dailyLimit: minor(row.daily_limit),
          approvalAbove: minor(row.approval_above),
          orders: BigInt(row.orders),
        };
  }

  /** Counts from the next payout on. For operators: no running process of the service may. Gives what held before. */
  async setRule(
    tx: Tx,
    key: Pick<PayoutRule, 'accountId' | 'livemode' | 'currency'>,
    limits: PayoutLimits,
  ): Promise<PayoutLimits | null> {
    const before = await tx.findOneBy(PayoutRule, key);
    await tx.query(
      `INSERT INTO payout_rules (account_id, livemode, currency, single_limit, daily_limit, approval_above)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT ON CONSTRAINT payout_rules_pkey DO UPDATE SET single_limit = excluded.single_limit,
         daily_limit = excluded.daily_limit, approval_above = excluded.approval_above`,
      [
        key.accountId,
        key.livemode,
        key.currency,
        limits.singleLimit?.toString(),
        limits.dailyLimit?.toString(),
        limits.approvalAbove?.toString(),
      ],
    );
    return before;
  }

  /** Of a beneficiary: whose account it is, as the bank says, and keeps for `pay`. */
  private async checkKept(caller: Caller, details: BeneficiaryDetails['bank_account']) {
    const account = { bankCode: details.bank_code, accountNumber: details.account_number };
    const bank = await this.banks.requireFor(caller, account, '/bank');
    const verifiedName = await this.banks.nameOf(caller, bank, account, true);
    return { details, number: account.accountNumber, verifiedName };
  }

  private async orderOf(
    caller: Caller,
    wanted: WantedPayout,
    { isKept }: { isKept: boolean },
  ): Promise<NewPurchase<PayoutItem>> {
    const { amount, narration, beneficiaryId, terms } = wanted;
    const beneficiary = await this.beneficiaries.requirePayable(caller, beneficiaryId, 'bank_account');
    const account = beneficiary
      ? { bankCode: beneficiary.details.bank_code, accountNumber: beneficiary.details.account_number }
      : wanted.bank!;
    const bank = await this.reachable(caller, account);
    const accountName = await this.banks.nameOf(caller, bank, account, isKept);
    // An account that has come to be somebody else's is not paid by its old name.
    for (const name of [wanted.accountName, beneficiary?.verifiedName])
      if (name && !isSameName(name, accountName)) throw new NameMismatch('/account_name');
    const { code, name, currency } = bank;
    const masked = maskNumber(account.accountNumber);
    return {
      ...terms,
      product: 'payout',
      amount,
      commission: 0n,
      currency,
      recipient: `${code}/${masked}`,
      network: code,
      // What is shown of the account may be the same of two.
      variant: `${code}/${account.accountNumber}`,
      item: { ...account, bankName: name, accountName, narration },
      details: {
        bank: { code, name },
        account_number_masked: masked,
        account_name: accountName,
        session_id: null,
        narration,
        ...(beneficiaryId && { beneficiary_id: beneficiaryId }),
      },
      conditions: (id) => this.conditionsOf(caller, id, { amount, currency, terms }),
    };
  }

  /** The bank of an account. Throws `NotFound`, `InvalidAccountNumber`, `ProviderUnavailable`. */
  private async reachable(viewer: Viewer, account: BankAccount): Promise<Bank> {
    const bank = await this.banks.requireFor(viewer, account, '/bank');
    if (!bank.enabled) throw new ProviderUnavailable(`${bank.name} cannot be reached`);
    return bank;
  }

  /** What the account's limits say of a payout that is ordered. Throws `PayoutLimitExceeded`. */
  private async conditionsOf(
    caller: Caller,
    id: string,
    { amount, currency, terms }: Pick<WantedPayout, 'amount' | 'terms'> & Pick<PayoutRule, 'currency'>,
  ): Promise<Conditions> {
    const now = await this.clock.now(caller);
    const { writes, isLarge } = await this.limited(caller, { amount, currency }, { now, isOut: false });
    if (!isLarge) return { writes, approveBy: null };
    const tomorrow = approveBy(now);
    const { deliverBy } = terms;
    return {
      writes: [...writes, approvalWrite(caller, id)],
      approveBy: deliverBy !== null && deliverBy < tomorrow ? deliverBy : tomorrow,
    };
  }

  /** And of one that waited and is about to go out, by then. Throws as `reachable`, and `PayoutLimitExceeded`. */
  private async conditionsOfWaiting(waited: Running): Promise<Conditions> {
    await this.reachable(waited.purchase, waited.purchase.item as PayoutItem);
    const now = await this.clock.now(waited.purchase);
    const { writes, isLarge } = await this.limited(waited.purchase, priceOf(waited), { now, isOut: true });
    return { writes, approveBy: isLarge ? approveBy(now) : null };
  }

  /** As the limits and the account's other payouts are now; `isOut`: those that have gone out. */
  private async limited(
    viewer: Viewer,
    { amount, currency }: Money,
    { now, isOut }: { readonly now: Date; readonly isOut: boolean },
  ): Promise<{ readonly writes: readonly Write[]; readonly isLarge: boolean }> {
    const rule = await this.findRule(viewer, currency);
    if (rule === null) return { writes: [], isLarge: false };
    const { singleLimit, dailyLimit, approvalAbove } = rule;
    if (singleLimit !== null && amount > singleLimit)
      throw new PayoutLimitExceeded('single', { limit: singleLimit, left: singleLimit, currency });
    if (dailyLimit !== null) {
      const left =
        dailyLimit - (await this.paidSince(viewer, currency, { from: new Date(now.getTime() - DAY_MS), isOut }));
      if (amount > left) throw new PayoutLimitExceeded('daily', { limit: dailyLimit, left, currency });
    }
    const writes = dailyLimit === null ? [] : [countOrder({ ...rule, orders: rule.orders + 1n }, rule)];
    return { writes, isLarge: approvalAbove !== null && amount > approvalAbove };
  }

  /** `from` by the account's clock. */
  private async paidSince(
    viewer: Viewer,
    currency: string,
    { from, isOut }: { readonly from: Date; readonly isOut: boolean },
  ): Promise<bigint> {
    const times = await this.clock.times(viewer);
    const since = lowestIdAt(times === null ? from : times.from(from));
    const { accountId, livemode } = viewer;
    const values = [accountId, livemode, currency, since, isOut];
    const { rows: sums } = await this.reads.query<{ paid: string }>(SELECT_PAID, values);
    return BigInt(sums[0]!.paid);
  }
}

/** `******6789`. */
const maskNumber = (number: string): string =>
  '*'.repeat(Math.max(0, number.length - SHOWN_DIGITS)) + number.slice(-SHOWN_DIGITS);

class PayoutLimitExceeded extends DomainError {
  constructor(
    which: 'single' | 'daily',
    { limit, left, currency }: { limit: bigint; left: bigint } & Pick<PayoutRule, 'currency'>,
  ) {
    const [most, rest] = [limit, left < 0n ? 0n : left].map((amount) => displayMoney({ amount, currency }));
    super({
      code: 'limit_exceeded',
      kind: 'payment_required',
      title: 'Limit exceeded',
      param: '/amount',
      detail:
        which === 'single'
          ? `This account may send at most ${most} at once.`
          : `This account may pay out ${most} within 24 hours, of which ${rest} are left.`,
      figures: { max: left < 0n ? 0n : left },
    });
  }
}

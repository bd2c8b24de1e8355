import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { DomainError } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { decodeId, encodeId } from '../../core/http/ids';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import { WalletsService } from '../wallets/wallets.service';
import { type Deposit, DEPOSIT_RESOLUTIONS, type DepositStatus } from './deposit.entity';
import { DepositSettlement } from './deposit-settlement';
import { DepositStore } from './deposit-store';
import { VirtualAccountRun } from './virtual-account-run';

/** The deposit is in a state in which this cannot be decided. */
class InvalidDepositTransition extends DomainError {
  constructor({ id }: Readonly<Deposit>, status: string, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('dep', id)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('dep', id),
    });
  }
}

/** A wallet of another currency than what arrived. */
class WalletCannotTake extends DomainError {
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

/** `returned`: the payer has it back, not through its bank; `unchanged`: the deposit stays as it is, the mark goes. */
export const DEPOSIT_DECISIONS = [...DEPOSIT_RESOLUTIONS, 'returned', 'unchanged'] as const;
export type DepositDecision = (typeof DEPOSIT_DECISIONS)[number];

const UNSETTLED: readonly DepositStatus[] = ['received', 'failed'];

/** From which states a person may decide so. */
const FROM: Readonly<Record<DepositDecision, readonly DepositStatus[]>> = {
  accept_received: [...UNSETTLED, 'to_be_returned'],
  refund_payer: UNSETTLED,
  failed: ['received'],
  returned: ['received', 'to_be_returned'],
  unchanged: ['credited', 'to_be_returned', 'returned', 'failed'],
};

/** What a person may decide about a deposit in this state. */
export const depositDecisionsAt = (status: DepositStatus): DepositDecision[] =>
  DEPOSIT_DECISIONS.filter((decision) => FROM[decision].includes(status));

/** A deposit that only a person can settle. Minor units. */
export interface DepositInReview extends Key {
  readonly reason: string;
  readonly status: DepositStatus;
  readonly virtualAccountId: string;
  /** What the provider has; what was told where it did not say. */
  readonly amount: string;
  readonly currency: string;
  readonly provider: string;
  readonly providerReference: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

/** Money that is to go back to its payer, and that the provider still has. Minor units. */
export type ReturnDue = Omit<DepositInReview, 'reason' | 'status' | 'decisions'>;

export interface DepositVerdict {
  readonly outcome: DepositDecision;
  /** Public id of a wallet to credit instead of the account's own. */
  readonly walletId?: string;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the provider said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

export interface DepositResolved {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly deposit: Deposit;
}

const FACTS = `d.account_id AS "accountId", d.livemode, d.id, d.virtual_account_id AS "virtualAccountId",
  coalesce(d.amount, d.told_amount) AS amount, coalesce(d.currency, d.told_currency) AS currency, d.provider,
  d.provider_reference AS "providerReference"`;

/** Transfers that fit no account, or about which a provider contradicts itself: people settle them, with evidence. */
@Injectable()
export class DepositReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: DepositStore,
    private readonly settlement: DepositSettlement,
    private readonly accounts: VirtualAccountRun,
    private readonly wallets: WalletsService,
    private readonly reviews: Reviews,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<DepositInReview[]> {
    return this.dataSource.query(
      `SELECT ${FACTS}, d.review AS reason, d.status,
              ${decisionsOf('d.account_id', 'd.id', 'd.reviews')} AS decisions
         FROM deposits d WHERE d.review IS NOT NULL ORDER BY d.id LIMIT $1`,
      [limit],
    );
  }

  /** What is to go back to payers and did not yet, oldest first. */
  listReturnsDue(limit: number): Promise<ReturnDue[]> {
    return this.dataSource.query(
      `SELECT ${FACTS} FROM deposits d WHERE d.status = 'to_be_returned' ORDER BY d.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws
   * `NotFound`, `InvalidDepositTransition`, `WalletCannotTake`, `SamePerson`, `ChangedElsewhere`.
   */
  async resolve(key: Key, verdict: DepositVerdict): Promise<DepositResolved> {
    const deposit = await this.store.load(key);
    const { accountId, livemode, id, status, review, reviews: round, toldAmount, toldCurrency } = deposit;
    if (review === null || !FROM[verdict.outcome].includes(status))
      throw new InvalidDepositTransition(
        deposit,
        review === null ? `${status}, not in review,` : status,
        verdict.outcome,
      );
    const [amount, currency] = [deposit.amount ?? toldAmount, deposit.currency ?? toldCurrency];
    const walletId = verdict.outcome === 'accept_received' ? await this.walletOf(deposit, currency, verdict) : null;
    const ballot = {
      ...verdict,
      outcome: verdict.walletId === undefined ? verdict.outcome : `${verdict.outcome} into ${verdict.walletId}`,
    };
    const needed = this.reviews.peopleNeeded({ amount, currency }, { amount: toldAmount, currency: toldCurrency });
    const settled = await this.reviews.decide(
      { accountId, livemode, resource: 'dep', id, round },
      ballot,
      needed,
      (rows) => this.carryOut(deposit, verdict.outcome, { walletId, rows }),
    );
    return { isSettled: settled !== null, deposit: settled ?? deposit };
  }

  private async carryOut(
    deposit: Deposit,
    outcome: DepositDecision,
    { walletId, rows }: { walletId: string | null; rows: readonly Write[] },
  ): Promise<Deposit> {
    const options = { more: rows, isReview: true };
    if (outcome === 'failed')
      return this.store.step(
        deposit,
        { status: 'failed', resolution: outcome, review: null, nextCheckAt: null },
        options,
      );
    const now = await this.store.now(deposit);
    if (outcome === 'unchanged') {
      // What still is to go back its bank is asked for from the start.
      const again = deposit.status === 'to_be_returned' ? { nextCheckAt: now, checks: 0 } : {};
      return this.store.step(deposit, { review: null, ...again }, options);
    }
    // Nobody but the person says that anything came: then it is what was told.
    const { amount, currency, toldAmount, toldCurrency } = deposit;
    const came =
      amount === null ? { amount: toldAmount, currency: toldCurrency, arrivedAt: now } : { amount, currency };
    const back = { ...came, resolution: 'refund_payer', review: null, checks: 0 } as const;
    if (outcome === 'refund_payer')
      return this.store.step(deposit, { ...back, status: 'to_be_returned', nextCheckAt: now }, options);
    if (outcome === 'returned')
      return this.store.step(deposit, { ...back, status: 'returned', nextCheckAt: null }, options);
    const patch = { ...came, resolution: outcome };
    const credited = await this.settlement.credit(deposit, { walletId: walletId!, patch, ...options });
    if ('id' in credited) return credited;
    throw new InvalidDepositTransition(deposit, deposit.status, `credited: ${credited.reason}`);
  }

  /** The account's own wallet, or the one that the person names. */
  private async walletOf(deposit: Deposit, currency: string, { walletId }: DepositVerdict): Promise<string> {
    const { accountId, livemode, virtualAccountId } = deposit;
    const account = await this.accounts.find({ accountId, livemode, id: virtualAccountId });
    const wallet = await this.wallets.require(
      deposit,
      walletId === undefined ? (account?.walletId ?? null) : decodeId('wal', walletId),
      '/wallet_id',
    );
    if (wallet.currency !== currency) throw new WalletCannotTake(encodeId('wal', wallet.id), currency);
    return wallet.id;
  }
}

import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Queue } from 'bullmq';
import type { Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { isRowChanged } from '../../core/database/sqlstate';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { encodeId, newId } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import { LedgerService } from '../ledger/ledger.service';
import type { Posting } from '../ledger/posting';
import { TransactionsService } from '../transactions/transactions.service';
import { Purchase, PurchaseAttempt, purchaseChange } from './purchase.entity';
import { InvalidPurchaseTransition } from './purchases.errors';
import { assertTransition, type Running, SettledElsewhere } from './running';

export interface PurchaseKey {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
}

export const CHECKS_QUEUE = 'purchase-checks';

/** What a job carries: ids, and the time that it is for. */
export interface CheckJob extends PurchaseKey {
  /** `next_check_at`, as milliseconds: a job for another time is out of date. */
  readonly at: number;
}

/** When somebody must look at a purchase. */
type Due = Pick<Purchase, 'accountId' | 'livemode' | 'id' | 'nextCheckAt'>;

/** What is due later waits in the database alone. */
const NEAR_MS = 10 * 60_000;

/** Longer than a check takes: while one is made nobody else makes it. */
const LEASE_MS = 60_000;

/** Takes a due purchase for one checker: nobody else does it until the lease ends. */
const LEASE = `
  UPDATE purchases SET next_check_at = $5
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND next_check_at = $4 RETURNING id`;

/**
 * Reads purchases as they are stored, and stores their steps: each fails when the stored ones are not as it read them.
 */
@Injectable()
export class PurchaseStore {
  private readonly log = new Logger('purchases');

  constructor(
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
    @InjectRepository(PurchaseAttempt) private readonly attempts: Repository<PurchaseAttempt>,
    private readonly transactions: TransactionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: LedgerService,
    private readonly clock: Clock,
    @InjectQueue(CHECKS_QUEUE) private readonly queue: Queue<CheckJob>,
  ) {}

  /** The account's present. */
  now(key: Pick<PurchaseKey, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(key);
  }

  /** Throws `NotFound` when the transaction is not a purchase of this account. */
  async load({ accountId, livemode, id }: PurchaseKey): Promise<Running> {
    const [purchase, attempt, transaction] = await Promise.all([
      this.purchases.findOneBy({ accountId, livemode, id }),
      this.attempts.findOne({ where: { accountId, livemode, purchaseId: id }, order: { number: 'DESC' } }),
      this.transactions.require({ accountId, livemode }, encodeId('txn', id)),
    ]);
    return { purchase: found(purchase, 'purchase'), attempt, transaction };
  }

  /**
   * By public id or the caller's reference. Throws `NotFound`; `InvalidPurchaseTransition` when it is something else
   * than a purchase.
   */
  async loadPublic({ accountId, livemode }: Viewer, idOrReference: string, wanted: string): Promise<Running> {
    const { id, status } = await this.transactions.require({ accountId, livemode }, idOrReference);
    if (!(await this.purchases.existsBy({ accountId, livemode, id })))
      throw new InvalidPurchaseTransition(id, status, wanted);
    return this.load({ accountId, livemode, id });
  }

  /** Posts a step that moves money. False: there is not enough for the hold. Throws `SettledElsewhere`. */
  async post(
    { accountId, livemode }: Purchase,
    posting: Pick<Posting, 'lines' | 'holds' | 'currency' | 'writes'>,
  ): Promise<boolean> {
    try {
      const outcome = await this.ledger.post({ id: newId(), accountId, livemode, claim: null, ...posting });
      if (outcome.status === 'refused' && 'holdId' in outcome.refusal) throw new SettledElsewhere();
      return outcome.status === 'posted';
    } catch (error) {
      throw isRowChanged(error) ? new SettledElsewhere() : error;
    }
  }

  /**
   * Rows of a step: the changed record and purchase. They fail when the stored ones are not in the state and at the
   * attempt of `before`.
   */
  stepWrites(before: Running, after: Running): Write[] {
    const { status } = before.transaction;
    assertTransition(status, after.transaction.status);
    return [this.transactions.change(after.transaction, status), purchaseChange(after.purchase, before.purchase)];
  }

  /** Stores a step that moves no money. Throws `SettledElsewhere`. */
  step(before: Running, after: Running, more: readonly Write[] = []): Promise<void> {
    return this.write([...this.stepWrites(before, after), ...more]);
  }

  /** Stores what is new about a purchase whose state stays. Throws `SettledElsewhere`. */
  note(before: Running, after: Running, more: readonly Write[] = []): Promise<void> {
    return this.write([
      purchaseChange(after.purchase, before.purchase),
      this.transactions.change(after.transaction, before.transaction.status),
      ...more,
    ]);
  }

  /** A final purchase of which nothing is left to be asked. */
  forget({ transaction, purchase }: Running): Promise<void> {
    return this.write([
      purchaseChange({ ...purchase, nextCheckAt: null }, purchase),
      this.transactions.change(
        { ...transaction, version: transaction.version + 1, nextCheckAt: null },
        transaction.status,
      ),
    ]);
  }

  /** Throws `SettledElsewhere`. */
  async write(writes: readonly Write[]): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw isRowChanged(error) ? new SettledElsewhere() : error;
    }
  }

  /** Takes a purchase that is due at `at` for one checker: for a while nobody else gets it. */
  async lease({ accountId, livemode, id }: PurchaseKey, at: Date): Promise<boolean> {
    const until = new Date((await this.clock.now({ accountId, livemode })).getTime() + LEASE_MS);
    const [, changed]: [unknown, number] = await this.unitOfWork.run((tx) =>
      tx.query(LEASE, [accountId, livemode, id, at, until]),
    );
    return changed === 1;
  }

  /** Sets alarms. The truth is `next_check_at`: a job that is lost is made again by the sweep. */
  async setAlarms(...purchases: readonly Due[]): Promise<void> {
    const jobs = await Promise.all(purchases.map((purchase) => this.alarmOf(purchase)));
    try {
      await this.queue.addBulk(jobs.filter((job) => job !== null));
    } catch (error) {
      this.log.warn({ message: 'requeries could not be queued; the sweeper will', err: error });
    }
  }

  private async alarmOf(purchase: Due) {
    const { accountId, livemode, id, nextCheckAt } = purchase;
    if (nextCheckAt === null) return null;
    const at = nextCheckAt.getTime();
    const delay = Math.max(0, at - (await this.clock.now(purchase)).getTime());
    if (delay > NEAR_MS) return null;
    // A failed job that stayed would keep its id, and with it the sweep from making the job again.
    return {
      name: 'check',
      data: { accountId, livemode, id, at },
      opts: { delay, jobId: `${id}_${at}`, removeOnFail: true },
    };
  }
}

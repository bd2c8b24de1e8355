import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { Clock } from '../../core/clock/clock';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { asChangedElsewhere, ChangedElsewhere, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import { LedgerService } from '../ledger/ledger.service';
import { type Making, PostingRefused } from '../ledger/posting';
import { Transaction } from '../transactions/transaction.entity';
import { transactionChange, TransactionsService } from '../transactions/transactions.service';
import { Purchase, PurchaseAttempt } from './purchase.entity';
import type { FindResult } from './purchases.provider';
import { assertTransition, InvalidPurchaseTransition, type Running } from './running';

const purchases = rows(Purchase);

export const purchaseWrite = purchases.insert({ except: ['calledAt', 'review', 'reviews'] });

/**
 * A changed purchase. A step is about the attempt that it read: of two that heard the same refusal, one asks the next
 * provider and the other fails here. A callback that came meanwhile is still due: the step did not know of it.
 */
export const purchaseChange = purchases.update({
  name: 'update_purchases',
  change: [
    'total',
    'conversion',
    'route',
    'queued',
    'attempts',
    'checks',
    'notKnown',
    'nextCheckAt',
    'calledAt',
    'review',
  ],
  was: ['attempts'],
  set: {
    called_at: 't.called_at',
    next_check_at:
      'CASE WHEN t.called_at IS NOT DISTINCT FROM v.called_at THEN v.next_check_at ELSE t.next_check_at END',
    reviews: 't.reviews + (t.review IS NULL AND v.review IS NOT NULL)::integer',
  },
});

const answered = ['endedAt', 'outcome', 'code', 'message', 'providerReference', 'cost', 'costCurrency'] as const;
const attempts = rows(PurchaseAttempt);

export const attemptWrite = attempts.insert({ except: answered });

/** What the provider answered. */
export const attemptChange = attempts.update({ name: 'update_purchase_attempts', change: answered });

const insertCheck = bulkInsert('purchase_checks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  purchase_id: 'uuid',
  provider: 'text',
  outcome: 'text',
  code: 'text?',
  call: 'text',
});

/** A requery and what it found; or an order from whose first answer nothing followed, which the attempt will forget. */
export const checkWrite = (
  p: Readonly<Purchase>,
  provider: string,
  found: FindResult,
  call: 'purchase' | 'find' = 'find',
): Write =>
  insertCheck.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: newIdOf(p.accountId),
    purchase_id: p.id,
    provider,
    outcome: found.outcome,
    code: 'code' in found ? found.code : null,
    call,
  });

const insertCallback = bulkInsert('purchase_callbacks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  purchase_id: 'uuid',
  attempt_id: 'uuid',
  provider: 'text',
  says: 'text?',
});

/** A purchase that is to be looked at. */
type Due = Key & { readonly nextCheckAt: Date };

/**
 * A time of its own for each callback: a step that read before it differs from one that read after it. The look that
 * follows, one for all that came until then, is none of the schedule's.
 */
const MAKE_DUE = `
  UPDATE purchases SET called_at = greatest($4, called_at + interval '1 millisecond'),
         next_check_at = greatest($4, called_at + interval '1 millisecond'),
         checks = CASE WHEN next_check_at <= $4 THEN checks ELSE greatest(checks - 1, 0) END
   WHERE account_id = $1 AND livemode = $2 AND id = $3 RETURNING next_check_at AS "nextCheckAt"`;

/**
 * Reads purchases as they are stored, and stores their steps: each fails when the stored ones are not as it read them.
 */
@Injectable()
export class PurchaseStore {
  constructor(
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
    @InjectRepository(PurchaseAttempt) private readonly attempts: Repository<PurchaseAttempt>,
    private readonly transactions: TransactionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: LedgerService,
    private readonly clock: Clock,
  ) {}

  /** The account's present. */
  now(key: Pick<Key, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(key);
  }

  /**
   * As it stood in one moment: a step between two reads would leave the attempt before it beside the purchase after it,
   * and what the one provider says would be taken for the other's. Throws `NotFound` when the transaction is not a
   * purchase of this account.
   */
  load({ accountId, livemode, id }: Key): Promise<Running> {
    return this.purchases.manager.transaction('REPEATABLE READ', async (snapshot) => {
      const last = { where: { accountId, livemode, purchaseId: id }, order: { number: 'DESC' } } as const;
      const attempt = await snapshot.findOne(PurchaseAttempt, last);
      const purchase = await snapshot.findOneBy(Purchase, { accountId, livemode, id });
      const transaction = await snapshot.findOneBy(Transaction, { accountId, livemode, id });
      return { purchase: found(purchase, 'purchase'), attempt, transaction: found(transaction, 'transaction') };
    });
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

  /**
   * Posts a step that moves money: what it made. Null: the wallet does not pay for the hold that it opens. Throws
   * `ChangedElsewhere`, `PostingRefused`.
   */
  async post(
    { accountId, livemode }: Purchase,
    posting: Pick<Making<Running>, 'lines' | 'holds' | 'currency' | 'writes'>,
  ): Promise<Running | null> {
    try {
      const outcome = await this.ledger.post({ id: newIdOf(accountId), accountId, livemode, claim: null, ...posting });
      if (outcome.status === 'posted') return outcome.made;
      if (outcome.status === 'replayed' || 'holdId' in outcome.refusal) throw new ChangedElsewhere();
      if (posting.holds?.some(({ kind }) => kind === 'open')) return null;
      throw new PostingRefused(outcome.refusal, (wallet) => ({ id: encodeId('wal', wallet), param: null }));
    } catch (error) {
      throw asChangedElsewhere(error);
    }
  }

  /**
   * Rows of a step: the changed record and purchase. They fail when the stored ones are not in the state and at the
   * attempt of `before`.
   */
  stepWrites(before: Running, after: Running): Write[] {
    assertTransition(before.transaction.status, after.transaction.status);
    return [
      ...transactionChange(after.transaction, before.transaction),
      purchaseChange(after.purchase, before.purchase),
    ];
  }

  /** Stores a step that moves no money. Throws `ChangedElsewhere`. */
  step(before: Running, after: Running, more: readonly Write[] = []): Promise<void> {
    return this.write([...this.stepWrites(before, after), ...more]);
  }

  /** Stores what is new about a purchase whose state stays. Throws `ChangedElsewhere`. */
  note(before: Running, after: Running, more: readonly Write[] = []): Promise<void> {
    return this.write([
      purchaseChange(after.purchase, before.purchase),
      ...transactionChange(after.transaction, before.transaction),
      ...more,
    ]);
  }

  /** A final purchase of which nothing is new: looked at again then, or never. */
  rest({ transaction, purchase }: Running, nextCheckAt: Date | null): Promise<void> {
    return this.write([
      purchaseChange({ ...purchase, checks: 0, notKnown: 0, nextCheckAt }, purchase),
      ...transactionChange({ ...transaction, version: transaction.version + 1, nextCheckAt }, transaction),
    ]);
  }

  /** By the reference that its provider was given; null for one of another provider or mode. */
  findAttempt(id: string, provider: string, livemode: boolean): Promise<PurchaseAttempt | null> {
    return this.attempts.findOneBy({ id, provider, livemode });
  }

  /** Attempts before the last one, that a callback told of. */
  calledBefore({ purchase: { accountId, livemode, id, attempts } }: Running): Promise<PurchaseAttempt[]> {
    return this.attempts
      .createQueryBuilder('a')
      .where('a.account_id = :accountId AND a.livemode = :livemode AND a.purchase_id = :id', {
        accountId,
        livemode,
        id,
      })
      .andWhere('a.number < :attempts', { attempts })
      .andWhere(
        `EXISTS (SELECT 1 FROM purchase_callbacks c WHERE c.account_id = a.account_id
           AND c.purchase_id = a.purchase_id AND c.attempt_id = a.id)`,
      )
      .getMany();
  }

  /** Keeps a callback about an attempt, and that its purchase must be looked at now. */
  async makeDue({ accountId, livemode, purchaseId, id, provider }: PurchaseAttempt, says: string | null): Promise<Due> {
    const now = await this.now({ accountId, livemode });
    const callback = {
      account_id: accountId,
      livemode,
      id: newIdOf(accountId),
      purchase_id: purchaseId,
      attempt_id: id,
    };
    return this.unitOfWork.run(async (tx) => {
      await this.unitOfWork.write(tx, [insertCallback.row({ ...callback, provider, says })]);
      const [[row]]: [[{ nextCheckAt: Date }]] = await tx.query(MAKE_DUE, [accountId, livemode, purchaseId, now]);
      return { accountId, livemode, id: purchaseId, nextCheckAt: row.nextCheckAt };
    });
  }

  /** Throws `ChangedElsewhere`. */
  async write(writes: readonly Write[]): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw asChangedElsewhere(error);
    }
  }
}

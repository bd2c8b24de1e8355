import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { isRowChanged } from '../../core/database/sqlstate';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { ChangedElsewhere } from './payment-step.batch';
import { assertTransition, Payment, type PaymentKey } from './payment.entity';
import { LEASE, MAKE_DUE, paymentChange } from './payments.queries';

/** Longer than a look takes: while one is made nobody else makes it. */
const LEASE_MS = 60_000;

/** Reads payments, and stores the steps of them that move no money. */
@Injectable()
export class PaymentStore {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The account's present. */
  now(owner: Pick<PaymentKey, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(owner);
  }

  find({ accountId, livemode, id }: PaymentKey): Promise<Payment | null> {
    return this.payments.findOneBy({ accountId, livemode, id });
  }

  /** Throws `NotFound`. */
  async load(key: PaymentKey): Promise<Payment> {
    return found(await this.find(key), 'payment');
  }

  /** The row of a step, and the payment after it. */
  changed(before: Readonly<Payment>, patch: Partial<Payment>, isReview = false): { after: Payment; write: Write } {
    const after = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
    if (after.status !== before.status) assertTransition(before.status, after.status, isReview);
    return { after, write: paymentChange(after, before) };
  }

  /** Throws `ChangedElsewhere`. */
  async step(
    before: Readonly<Payment>,
    patch: Partial<Payment>,
    more: (after: Payment) => readonly Write[] = () => [],
  ): Promise<Payment> {
    const { after, write } = this.changed(before, patch);
    await this.write([write, ...more(after)]);
    return after;
  }

  /** Throws `ChangedElsewhere`. */
  async write(writes: readonly Write[]): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw isRowChanged(error) ? new ChangedElsewhere() : error;
    }
  }

  /** Keeps `row`, and that the payment must be looked at now. */
  async makeDue({ accountId, livemode, id }: PaymentKey, row: Write): Promise<void> {
    const now = await this.now({ accountId, livemode });
    await this.unitOfWork.run(async (tx) => {
      await this.unitOfWork.write(tx, [row]);
      await tx.query(MAKE_DUE, [accountId, livemode, id, now]);
    });
  }

  /** Takes a payment that is due at `at` for one checker: for a while nobody else gets it. */
  async lease({ accountId, livemode, id }: PaymentKey, at: Date): Promise<boolean> {
    const until = new Date((await this.now({ accountId, livemode })).getTime() + LEASE_MS);
    const [, changed]: [unknown, number] = await this.unitOfWork.run((tx) =>
      tx.query(LEASE, [accountId, livemode, id, at, until]),
    );
    return changed === 1;
  }
}

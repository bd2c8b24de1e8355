import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { found } from '../../core/errors/not-found';
import { encodeId } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import { TransactionsService } from '../transactions/transactions.service';
import { Purchase } from './purchase.entity';
import { PurchaseAttempt } from './purchase-attempt.entity';
import type { Running } from './purchase-step.batch';
import { InvalidPurchaseTransition } from './purchases.errors';

export interface PurchaseKey {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
}

/** Reads purchases as they are stored. */
@Injectable()
export class LoadingService {
  constructor(
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
    @InjectRepository(PurchaseAttempt) private readonly attempts: Repository<PurchaseAttempt>,
    private readonly transactions: TransactionsService,
  ) {}

  /** By public id or the caller's reference. Throws `NotFound`; `InvalidPurchaseTransition` when it is something else than a purchase. */
  async loadPublic({ accountId, livemode }: Viewer, idOrReference: string, wanted: string): Promise<Running> {
    const { id, status } = await this.transactions.require({ accountId, livemode }, idOrReference);
    if (!(await this.purchases.existsBy({ accountId, livemode, id })))
      throw new InvalidPurchaseTransition(id, status, wanted);
    return this.load({ accountId, livemode, id });
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
}

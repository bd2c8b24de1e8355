import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import type { Tx } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { Account } from './account.entity';

/** What others may know of an account. */
export type AccountRecord = Readonly<Account>;

@Injectable()
export class AccountsService {
  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  async create(tx: Tx, id: string, name: string): Promise<void> {
    await tx.insert(Account, { id, name });
  }

  /** Throws `NotFound`. */
  async require(id: string | null): Promise<AccountRecord> {
    return found(id === null ? null : await this.accounts.findOneBy({ id }), 'account');
  }

  /** In no order. */
  listAll(tx: Tx): Promise<AccountRecord[]> {
    return tx.find(Account);
  }

  /** Newest first, below the uuid `before`. */
  list(before: string | null, take: number): Promise<AccountRecord[]> {
    return this.accounts.find({ where: before === null ? {} : { id: LessThan(before) }, order: { id: 'DESC' }, take });
  }

  /** Opens live mode, so that live keys can be made, or closes it. Throws `NotFound`. */
  async setLive(tx: Tx, id: string, liveEnabled: boolean): Promise<AccountRecord> {
    await tx.update(Account, { id }, { liveEnabled });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** Which fees count from now on. Throws `NotFound`. */
  async setTier(tx: Tx, id: string, tier: string): Promise<AccountRecord> {
    await tx.update(Account, { id }, { tier });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** From now on, or no longer, what moves money is refused without key or reference. Throws `NotFound`. */
  async setRequireIdempotencyKey(tx: Tx, id: string, isRequired: boolean): Promise<AccountRecord> {
    await tx.update(Account, { id }, { requireIdempotencyKey: isRequired });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }
}

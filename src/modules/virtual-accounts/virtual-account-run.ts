import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Cells } from '../../core/cells/cells';
import { Clock, Rewinds } from '../../core/clock/clock';
import { rows } from '../../core/database/rows';
import { isRowChanged, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { slotOf } from '../../core/http/ids';
import { checkDelayMs } from '../../providers/client';
import { Requeries } from '../../providers/requeries';
import { BankClient } from './bank-client';
import { VirtualAccount } from './virtual-account.entity';

/** A changed account. A step is about the version that it read: of two that read the same one the second fails. */
const accountChange = rows(VirtualAccount).update({
  name: 'update_virtual_accounts',
  change: [
    'status',
    'providerReference',
    'bank',
    'accountNumber',
    'accountName',
    'isOpenThere',
    'failure',
    'nextCheckAt',
    'checks',
    'version',
    'updatedAt',
  ],
  was: ['version'],
});

/** The account after a step, and the row of it. */
export function accountStep(before: Readonly<VirtualAccount>, patch: Partial<VirtualAccount>) {
  const after: VirtualAccount = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
  return { after, write: accountChange(after, before) };
}

/** Nothing more is taken: the provider is told, too, at once. */
export const endOf = (status: 'used' | 'expired' | 'closed', now: Date): Partial<VirtualAccount> => ({
  status,
  checks: 0,
  nextCheckAt: now,
});

/**
 * What becomes of virtual accounts: a provider is asked for their numbers until it answers, they expire, and the
 * provider is told of their end.
 */
@Injectable()
export class VirtualAccountRun implements OnModuleInit {
  constructor(
    @InjectRepository(VirtualAccount) private readonly virtualAccounts: Repository<VirtualAccount>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
    private readonly bank: BankClient,
    private readonly cells: Cells,
  ) {}

  onModuleInit(): void {
    const table = 'virtual_accounts';
    this.rewinds.include({ table, columns: ['next_check_at'] });
    this.rewinds.include({ table, columns: ['expires_at'], where: `status IN ('pending', 'active')` });
    this.requeries.include({ table, look: (key) => this.look(key) });
  }

  /** The account's present. */
  now(owner: Pick<Key, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(owner);
  }

  /** Throws `KeptElsewhere`. */
  async find({ accountId, livemode, id }: Key): Promise<VirtualAccount | null> {
    this.cells.requireHere(slotOf(accountId));
    return this.virtualAccounts.findOneBy({ accountId, livemode, id });
  }

  /** Does what an account is due for: its number is asked for, it expires, the provider is told of its end. */
  async look(key: Key): Promise<VirtualAccount> {
    const account = found(await this.find(key), 'virtual account');
    const now = await this.now(account);
    const patch = await this.dueOf(account, now);
    if (patch === null) return account;
    // Somebody else has made a step meanwhile: what is stored counts.
    return (await this.step(account, patch)) ?? found(await this.find(key), 'virtual account');
  }

  private async dueOf(account: VirtualAccount, now: Date): Promise<Partial<VirtualAccount> | null> {
    const { status, expiresAt, checks, isOpenThere } = account;
    if (status === 'active') return expiresAt !== null && expiresAt <= now ? endOf('expired', now) : this.rest(account);
    const later = { checks: checks + 1, nextCheckAt: new Date(now.getTime() + checkDelayMs(checks)) };
    if (status === 'pending') {
      const { outcome, ...said } = await this.bank.open(account);
      if (outcome === 'opened')
        return { ...said, status: 'active', isOpenThere: true, checks: 0, nextCheckAt: expiresAt };
      if (outcome !== 'not_opened') return later;
      const failure = said as VirtualAccount['failure'];
      return { status: 'failed', failure, nextCheckAt: null };
    }
    if (!isOpenThere) return this.rest(account);
    const { outcome } = await this.bank.close(account);
    return outcome === 'closed' ? { isOpenThere: false, nextCheckAt: null } : later;
  }

  /** Nothing is due; what looked at it may have put the time off. */
  private rest({ status, expiresAt, nextCheckAt }: VirtualAccount): Partial<VirtualAccount> | null {
    const due = status === 'active' ? expiresAt : null;
    return nextCheckAt?.getTime() === due?.getTime() ? null : { nextCheckAt: due };
  }

  /** Null: it is of another version by now. */
  async step(before: VirtualAccount, patch: Partial<VirtualAccount>): Promise<VirtualAccount | null> {
    const { after, write } = accountStep(before, patch);
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [write]));
      return after;
    } catch (error) {
      if (isRowChanged(error)) return null;
      throw error;
    }
  }
}

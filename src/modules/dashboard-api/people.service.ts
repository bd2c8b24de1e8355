import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { constraintOf, type Tx } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { newId, newIdOf } from '../../core/http/ids';
import { MailsService } from '../../core/mail/mails.service';
import { WalletChangesService } from '../wallets/wallet-changes.service';
import { PASSWORD_CHANGED } from './people/letters';
import { TeamMember, User } from './people/people.entity';
import type { Role } from './roles';

/** An account of a person, and what they are there. */
export interface OwnAccount {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
}

const ACCOUNTS_OF = `
  SELECT m.account_id AS "accountId", a.name, m.role FROM team_members m JOIN accounts a ON a.id = m.account_id
   WHERE m.user_id = $1 AND m.removed_at IS NULL ORDER BY m.id`;

const TOLD_WITHIN_SECONDS = 2 * 24 * 3_600;

/** One spelling of an e-mail address. */
export const sameEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** Keeps people and what ties them to accounts. */
@Injectable()
export class PeopleService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly opening: WalletChangesService,
    private readonly mails: MailsService,
  ) {}

  /** Whoever has the address, who was invited with it first: at most two. */
  listByEmail(email: string): Promise<User[]> {
    return this.users.find({ where: { email }, order: { proven: 'DESC' } });
  }

  /** Null: somebody else took the address at the same moment. */
  async register(person: Pick<User, 'email' | 'name' | 'passwordHash' | 'proven'>): Promise<User | null> {
    const id = newId();
    try {
      await this.users.insert({ id, ...person });
    } catch (error) {
      if (constraintOf(error) === 'users_email') return null;
      throw error;
    }
    return this.users.findOneByOrFail({ id });
  }

  /** What ties a person to the account that they were in last; null for somebody who is in no team any more. */
  findMembership(userId: string): Promise<TeamMember | null> {
    const order = { lastUsedAt: { direction: 'DESC', nulls: 'LAST' }, id: 'ASC' } as const;
    return this.members.findOne({ where: { userId, removedAt: IsNull() }, order });
  }

  /** Likewise to one account; null for who is not in its team. */
  findMembershipIn(userId: string, accountId: string): Promise<TeamMember | null> {
    return this.members.findOneBy({ accountId, userId, removedAt: IsNull() });
  }

  /** Every account of a person, first the one that they have been in longest. */
  accountsOf(userId: string): Promise<OwnAccount[]> {
    return this.members.query(ACCOUNTS_OF, [userId]);
  }

  /** A new account, with test wallets, that the person owns. */
  async openAccount({ id: userId, email, name }: User, accountName: string): Promise<TeamMember> {
    const account = await this.opening.openAccount(accountName);
    const id = newIdOf(account.id);
    await this.members.insert({ accountId: account.id, id, userId, email, name, role: 'owner' });
    return this.members.findOneByOrFail({ accountId: account.id, id });
  }

  /** Makes somebody an operator of the platform, or no longer. Throws `NotFound`. */
  async setOperator(tx: Tx, email: string, operator: boolean): Promise<User> {
    const user = found((await this.listByEmail(email))[0], 'person', '/email');
    await tx.update(User, { id: user.id }, { operator });
    return { ...user, operator };
  }

  /** Whether anybody looks after the platform. */
  hasOperators(): Promise<boolean> {
    return this.users.existsBy({ operator: true });
  }

  /** Somebody was invited with the address, and has its password. */
  async prove({ id }: User): Promise<void> {
    await this.users.update({ id }, { proven: true });
  }

  /** Somebody who lost what they log in with. */
  async removePasskeys(tx: Tx, { id }: Pick<User, 'id'>): Promise<void> {
    await tx.query('DELETE FROM passkeys WHERE user_id = $1', [id]);
  }

  find(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** Whoever has the address is told. */
  async setPassword(tx: Tx, { id, email }: Pick<User, 'id' | 'email'>, passwordHash: string): Promise<void> {
    await tx.update(User, { id }, { passwordHash });
    const mail = { kind: 'password.changed', to: email, goodForSeconds: TOLD_WITHIN_SECONDS };
    await this.mails.add(tx, { ...mail, letter: PASSWORD_CHANGED });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import { Clock } from '../../core/clock/clock';
import { constraintOf, type Tx } from '../../core/database/unit-of-work';
import { found, ServiceUnavailable } from '../../core/errors/domain-error';
import { newId, newIdOf } from '../../core/http/ids';
import { MailsService } from '../../core/mail/mails.service';
import { WalletChangesService } from '../wallets/wallet-changes.service';
import { PASSWORD_CHANGED } from './people/letters';
import { type Membership, OtherCells } from './people/other-cells.service';
import { TeamMember, User } from './people/people.entity';
import { hashToken } from './people/sessions.service';
import type { Role } from './roles';

/** An account of a person, and what they are there. */
export interface OwnAccount {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
}

/** What ties a person to an account, as cells tell each other. */
export type Tie = Pick<TeamMember, 'accountId' | 'id' | 'userId' | 'email' | 'name' | 'role'>;

type Invited = Pick<TeamMember, 'accountId' | 'id' | 'email' | 'name'>;

const MEMBERSHIPS = `
  SELECT m.account_id AS "accountId", a.name AS "accountName", m.id, m.user_id AS "userId", m.email, m.name, m.role,
         m.last_used_at AS "lastUsedAt"
    FROM team_members m JOIN accounts a ON a.id = m.account_id
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
    private readonly control: ControlCell,
    private readonly others: OtherCells,
    private readonly clock: Clock,
  ) {}

  /** Whoever has the address, who was invited with it first: at most two. */
  listByEmail(email: string): Promise<User[]> {
    return this.users.find({ where: { email }, order: { proven: 'DESC' } });
  }

  /** Null: somebody else took the address at the same moment. */
  async register(person: Pick<User, 'email' | 'name' | 'passwordHash' | 'proven'>): Promise<User | null> {
    this.control.requireHere();
    const id = newId();
    try {
      await this.users.insert({ id, ...person });
    } catch (error) {
      if (constraintOf(error) === 'users_email') return null;
      throw error;
    }
    return this.users.findOneByOrFail({ id });
  }

  /**
   * What ties a person to the account that they were in last, in whichever cell; null for somebody who is in no team
   * any more. Throws `ServiceUnavailable` when only a cell that does not answer could tell.
   */
  async findMembership(userId: string): Promise<Tie | null> {
    const [own, { all, away }] = await Promise.all([
      this.membershipsHere(userId),
      this.others.membershipsOf(userId, { forceRefresh: true }),
    ]);
    const [last] = [...own, ...all].sort(byLastUse);
    if (last === undefined && away.length > 0)
      throw new ServiceUnavailable(`The cell ${away[0]!.name}, where accounts may be, did not answer. Come again.`);
    return last ?? null;
  }

  /** Likewise to one account; null for who is not in its team. */
  async findMembershipIn(userId: string, accountId: string): Promise<Tie | null> {
    if (this.others.isHere(accountId)) return this.members.findOneBy({ accountId, userId, removedAt: IsNull() });
    const ties = await this.others.ask<Membership[]>(accountId, 'memberships', { userId });
    return ties.find((tie) => tie.accountId === accountId) ?? null;
  }

  /** Those of this cell, first the one that they have been in longest. */
  membershipsHere(userId: string): Promise<Membership[]> {
    return this.members.query(MEMBERSHIPS, [userId]);
  }

  /** Every account of a person, first the one that they have been in longest; without those of cells that are away. */
  async accountsOf(userId: string): Promise<OwnAccount[]> {
    const [own, { all }] = await Promise.all([this.membershipsHere(userId), this.others.membershipsOf(userId)]);
    return [...own, ...all]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ accountId, accountName: name, role }) => ({ accountId, name, role }));
  }

  /** Whether other cells keep accounts, too. */
  get hasOtherCells(): boolean {
    return this.others.all.length > 0;
  }

  /** A new account, with test wallets, that the person owns. `cell`: which keeps it; absent: this one. */
  async openAccount(user: Pick<User, 'id' | 'email' | 'name'>, accountName: string, cell?: string): Promise<Tie> {
    const asked = { id: user.id, email: user.email, name: user.name, accountName };
    this.others.forget(user.id);
    if (cell !== undefined) return this.others.askNamed(cell, 'open-account', { ...asked, isFirst: true });
    return this.openAccountHere({ ...asked, isFirst: false });
  }

  /** `isFirst`: for somebody without one; to ask for it twice opens one. */
  async openAccountHere({
    id: userId,
    email,
    name,
    accountName,
    isFirst,
  }: Pick<User, 'id' | 'email' | 'name'> & { accountName: string; isFirst: boolean }): Promise<Tie> {
    const [first] = isFirst ? await this.membershipsHere(userId) : [];
    if (first !== undefined) return first;
    const account = await this.opening.openAccount(accountName);
    const id = newIdOf(account.id);
    await this.members.insert({ accountId: account.id, id, userId, email, name, role: 'owner' });
    return this.members.findOneByOrFail({ accountId: account.id, id });
  }

  /** Who was invited with the token of a link that is good; null: nobody. */
  async findInvitation(token: string): Promise<Invited | null> {
    const hash = hashToken(token);
    const elsewhere = await this.others.askOfToken<Invited | 'none'>(token, 'find-invitation', {
      hash: hash.toString('hex'),
    });
    const invited = elsewhere ?? (await this.findInvitationHere(hash));
    return invited === 'none' ? null : invited;
  }

  async findInvitationHere(inviteHash: Buffer): Promise<Invited | 'none'> {
    const invited = await this.members.findOneBy({ inviteHash, userId: IsNull(), removedAt: IsNull() });
    const now = invited && (await this.clock.now({ accountId: invited.accountId, livemode: true }));
    if (invited === null || invited.inviteUntil! <= now!) return 'none';
    const { accountId, id, email, name } = invited;
    return { accountId, id, email, name };
  }

  /** Uses the invitation up. False: somebody has, or the person is in the team. */
  join({ accountId, id }: Invited, userId: string): Promise<boolean> {
    const joining = { accountId, id, userId };
    this.others.forget(userId);
    return this.others.isHere(accountId) ? this.joinHere(joining) : this.others.ask(accountId, 'join', joining);
  }

  async joinHere({ accountId, id, userId }: Pick<TeamMember, 'accountId' | 'id' | 'userId'>): Promise<boolean> {
    const { affected } = await this.members.update(
      { accountId, id, userId: IsNull(), removedAt: IsNull() },
      { userId, inviteHash: null, inviteUntil: null },
    );
    return affected !== 0;
  }

  /** Makes somebody an operator of the platform, or no longer. Throws `NotFound`. */
  async setOperator(tx: Tx, email: string, operator: boolean): Promise<User> {
    this.control.requireHere();
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
    this.control.requireHere();
    await this.users.update({ id }, { proven: true });
  }

  /** Somebody who lost what they log in with. */
  async removePasskeys(tx: Tx, { id }: Pick<User, 'id'>): Promise<void> {
    this.control.requireHere();
    await tx.query('DELETE FROM passkeys WHERE user_id = $1', [id]);
  }

  find(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** Whoever has the address is told. */
  async setPassword(tx: Tx, { id, email }: Pick<User, 'id' | 'email'>, passwordHash: string): Promise<void> {
    this.control.requireHere();
    await tx.update(User, { id }, { passwordHash });
    const mail = { kind: 'password.changed', to: email, goodForSeconds: TOLD_WITHIN_SECONDS };
    await this.mails.add(tx, { ...mail, letter: PASSWORD_CHANGED });
  }
}

/** Who was there last comes first; who never was, by the time of joining. */
function byLastUse(a: Membership, b: Membership): number {
  const [left, right] = [a, b].map(({ lastUsedAt }) => (lastUsedAt === null ? -1 : new Date(lastUsedAt).getTime()));
  return right! - left! || (a.id < b.id ? -1 : 1);
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { constraintOf, type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { makeToken, newIdOf } from '../../core/http/ids';
import { MailsService, type MailWay } from '../../core/mail/mails.service';
import type { AccountRecord } from '../accounts/accounts.service';
import { AlreadyMember, InsufficientRole, LastOwner } from './dashboard.errors';
import { sameEmail } from './people.service';
import { AttemptsService } from './people/attempts.service';
import { inviteLetter } from './people/letters';
import { hashToken, SessionsService, type SignedIn } from './people/sessions.service';
import { TeamMember } from './people/people.entity';
import type { Role } from './roles';

const INVITE_MS = 7 * 24 * 3_600_000;

/** An invitation that nobody has accepted. */
const OPEN = { userId: IsNull(), removedAt: IsNull() };

export interface Invited {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface Invitation {
  readonly member: TeamMember;
  readonly token: string;
  /** What became of the letter. */
  readonly mail: MailWay;
}

/** The people of an account. Only an owner makes, changes or removes an owner, and one always stays. */
@Injectable()
export class TeamService {
  constructor(
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: SessionsService,
    private readonly attempts: AttemptsService,
    private readonly mails: MailsService,
    private readonly clock: Clock,
  ) {}

  list({ accountId }: SignedIn): Promise<TeamMember[]> {
    return this.members.find({ where: { accountId, removedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** The token is shown once, and sent. Throws `InsufficientRole`, `AlreadyMember`, `TooManyAttempts`. */
  async invite(me: SignedIn, invited: Invited): Promise<Invitation> {
    requireOwnerFor(me, invited.role);
    await this.attempts.count('invite', me.accountId);
    return this.add({ id: me.accountId, name: me.accountName }, invited, me.name);
  }

  /** Likewise, by an operator. `inviter`: a name, as the letter says it. */
  async add(
    { id: accountId, name: accountName }: Pick<AccountRecord, 'id' | 'name'>,
    { email: given, name, role }: Invited,
    inviter: string,
  ): Promise<Invitation> {
    const [id, token, email] = [newIdOf(accountId), makeToken(accountId), sameEmail(given)];
    const now = await this.clock.now({ accountId, livemode: true });
    const invite = { inviteHash: hashToken(token), inviteUntil: new Date(now.getTime() + INVITE_MS) };
    try {
      await this.unitOfWork.run(async (tx) => {
        await tx.insert(TeamMember, { accountId, id, email, name, role, ...invite });
        const letter = inviteLetter(inviter, accountName, role, token);
        await this.mails.add(tx, { kind: 'team.invited', to: email, letter, goodForSeconds: INVITE_MS / 1_000 });
      });
    } catch (error) {
      if (constraintOf(error) === 'team_members_by_email') throw new AlreadyMember();
      throw error;
    }
    return { member: await this.members.findOneByOrFail({ accountId, id }), token, mail: await this.mails.way() };
  }

  /** A role counts from the member's next request on. Throws `NotFound`, `InsufficientRole`, `LastOwner`. */
  changeMember(me: SignedIn, id: string | null, { role, name }: { role?: Role; name?: string }): Promise<TeamMember> {
    return this.change(me, id, { ...(role && { role }), ...(name && { name }) });
  }

  /** Throws `NotFound` for who has joined, `InsufficientRole`, `TooManyAttempts`. */
  async resend(me: SignedIn, id: string | null): Promise<Invitation> {
    const { accountId } = me;
    const token = makeToken(accountId);
    const now = await this.clock.now({ accountId, livemode: true });
    const invite = { inviteHash: hashToken(token), inviteUntil: new Date(now.getTime() + INVITE_MS) };
    const open = found(id === null ? null : await this.members.findOneBy({ ...OPEN, accountId, id }), 'invitation');
    requireOwnerFor(me, open.role);
    await this.attempts.count('invite', accountId);
    await this.unitOfWork.run(async (tx) => {
      const { affected } = await tx.update(TeamMember, { ...OPEN, accountId, id: open.id }, invite);
      found(affected || null, 'invitation');
      const letter = inviteLetter(me.name, me.accountName, open.role, token);
      await this.mails.add(tx, { kind: 'team.invited', to: open.email, letter, goodForSeconds: INVITE_MS / 1_000 });
    });
    return { member: { ...open, ...invite }, token, mail: await this.mails.way() };
  }

  /** Ends all sessions of the member in this account. Throws `NotFound`, `InsufficientRole`, `LastOwner`. */
  async remove(me: SignedIn, id: string | null): Promise<TeamMember> {
    const member = await this.change(me, id, { removedAt: new Date() });
    if (member.userId !== null) await this.sessions.endAll(member.userId, { accountId: me.accountId });
    return member;
  }

  private change(me: SignedIn, id: string | null, changes: Partial<TeamMember>): Promise<TeamMember> {
    const { accountId } = me;
    return this.unitOfWork.run(async (tx) => {
      // All of them, in one order: of two owners who remove each other the second finds that they would be the last.
      const team = await this.lock(tx, accountId);
      const member = found(
        team.find((one) => one.id === id),
        'member',
      );
      requireOwnerFor(me, member.role, changes.role ?? member.role);
      const owners = team.filter(({ role, userId }) => role === 'owner' && userId !== null);
      const leaves = changes.removedAt !== undefined || (changes.role !== undefined && changes.role !== 'owner');
      if (leaves && owners.length === 1 && owners[0] === member) throw new LastOwner();
      if (Object.keys(changes).length > 0) await tx.update(TeamMember, { accountId, id: member.id }, changes);
      return { ...member, ...changes };
    });
  }

  private lock(tx: Tx, accountId: string): Promise<TeamMember[]> {
    return tx.find(TeamMember, {
      where: { accountId, removedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }
}

function requireOwnerFor({ role }: SignedIn, ...roles: Role[]): void {
  if (role !== 'owner' && roles.includes('owner')) throw new InsufficientRole(null);
}

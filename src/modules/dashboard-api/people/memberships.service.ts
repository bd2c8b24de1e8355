import { Injectable } from '@nestjs/common';
import { found } from '../../../core/errors/domain-error';
import { encodeId } from '../../../core/http/ids';
import { AuditService } from '../audit.service';
import { OtherAccount } from '../dashboard.errors';
import { PeopleService, type Tie } from '../people.service';
import { TeamService } from '../team.service';
import { AttemptsService } from './attempts.service';
import { type NewSession, type Origin, SessionsService, type SignedIn } from './sessions.service';

/**
 * The accounts of a person. A session is of one account for as long as it lasts: to go to another begins a new one,
 * with a new token, which ends when the first would have and knows of no fresh proof.
 */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly people: PeopleService,
    private readonly team: TeamService,
    private readonly sessions: SessionsService,
    private readonly attempts: AttemptsService,
    private readonly audit: AuditService,
  ) {}

  /** Throws `NotFound` for an account that the person is not in, whether there is one or not. */
  async goTo(me: SignedIn, accountId: string | null, origin: Origin): Promise<NewSession> {
    const member = accountId && (await this.people.findMembershipIn(me.userId, accountId));
    return this.moveTo(found(member || null, 'account'), me, origin, 'person.came');
  }

  /** A new account, which the person owns. Throws `TooManyAttempts`. */
  async open(me: SignedIn, name: string, origin: Origin): Promise<NewSession> {
    await this.attempts.count('sign_up', origin.ip);
    const user = found(await this.people.find(me.userId), 'person');
    return this.moveTo(await this.people.openAccount(user, name), me, origin, 'account.opened');
  }

  /**
   * The person is in the team no more: every session of theirs in this account ends. Null for who is in no other.
   * `meant`: the account that the page shows. Throws `OtherAccount`, `LastOwner`.
   */
  async leave(me: SignedIn, meant: string | null, origin: Origin): Promise<NewSession | null> {
    const { accountId, userId, email: actor } = me;
    if (meant !== accountId) throw new OtherAccount();
    await this.team.remove(me, me.memberId);
    const target = encodeId('mem', me.memberId);
    await this.audit.record({ accountId, userId, actor, action: 'team.left', target, ip: origin.ip });
    const next = await this.people.findMembership(userId);
    return next && this.moveTo(next, me, origin, 'person.came');
  }

  private async moveTo(member: Tie, me: SignedIn, origin: Origin, action: string): Promise<NewSession> {
    const session = await this.sessions.begin(member, origin, me.startedAt);
    await this.sessions.endAll(me.userId, { only: me.sessionId });
    const { accountId, userId, email: actor } = session.signedIn;
    await this.audit.record({ accountId, userId, actor, action, ip: origin.ip });
    return session;
  }
}

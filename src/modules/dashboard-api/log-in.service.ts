import { Injectable } from '@nestjs/common';
import { AuditService } from './audit.service';
import { InvalidCredentials } from './dashboard.errors';
import { IdentityService, type Proof } from './identity.service';
import { PeopleService } from './people.service';
import type { NewSession, Origin } from './people.types';
import { SessionsService } from './sessions.service';
import type { TeamMember } from './team-member.entity';

/** One spelling of an e-mail address. */
export const sameEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** Lets people in. */
@Injectable()
export class LogInService {
  constructor(
    private readonly people: PeopleService,
    private readonly identity: IdentityService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /** Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. */
  async logIn(given: string, proof: Proof, origin: Origin): Promise<NewSession> {
    const email = sameEmail(given);
    await this.identity.countTry(email, origin.ip);
    const user = await this.identity.requireProof(await this.people.listByEmail(email), proof, origin.ip);
    const member = await this.people.findMembership(user.id);
    if (member === null) throw new InvalidCredentials();
    await this.identity.forgiveTries(email, origin.ip);
    return this.enter(member, origin, 'person.logged_in');
  }

  /** A session of somebody who has proved who they are. */
  async enter(member: TeamMember, origin: Origin, action: string): Promise<NewSession> {
    const session = await this.sessions.begin(member, origin);
    const { accountId, userId, email } = session.signedIn;
    await this.audit.record({ accountId, userId, actor: email, action, ip: origin.ip });
    return session;
  }
}

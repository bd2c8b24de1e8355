import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { AuditService } from './audit.service';
import { TotpEnabled } from './dashboard.errors';
import { AttemptsService } from './people/attempts.service';
import { IdentityService, type Proof } from './people/identity.service';
import { PasswordsService } from './people/passwords.service';
import type { User } from './people/people.entity';
import { type NewSession, type Origin, SessionsService, type SignedIn } from './people/sessions.service';
import { makeRecoveryCode, TotpService } from './people/totp.service';
import { PeopleService, sameEmail } from './people.service';

/** What signed-in people do for their own safety, and the way back for those who lost what they log in with. */
@Injectable()
export class SecurityService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly identity: IdentityService,
    private readonly attempts: AttemptsService,
    private readonly passwords: PasswordsService,
    private readonly totp: TotpService,
    private readonly people: PeopleService,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async logOut(me: SignedIn, ip: string): Promise<void> {
    await this.sessions.end(me, me.sessionId);
    await this.record(me, 'person.logged_out', ip);
  }

  async logOutEverywhere(me: SignedIn, ip: string): Promise<void> {
    await this.sessions.endAll(me.userId);
    await this.record(me, 'person.logged_out_everywhere', ip);
  }

  /** Throws `NotFound`. */
  async endSession(me: SignedIn, id: string | null, ip: string): Promise<void> {
    await this.sessions.end(me, id);
    await this.record(me, 'session.ended', ip, encodeId('ses', id!));
  }

  /** Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. */
  async stepUp(me: SignedIn, proof: Proof, ip: string): Promise<Date> {
    await this.identity.requireAgain(me, proof, ip);
    return this.steppedUp(me, ip);
  }

  /** Somebody has proved who they are, now. */
  async steppedUp(me: SignedIn, ip: string): Promise<Date> {
    const until = await this.sessions.stepUp(me);
    await this.record(me, 'person.stepped_up', ip);
    return until;
  }

  /**
   * All sessions end; the browser that asked gets a new one.
   * Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`, `WeakPassword`.
   */
  async changePassword(
    me: SignedIn,
    { current, code, next }: { current: string; code?: string | null; next: string },
    origin: Origin,
  ): Promise<NewSession> {
    await this.identity.requireAgain(me, { password: current, code }, origin.ip);
    await this.passwords.requireStrong(next, {
      known: [me.email, me.name, me.accountName],
      withTotp: me.totpEnabled,
      param: '/next',
    });
    await this.setPassword({ id: me.userId, email: me.email }, next);
    await this.record(me, 'password.changed', origin.ip);
    return this.sessions.begin(me, origin);
  }

  // Turning codes on or off ends the other sessions of the person, who may not know of them.

  /** Throws `TotpEnabled`: a stolen session must not move the codes to another phone. */
  setUpTotp(me: SignedIn): Promise<{ secret: string; uri: string }> {
    if (me.totpEnabled) throw new TotpEnabled();
    return this.totp.setUp(me);
  }

  /** Recovery codes, for the only time. Throws `TotpEnabled`, `WrongTotpCode`, `TooManyAttempts`. */
  async confirmTotp(me: SignedIn, code: string, ip: string): Promise<string[]> {
    if (me.totpEnabled) throw new TotpEnabled();
    await this.attempts.count('proof', me.userId);
    const codes = await this.totp.confirm(me, code);
    await this.attempts.forgive('proof', me.userId);
    await this.sessions.endAll(me.userId, { spared: await this.sessions.renew(me) });
    await this.record(me, 'totp.enabled', ip);
    return codes;
  }

  /**
   * Takes the password and a code: who has only a session, or only the phone, cannot.
   * Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`, `WeakPassword`: one that was enough beside codes.
   */
  async disableTotp(me: SignedIn, proof: Proof, ip: string): Promise<void> {
    await this.identity.requireAgain(me, proof, ip);
    this.passwords.requireLongAlone(proof.password);
    await this.totp.disable(me);
    await this.sessions.endAll(me.userId, { spared: await this.sessions.renew(me) });
    await this.record(me, 'totp.disabled', ip);
  }

  /**
   * By an operator who knows that it is them: a new password, shown once; one-time codes are off, passkeys removed and
   * all sessions over.
   * Throws `NotFound`.
   */
  async recover(given: string): Promise<string> {
    const user = found((await this.people.listByEmail(sameEmail(given)))[0], 'person');
    const userId = user.id;
    const password = makeRecoveryCode();
    const member = await this.people.findMembership(userId);
    await this.setPassword(user, password);
    await this.totp.disable({ userId });
    await this.unitOfWork.run((tx) => this.people.removePasskeys(tx, user));
    if (member !== null) {
      const { accountId } = member;
      await this.audit.record({ accountId, userId, actor: 'operator', action: 'person.recovered', ip: null });
    }
    return password;
  }

  /** In one: a password that is new while old sessions go on would be none. */
  private async setPassword(user: Pick<User, 'id' | 'email'>, password: string): Promise<void> {
    const passwordHash = await this.passwords.hash(password);
    await this.unitOfWork.run(async (tx) => {
      await this.people.setPassword(tx, user, passwordHash);
      await this.sessions.endAll(user.id, { tx });
    });
  }

  private record(
    { accountId, userId, email: actor }: SignedIn,
    action: string,
    ip: string,
    target?: string,
  ): Promise<void> {
    return this.audit.record({ accountId, userId, actor, action, ip, target });
  }
}

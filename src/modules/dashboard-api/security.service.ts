import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { AuditService } from './audit.service';
import { IdentityService, type Proof } from './identity.service';
import { NewPasswordsService } from './new-passwords.service';
import type { NewSession, Origin, SignedIn } from './people.types';
import { SessionsService } from './sessions.service';

/** What signed-in people do for their own safety. */
@Injectable()
export class SecurityService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly identity: IdentityService,
    private readonly newPasswords: NewPasswordsService,
    private readonly audit: AuditService,
  ) {}

  async logOut(me: SignedIn, ip: string): Promise<void> {
    await this.sessions.end(me, me.sessionId);
    await this.record(me, 'person.logged_out', ip);
  }

  async logOutEverywhere(me: SignedIn, ip: string): Promise<void> {
    await this.sessions.endAll(me);
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
    const until = await this.sessions.stepUp(me);
    await this.record(me, 'person.stepped_up', ip);
    return until;
  }

  /** All sessions end; the browser that asked gets a new one. Throws `InvalidCredentials`, `TotpRequired`, `WeakPassword`. */
  async changePassword(
    me: SignedIn,
    { current, code, next }: { current: string; code?: string | null; next: string },
    origin: Origin,
  ): Promise<NewSession> {
    await this.newPasswords.change(me, { password: current, code }, { next, ip: origin.ip });
    await this.sessions.endAll(me);
    await this.record(me, 'password.changed', origin.ip);
    return this.sessions.begin(me, origin);
  }

  private record(
    { accountId, userId, email: actor }: SignedIn,
    ...[action, ip, target]: [string, string, string?]
  ): Promise<void> {
    return this.audit.record({ accountId, userId, actor, action, ip, target });
  }
}

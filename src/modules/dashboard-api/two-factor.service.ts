import { Injectable } from '@nestjs/common';
import { AttemptsService } from './attempts.service';
import { AuditService } from './audit.service';
import { TotpEnabled } from './dashboard.errors';
import { IdentityService, type Proof } from './identity.service';
import type { SignedIn } from './people.types';
import { SessionsService } from './sessions.service';
import { TotpService } from './totp.service';

/** Turns one-time codes on and off; either ends the other sessions of the person, who may not know of them. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly totp: TotpService,
    private readonly identity: IdentityService,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /** Throws `TotpEnabled`: a stolen session must not move the codes to another phone. */
  setUp(me: SignedIn): Promise<{ secret: string; uri: string }> {
    if (me.totpEnabled) throw new TotpEnabled();
    return this.totp.setUp(me);
  }

  /** Recovery codes, for the only time. Throws `TotpEnabled`, `WrongTotpCode`, `TooManyAttempts`. */
  async confirm(me: SignedIn, code: string, ip: string): Promise<string[]> {
    if (me.totpEnabled) throw new TotpEnabled();
    await this.attempts.count('proof', me.userId);
    const codes = await this.totp.confirm(me, code);
    await this.attempts.forgive('proof', me.userId);
    await this.sessions.endAll(me, me.sessionId);
    await this.record(me, 'totp.enabled', ip);
    return codes;
  }

  /** Takes the password and a code: who has only a session, or only the phone, cannot. Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. */
  async disable(me: SignedIn, proof: Proof, ip: string): Promise<void> {
    await this.identity.requireAgain(me, proof, ip);
    await this.totp.disable(me);
    await this.sessions.endAll(me, me.sessionId);
    await this.record(me, 'totp.disabled', ip);
  }

  private record({ accountId, userId, email: actor }: SignedIn, action: string, ip: string): Promise<void> {
    return this.audit.record({ accountId, userId, actor, action, ip });
  }
}

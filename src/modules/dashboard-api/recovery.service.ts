import { Injectable } from '@nestjs/common';
import { found } from '../../core/errors/not-found';
import { AuditService } from './audit.service';
import { sameEmail } from './log-in.service';
import { NewPasswordsService } from './new-passwords.service';
import { PeopleService } from './people.service';
import { SessionsService } from './sessions.service';
import { makeRecoveryCode } from './tokens.batch';

/** The way back for people who lost what they log in with, by an operator who knows that it is them. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly people: PeopleService,
    private readonly newPasswords: NewPasswordsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /** A new password, shown once; one-time codes are off and all sessions over. Throws `NotFound`. */
  async recover(given: string): Promise<string> {
    const user = found((await this.people.listByEmail(sameEmail(given)))[0], 'person');
    const password = makeRecoveryCode();
    await this.newPasswords.reset(user.id, password);
    const member = await this.people.findMembership(user.id);
    if (member !== null) {
      const { accountId } = member;
      await this.sessions.endAll({ accountId, userId: user.id });
      await this.audit.record({ accountId, userId: user.id, actor: 'operator', action: 'person.recovered', ip: null });
    }
    return password;
  }
}

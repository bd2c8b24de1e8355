import { Injectable } from '@nestjs/common';
import { AttemptsService } from './attempts.service';
import { InvalidCredentials } from './dashboard.errors';
import { IdentityService } from './identity.service';
import { LogInService, sameEmail } from './log-in.service';
import { PasswordsService } from './passwords.service';
import { PeopleService } from './people.service';
import type { NewSession, Origin } from './people.types';
import type { User } from './user.entity';

export interface Newcomer {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly accountName: string;
}

@Injectable()
export class SignUpService {
  constructor(
    private readonly people: PeopleService,
    private readonly passwords: PasswordsService,
    private readonly identity: IdentityService,
    private readonly logIns: LogInService,
    private readonly attempts: AttemptsService,
  ) {}

  /**
   * Opens an account and lets its owner in. An address that is known is answered as by log-in, after as much work: whoever
   * has its password is in, nobody else learns more than that. Throws `WeakPassword`, `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`.
   */
  async signUp({ name, email: given, password, accountName }: Newcomer, origin: Origin): Promise<NewSession> {
    const email = sameEmail(given);
    await this.attempts.count('sign_up', origin.ip);
    await this.identity.countTry(email, origin.ip);
    await this.passwords.requireStrong(password, { known: [email, name, accountName] });
    const known = await this.people.listByEmail(email);
    const user =
      known.length === 0
        ? await this.register(email, name, password)
        : await this.identity.requireProof(known, { password }, origin.ip);
    await this.identity.forgiveTries(email, origin.ip);
    // Also the way back for somebody whose first try was cut after the address was taken.
    const member = (await this.people.findMembership(user.id)) ?? (await this.people.openAccount(user, accountName));
    return this.logIns.enter(member, origin, known.length === 0 ? 'person.signed_up' : 'person.logged_in');
  }

  private async register(email: string, name: string, password: string): Promise<User> {
    const user = await this.people.register({
      email,
      name,
      passwordHash: await this.passwords.hash(password),
      proven: false,
    });
    if (user === null) throw new InvalidCredentials();
    return user;
  }
}

import { Injectable } from '@nestjs/common';
import { IdentityService, type Proof } from './identity.service';
import { PasswordsService } from './passwords.service';
import { PeopleService } from './people.service';
import type { SignedIn } from './people.types';
import { TotpService } from './totp.service';

@Injectable()
export class NewPasswordsService {
  constructor(
    private readonly identity: IdentityService,
    private readonly passwords: PasswordsService,
    private readonly people: PeopleService,
    private readonly totp: TotpService,
  ) {}

  /** Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`, `WeakPassword`. */
  async change(me: SignedIn, current: Proof, { next, ip }: { next: string; ip: string }): Promise<void> {
    await this.identity.requireAgain(me, current, ip);
    await this.passwords.requireStrong(next, {
      known: [me.email, me.name, me.accountName],
      withTotp: me.totpEnabled,
      param: '/next',
    });
    await this.people.setPassword(me.userId, await this.passwords.hash(next));
  }

  /** Also turns one-time codes off. */
  async reset(userId: string, password: string): Promise<void> {
    await this.people.setPassword(userId, await this.passwords.hash(password));
    await this.totp.disable({ userId });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AttemptsService } from './attempts.service';
import { InvalidCredentials, TotpRequired } from './dashboard.errors';
import { PasswordsService } from './passwords.service';
import type { SignedIn } from './people.types';
import { TotpService } from './totp.service';
import { User } from './user.entity';

/** What somebody shows to prove who they are. */
export interface Proof {
  readonly password: string;
  /** Of the authenticator app, or a recovery code. */
  readonly code?: string | null;
}

/** Tells whether somebody is who they say. Each check costs exactly one hash, whoever it is about. */
@Injectable()
export class IdentityService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
    private readonly totp: TotpService,
    private readonly attempts: AttemptsService,
  ) {}

  /** Counts a try for an address, known or not, before anything is looked up. Throws `TooManyAttempts`. */
  async countTry(email: string, ip: string): Promise<void> {
    await this.attempts.count('address', ip);
    await this.attempts.count('password', email, ip);
  }

  forgiveTries(email: string, ip: string): Promise<void> {
    return this.attempts.forgive('password', email, ip);
  }

  /** Somebody who is signed in proves it again. Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. */
  async requireAgain({ userId }: SignedIn, proof: Proof): Promise<User> {
    await this.attempts.count('proof', userId);
    const user = await this.requireProof(await this.users.findOneBy({ id: userId }), proof);
    await this.attempts.forgive('proof', userId);
    return user;
  }

  /** Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. `claimed` null: nobody has this address. */
  async requireProof(claimed: User | null, { password, code }: Proof): Promise<User> {
    const user = await this.requirePassword(claimed, password);
    if (user.totpSecret === null) return user;
    if (!code) throw new TotpRequired();
    await this.attempts.count('code', user.id);
    if (!(await this.totp.use(user, code))) throw new InvalidCredentials();
    await this.attempts.forgive('code', user.id);
    return user;
  }

  private async requirePassword(user: User | null, password: string): Promise<User> {
    const isRight = await this.passwords.verify(password, user?.passwordHash ?? null);
    if (user === null || !isRight) throw new InvalidCredentials();
    return user;
  }
}

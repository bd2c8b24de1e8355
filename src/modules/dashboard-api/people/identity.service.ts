import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { encodeId } from '../../../core/http/ids';
import { networkOf } from '../../../core/text/ip-address';
import { AuditService } from '../audit.service';
import { InvalidCredentials, TotpRequired } from '../dashboard.errors';
import { AttemptsService } from './attempts.service';
import { PasswordsService } from './passwords.service';
import type { SignedIn } from './sessions.service';
import { TotpService } from './totp.service';
import { User } from './people.entity';

/** What somebody shows to prove who they are. */
export interface Proof {
  readonly password: string;
  /** Of the authenticator app, or a recovery code. */
  readonly code?: string | null;
}

/**
 * Tells whether somebody is who they say. Each check costs one hash, whoever it is about; two for an address that two
 * people have.
 */
@Injectable()
export class IdentityService {
  private readonly log = new Logger('identity');

  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
    private readonly totp: TotpService,
    private readonly attempts: AttemptsService,
    private readonly audit: AuditService,
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
  async requireAgain({ userId }: SignedIn, proof: Proof, ip: string): Promise<User> {
    await this.attempts.count('proof', userId);
    const user = await this.requireProof(await this.users.findBy({ id: userId }), proof, ip);
    await this.attempts.forgive('proof', userId);
    return user;
  }

  /** Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. `claimed`: whoever has the address. */
  async requireProof(claimed: readonly User[], { password, code }: Proof, ip: string): Promise<User> {
    const user = await this.whoseIs(password, claimed);
    if (user === null) return this.refuse(claimed, ip);
    if (user.totpSecret === null) return user;
    if (!code) throw new TotpRequired();
    await this.attempts.count('code', user.id);
    if (!(await this.totp.use(user, code))) return this.refuse([user], ip);
    await this.attempts.forgive('code', user.id);
    return user;
  }

  private async whoseIs(password: string, claimed: readonly User[]): Promise<User | null> {
    if (claimed.length === 0) await this.passwords.verify(password, null);
    for (const user of claimed) if (await this.passwords.verify(password, user.passwordHash)) return user;
    return null;
  }

  /**
   * Guessing leaves a trace: in the log, and in the audit log of whoever is guessed at. Nobody waits for it, so it
   * tells nothing by its time.
   */
  private refuse(claimed: readonly User[], ip: string): never {
    this.log.warn({
      msg: 'a password or code was refused',
      network: networkOf(ip),
      users: claimed.map(({ id }) => encodeId('usr', id)),
    });
    for (const { id } of claimed)
      void this.audit
        .recordOf(id, 'person.refused', ip)
        .catch((error: unknown) => this.log.error({ msg: 'a refusal could not be recorded', err: error }));
    throw new InvalidCredentials();
  }
}

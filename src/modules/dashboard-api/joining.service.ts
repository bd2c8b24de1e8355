import { Injectable } from '@nestjs/common';
import { AttemptsService } from './attempts.service';
import { AlreadyMember, InvalidCredentials } from './dashboard.errors';
import { IdentityService, type Proof } from './identity.service';
import { PasswordsService } from './passwords.service';
import { PeopleService } from './people.service';
import type { TeamMember } from './team-member.entity';
import type { User } from './user.entity';

/** Turns somebody who was invited into a person: a new one, or one who was here before and proves it. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly people: PeopleService,
    private readonly identity: IdentityService,
    private readonly passwords: PasswordsService,
    private readonly attempts: AttemptsService,
  ) {}

  /** Throws `TooManyAttempts`. */
  countTry(ip: string): Promise<void> {
    return this.attempts.count('address', ip);
  }

  /** Throws `WeakPassword`, `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`, `AlreadyMember`. */
  async prove({ email, name }: TeamMember, proof: Proof, ip: string): Promise<User> {
    const known = await this.people.listByEmail(email);
    if (known.length === 0) return this.register({ email, name }, proof.password);
    await this.identity.countTry(email, ip);
    const user = await this.requireOneOf(known, { email, name }, proof, ip);
    await this.identity.forgiveTries(email, ip);
    // A person is in one team at a time: at log-in nobody has to say which is meant.
    if ((await this.people.findMembership(user.id)) !== null) throw new AlreadyMember();
    if (!user.proven) await this.people.prove(user);
    return user;
  }

  /** Somebody who only claimed the address, by signing up, cannot keep it from whoever is invited with it. */
  private async requireOneOf(
    known: readonly User[],
    invited: Pick<TeamMember, 'email' | 'name'>,
    proof: Proof,
    ip: string,
  ): Promise<User> {
    try {
      return await this.identity.requireProof(known, proof, ip);
    } catch (error) {
      if (!(error instanceof InvalidCredentials) || known.some(({ proven }) => proven)) throw error;
      return this.register(invited, proof.password);
    }
  }

  private async register({ email, name }: Pick<TeamMember, 'email' | 'name'>, password: string): Promise<User> {
    await this.passwords.requireStrong(password, { known: [email, name] });
    const user = await this.people.register({
      email,
      name,
      passwordHash: await this.passwords.hash(password),
      proven: true,
    });
    if (user === null) throw new InvalidCredentials();
    return user;
  }
}

import { Injectable } from '@nestjs/common';
import { found } from '../../../core/errors/domain-error';
import { AuditService } from '../audit.service';
import { AlreadyMember, InvalidCredentials } from '../dashboard.errors';
import { PeopleService, sameEmail, type Tie } from '../people.service';
import { AttemptsService } from './attempts.service';
import { IdentityService, type Proof } from './identity.service';
import { PasswordsService } from './passwords.service';
import { type NewSession, type Origin, SessionsService } from './sessions.service';
import type { User } from './people.entity';

interface Newcomer {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly accountName: string;
  /** Where the person came, if that was another cell: it keeps the account. */
  readonly cell?: string;
}

type Invited = Pick<Tie, 'email' | 'name'>;

/** Lets people in: who signs up, logs in, or accepts an invitation. */
@Injectable()
export class AuthService {
  constructor(
    private readonly people: PeopleService,
    private readonly identity: IdentityService,
    private readonly passwords: PasswordsService,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Opens an account and lets its owner in. An address that is known is answered as by log-in, after as much work:
   * whoever has its password is in, nobody else learns more than that.
   * Throws `WeakPassword`, `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`.
   */
  async signUp({ name, email: given, password, accountName, cell }: Newcomer, origin: Origin): Promise<NewSession> {
    const email = sameEmail(given);
    await this.attempts.count('sign_up', origin.ip);
    await this.identity.countTry(email, origin.ip);
    await this.passwords.requireStrong(password, { known: [email, name, accountName] });
    const known = await this.people.listByEmail(email);
    const user =
      known.length === 0
        ? await this.register({ email, name, proven: false }, password)
        : await this.identity.requireProof(known, { password }, origin.ip);
    await this.identity.forgiveTries(email, origin.ip);
    // Also the way back for somebody whose first try was cut after the address was taken.
    const member =
      (await this.people.findMembership(user.id)) ?? (await this.people.openAccount(user, accountName, cell));
    return this.letIn(member, origin, known.length === 0 ? 'person.signed_up' : 'person.logged_in');
  }

  /** Throws `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`. */
  async logIn(given: string, proof: Proof, origin: Origin): Promise<NewSession> {
    const email = sameEmail(given);
    await this.identity.countTry(email, origin.ip);
    const user = await this.identity.requireProof(await this.people.listByEmail(email), proof, origin.ip);
    const member = await this.people.findMembership(user.id);
    if (member === null) throw new InvalidCredentials();
    await this.identity.forgiveTries(email, origin.ip);
    return this.letIn(member, origin, 'person.logged_in');
  }

  /** Each question to a device is a row. Throws `TooManyAttempts`. */
  countAsked(ip: string): Promise<void> {
    return this.attempts.count('address', ip);
  }

  /** Somebody whose passkey has shown who they are. Throws `InvalidCredentials` for who is in no team. */
  async logInShown(userId: string, origin: Origin): Promise<NewSession> {
    const member = await this.people.findMembership(userId);
    if (member === null) throw new InvalidCredentials();
    return this.letIn(member, origin, 'person.logged_in', { with: 'passkey' });
  }

  /**
   * Invitations are links: whoever has one may join with the address that it was made for, once.
   * Throws `NotFound`, `WeakPassword`, `InvalidCredentials`, `TotpRequired`, `TooManyAttempts`, `AlreadyMember`.
   */
  async acceptInvitation(token: string, proof: Proof, origin: Origin): Promise<NewSession> {
    await this.attempts.count('address', origin.ip);
    const invited = found(await this.people.findInvitation(token), 'invitation', '/token');
    const user = await this.personInvited(invited, proof, origin.ip);
    if (!(await this.people.join(invited, user.id))) throw new AlreadyMember();
    return this.letIn({ ...invited, userId: user.id }, origin, 'team.joined');
  }

  /** Turns somebody who was invited into a person: a new one, or one who was here before and proves it. */
  private async personInvited(
    { accountId, email, name }: Invited & Pick<Tie, 'accountId'>,
    proof: Proof,
    ip: string,
  ): Promise<User> {
    const having = await this.people.listByEmail(email);
    // Who was invited with the address before has it; who only claimed it comes in with nobody's invitation.
    const known = having.some(({ proven }) => proven) ? having.filter(({ proven }) => proven) : having;
    if (known.length === 0) return this.registerInvited({ email, name }, proof.password);
    await this.identity.countTry(email, ip);
    const user = await this.requireOneOf(known, { email, name }, proof, ip);
    await this.identity.forgiveTries(email, ip);
    if ((await this.people.findMembershipIn(user.id, accountId)) !== null) throw new AlreadyMember();
    if (!user.proven) await this.people.prove(user);
    return user;
  }

  /** Somebody who only claimed the address, by signing up, cannot keep it from whoever is invited with it. */
  private async requireOneOf(known: readonly User[], invited: Invited, proof: Proof, ip: string): Promise<User> {
    try {
      return await this.identity.requireProof(known, proof, ip);
    } catch (error) {
      if (!(error instanceof InvalidCredentials) || known.some(({ proven }) => proven)) throw error;
      return this.registerInvited(invited, proof.password);
    }
  }

  private async registerInvited({ email, name }: Invited, password: string): Promise<User> {
    await this.passwords.requireStrong(password, { known: [email, name] });
    return this.register({ email, name, proven: true }, password);
  }

  private async register(person: Pick<User, 'email' | 'name' | 'proven'>, password: string): Promise<User> {
    const user = await this.people.register({ ...person, passwordHash: await this.passwords.hash(password) });
    if (user === null) throw new InvalidCredentials();
    return user;
  }

  /** A session of somebody who has proved who they are. */
  private async letIn(
    member: Pick<Tie, 'accountId' | 'userId'>,
    origin: Origin,
    action: string,
    detail = {},
  ): Promise<NewSession> {
    const session = await this.sessions.begin(member, origin);
    const { accountId, userId, email } = session.signedIn;
    await this.audit.record({ accountId, userId, actor: email, action, ip: origin.ip, detail });
    return session;
  }
}

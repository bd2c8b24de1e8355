import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { found } from '../../../core/errors/domain-error';
import { makeToken, newIdOf } from '../../../core/http/ids';
import { AccountsService } from '../../accounts/accounts.service';
import type { Role } from '../roles';
import { Session, TeamMember, User } from './people.entity';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const isToken = (text: string): boolean => TOKEN.test(text);

/** What is stored instead of a token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Who is signed in, in which account, and how surely. */
export interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly memberId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly accountId: string;
  readonly accountName: string;
  readonly liveEnabled: boolean;
  /** Looks after the platform, beside the role in the account. */
  readonly isOperator: boolean;
  /**
   * Where what an operator does for the platform is written down: their first account. Others, to which they are
   * invited, are not told of it.
   */
  readonly homeAccountId: string;
  /** When the person logged in. */
  readonly startedAt: Date;
  /** Until then what needs a fresh proof of identity may be done. */
  readonly steppedUpUntil: Date | null;
}

interface Ending {
  readonly accountId?: string;
  readonly spared?: string;
  readonly only?: string;
  readonly tx?: EntityManager;
}

/** Where a request comes from, as far as people are told later. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string | null;
}

/** A session that was just begun. The token goes into the cookie and is kept nowhere else. */
export interface NewSession {
  readonly token: string;
  readonly signedIn: SignedIn;
}

const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;
const STEP_UP_MS = 5 * 60_000;
/** That somebody was here is not worth a write per request. */
const TOUCH_MS = 5_000;
const USER_AGENT_MAX = 300;

/** Sessions of accounts that are not over: accounts, ids, seen after, begun after. */
const SELECT_GOOD = `
  SELECT s.id, m.role, a.live_enabled AS "liveEnabled"
    FROM sessions s
    JOIN team_members m ON m.account_id = s.account_id AND m.user_id = s.user_id AND m.removed_at IS NULL
    JOIN accounts a ON a.id = s.account_id
   WHERE s.account_id = ANY ($1) AND s.id = ANY ($2) AND s.ended_at IS NULL AND s.last_seen_at > $3
     AND s.created_at > $4`;

/** What may have changed of somebody since they came. */
type Standing = Pick<SignedIn, 'role' | 'liveEnabled'>;

/** Knows who is signed in. Every request looks it up: a session that was ended opens nothing from then on. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
  ) {}

  /** A session with a token that nobody had before. `since`: when the person logged in, if that was earlier. */
  async begin(
    member: Pick<TeamMember, 'accountId' | 'userId'>,
    { ip, userAgent }: Origin,
    since?: Date,
  ): Promise<NewSession> {
    const token = makeToken(member.accountId);
    const at = await this.now(member.accountId);
    await this.sessions.insert({
      accountId: member.accountId,
      id: newIdOf(member.accountId),
      userId: member.userId!,
      tokenHash: hashToken(token),
      ip,
      userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      createdAt: since ?? at,
      lastSeenAt: at,
    });
    const { accountId, userId } = member;
    await this.members.update({ accountId, userId: userId!, removedAt: IsNull() }, { lastUsedAt: at });
    return { token, signedIn: (await this.find(token))! };
  }

  /** Whose token it is, if the session is still good. */
  async find(token: string): Promise<SignedIn | null> {
    const session = isToken(token)
      ? await this.sessions.findOneBy({ tokenHash: hashToken(token), endedAt: IsNull() })
      : null;
    if (session === null) return null;
    const { accountId, userId, createdAt, lastSeenAt } = session;
    const now = (await this.now(accountId)).getTime();
    if (now >= lastSeenAt.getTime() + IDLE_MS || now >= createdAt.getTime() + ABSOLUTE_MS) return null;
    const [member, account, user] = await Promise.all([
      this.members.findOneBy({ accountId, userId, removedAt: IsNull() }),
      this.accounts.require(accountId),
      this.sessions.manager.findOneByOrFail(User, { id: userId }),
    ]);
    const home = user.operator ? await this.firstOf(userId) : accountId;
    return (
      member && {
        sessionId: session.id,
        userId,
        memberId: member.id,
        email: user.email,
        name: user.name,
        role: member.role,
        totpEnabled: user.totpSecret !== null,
        accountId,
        accountName: account.name,
        liveEnabled: account.liveEnabled,
        isOperator: user.operator,
        homeAccountId: home,
        startedAt: createdAt,
        steppedUpUntil:
          session.steppedUpUntil && session.steppedUpUntil.getTime() > now ? session.steppedUpUntil : null,
      }
    );
  }

  /** Of some who were signed in those who still are, by session. */
  async stillSignedIn(people: readonly SignedIn[]): Promise<ReadonlyMap<string, Standing>> {
    if (people.length === 0) return new Map();
    const now = (await this.now(people[0]!.accountId)).getTime();
    const [accounts, ids] = [people.map(({ accountId }) => accountId), people.map(({ sessionId }) => sessionId)];
    const times = [new Date(now - IDLE_MS), new Date(now - ABSOLUTE_MS)];
    const rows: (Standing & { id: string })[] = await this.sessions.query(SELECT_GOOD, [accounts, ids, ...times]);
    return new Map(rows.map(({ id, ...standing }) => [id, standing]));
  }

  /** The person was here. */
  async touch({ accountId, sessionId }: SignedIn): Promise<void> {
    const now = await this.now(accountId);
    await this.sessions
      .createQueryBuilder()
      .update({ lastSeenAt: now })
      .where({ accountId, id: sessionId })
      .andWhere('last_seen_at < :before', { before: new Date(now.getTime() - TOUCH_MS) })
      .execute();
  }

  /** Until when the session may do what needs a fresh proof of identity. */
  async stepUp({ accountId, sessionId }: SignedIn): Promise<Date> {
    const steppedUpUntil = new Date((await this.now(accountId)).getTime() + STEP_UP_MS);
    await this.sessions.update({ accountId, id: sessionId }, { steppedUpUntil });
    return steppedUpUntil;
  }

  /** Sessions of the person that are not over, in every account, newest first. */
  async list({ accountId, userId }: SignedIn): Promise<Session[]> {
    const now = (await this.now(accountId)).getTime();
    const isGood = { lastSeenAt: MoreThan(new Date(now - IDLE_MS)), createdAt: MoreThan(new Date(now - ABSOLUTE_MS)) };
    return this.sessions.find({ where: { userId, endedAt: IsNull(), ...isGood }, order: { id: 'DESC' } });
  }

  /** In whichever account. Throws `NotFound` unless it is an open session of the person. */
  async end({ accountId, userId }: Pick<SignedIn, 'accountId' | 'userId'>, id: string | null): Promise<void> {
    const { affected } = await this.sessions.update(
      { userId, id: id ?? '00000000-0000-0000-0000-000000000000', endedAt: IsNull() },
      { endedAt: await this.now(accountId) },
    );
    found(affected === 0 ? null : affected, 'session');
  }

  /** Ends every session of a person, in every account unless one is named, but for one that may be spared. */
  async endAll(userId: string, { accountId, spared, only, tx = this.sessions.manager }: Ending = {}): Promise<void> {
    const which = {
      ...(accountId !== undefined && { accountId }),
      ...(only !== undefined && { id: only }),
      ...(spared !== undefined && { id: Not(spared) }),
    };
    await tx.update(Session, { userId, endedAt: IsNull(), ...which }, { endedAt: await this.now(userId) });
  }

  private async firstOf(userId: string): Promise<string> {
    const first = await this.members.findOneOrFail({ where: { userId, removedAt: IsNull() }, order: { id: 'ASC' } });
    return first.accountId;
  }

  /** Sessions live in real time, whatever the test clock of the account says. */
  private now(accountId: string): Promise<Date> {
    return this.clock.now({ accountId, livemode: true });
  }
}

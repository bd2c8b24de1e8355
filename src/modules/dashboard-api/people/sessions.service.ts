import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { ControlCell } from '../../../core/cells/control-cell';
import { found, ServiceUnavailable } from '../../../core/errors/domain-error';
import { makeToken, newIdOf } from '../../../core/http/ids';
import { AccountsService } from '../../accounts/accounts.service';
import type { Role } from '../roles';
import { OtherCells } from './other-cells.service';
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
  /** Begins anew at `since`. */
  readonly spared?: { readonly sessionId: string; readonly since: Date };
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
/** A cell hears of a new person within milliseconds as a rule. */
const COPIED_WITHIN_MS = 2_000;
const COPY_POLL_MS = 20;

/** Sessions of accounts that are not over: accounts, ids, seen after, begun after. */
const SELECT_GOOD = `
  SELECT s.id, m.role, a.live_enabled AS "liveEnabled"
    FROM sessions s
    JOIN team_members m ON m.account_id = s.account_id AND m.user_id = s.user_id AND m.removed_at IS NULL
    JOIN accounts a ON a.id = s.account_id
    JOIN users u ON u.id = s.user_id AND (u.signed_out_at IS NULL OR u.signed_out_at <= s.created_at)
   WHERE s.account_id = ANY ($1) AND s.id = ANY ($2) AND s.ended_at IS NULL AND s.last_seen_at > $3
     AND s.created_at > $4`;

/** A session as one cell asks another for it. The token stays with who asks. */
interface AskedSession extends Omit<Session, 'tokenHash' | 'createdAt' | 'lastSeenAt' | 'steppedUpUntil' | 'endedAt'> {
  /** Hexadecimal. */
  readonly tokenHash: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastSeenAt: string;
}

type Begun = Pick<SignedIn, 'memberId' | 'role' | 'accountName' | 'liveEnabled'>;

const factsOf = ({ id, email, name, totpSecret, operator }: User) => ({
  userId: id,
  email,
  name,
  totpEnabled: totpSecret !== null,
  isOperator: operator,
});

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
    private readonly control: ControlCell,
    private readonly others: OtherCells,
  ) {}

  /**
   * A session with a token that nobody had before, in the cell that keeps the account. `since`: when the person logged
   * in, if that was earlier. Throws `NotFound` for who is not in the team of an account of another cell.
   */
  async begin(
    member: Pick<TeamMember, 'accountId' | 'userId'>,
    { ip, userAgent }: Origin,
    since?: Date,
  ): Promise<NewSession> {
    const token = makeToken(member.accountId);
    const at = await this.now(member.accountId);
    const session: AskedSession = {
      accountId: member.accountId,
      id: newIdOf(member.accountId),
      userId: member.userId!,
      tokenHash: hashToken(token).toString('hex'),
      ip,
      userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      createdAt: (since ?? at).toISOString(),
      lastSeenAt: at.toISOString(),
    };
    if (this.others.isHere(member.accountId)) {
      await this.keep(session);
      return { token, signedIn: (await this.find(token))! };
    }
    const begun = await this.others.ask<Begun | null>(member.accountId, 'begin-session', session);
    return { token, signedIn: await this.signedInElsewhere(session, found(begun, 'account')) };
  }

  /** Once, however often it is asked for; nothing for who is not in the team. */
  async beginHere(session: AskedSession): Promise<Begun | null> {
    const { accountId, userId } = session;
    const member = await this.members.findOneBy({ accountId, userId, removedAt: IsNull() });
    if (member === null) return null;
    await this.keep(session);
    const { name: accountName, liveEnabled } = await this.accounts.require(accountId);
    return { memberId: member.id, role: member.role, accountName, liveEnabled };
  }

  private async keep({ tokenHash, createdAt, lastSeenAt, ...rest }: AskedSession): Promise<void> {
    const { accountId, userId } = rest;
    const at = { createdAt: new Date(createdAt), lastSeenAt: new Date(lastSeenAt) };
    const session = { ...rest, ...at, tokenHash: Buffer.from(tokenHash, 'hex') };
    await this.sessions.createQueryBuilder().insert().values(session).orIgnore().execute();
    await this.members.update({ accountId, userId, removedAt: IsNull() }, { lastUsedAt: at.lastSeenAt });
  }

  /** What its cell will say once it has a copy of the person. */
  private async signedInElsewhere({ accountId, id, userId, createdAt }: AskedSession, begun: Begun): Promise<SignedIn> {
    const user = await this.sessions.manager.findOneByOrFail(User, { id: userId });
    return {
      ...begun,
      ...factsOf(user),
      sessionId: id,
      accountId,
      homeAccountId: user.operator ? await this.firstOf(userId) : accountId,
      startedAt: new Date(createdAt),
      steppedUpUntil: null,
    };
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
      this.personOf(userId),
    ]);
    if (user.signedOutAt !== null && createdAt < user.signedOutAt) return null;
    const home = user.operator ? await this.firstOf(userId) : accountId;
    return (
      member && {
        ...factsOf(user),
        sessionId: session.id,
        memberId: member.id,
        role: member.role,
        accountId,
        accountName: account.name,
        liveEnabled: account.liveEnabled,
        homeAccountId: home,
        startedAt: createdAt,
        steppedUpUntil:
          session.steppedUpUntil && session.steppedUpUntil.getTime() > now ? session.steppedUpUntil : null,
      }
    );
  }

  /** Throws `ServiceUnavailable` where the person signed up in another cell and is not known yet. */
  private async personOf(id: string): Promise<User> {
    for (const deadline = Date.now() + COPIED_WITHIN_MS; ; await sleep(COPY_POLL_MS)) {
      const user = await this.sessions.manager.findOneBy(User, { id });
      if (user !== null) return user;
      if (!this.others.areThere || Date.now() > deadline)
        throw new ServiceUnavailable('This cell has not heard of the person yet. Come again.');
    }
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
    const asked = { accountId, sessionId, until: steppedUpUntil.toISOString() };
    if (this.others.isHere(accountId)) await this.stepUpHere(asked);
    else await this.others.ask(accountId, 'step-up', asked);
    return steppedUpUntil;
  }

  /** To ask for it again gives no longer. */
  async stepUpHere({ accountId, sessionId, until }: { accountId: string; sessionId: string; until: string }) {
    await this.sessions.update({ accountId, id: sessionId }, { steppedUpUntil: new Date(until) });
  }

  /** Sessions of the person that are not over, in every account of this cell, newest first. */
  async list({ accountId, userId }: SignedIn): Promise<Session[]> {
    const now = (await this.now(accountId)).getTime();
    const { signedOutAt } = await this.sessions.manager.findOneByOrFail(User, { id: userId });
    // A session may begin in the moment in which the others end.
    const begun = Math.max(now - ABSOLUTE_MS, (signedOutAt?.getTime() ?? 0) - 1);
    const isGood = { lastSeenAt: MoreThan(new Date(now - IDLE_MS)), createdAt: MoreThan(new Date(begun)) };
    return this.sessions.find({ where: { userId, endedAt: IsNull(), ...isGood }, order: { id: 'DESC' } });
  }

  /** In whichever account. Throws `NotFound` unless it is an open session of the person. */
  async end({ accountId, userId }: Pick<SignedIn, 'accountId' | 'userId'>, id: string | null): Promise<void> {
    const asked = { userId, id: id ?? '00000000-0000-0000-0000-000000000000', at: await this.now(accountId) };
    const isHere = id === null || this.others.isHere(id);
    const isEnded = isHere ? await this.endHere(asked) : await this.others.ask<boolean>(id, 'end-session', asked);
    found(isEnded || null, 'session');
  }

  async endHere({ userId, id, at }: { userId: string; id: string; at: Date | string }): Promise<boolean> {
    const { affected } = await this.sessions.update({ userId, id, endedAt: IsNull() }, { endedAt: new Date(at) });
    return affected !== 0;
  }

  /** Whosever it is, in whichever cell; nothing where that one is away, which cannot be helped. */
  async endToken(token: string): Promise<void> {
    const hash = hashToken(token);
    const isElsewhere = await this.others
      .askOfToken<boolean>(token, 'end-token', { hash: hash.toString('hex') })
      .catch(() => false);
    if (isElsewhere === null) await this.endTokenHere(hash);
  }

  async endTokenHere(tokenHash: Buffer): Promise<boolean> {
    const at = await this.now('00000000-0000-0000-0000-000000000000');
    const { affected } = await this.sessions.update({ tokenHash, endedAt: IsNull() }, { endedAt: at });
    return affected !== 0;
  }

  /**
   * The person has just proved who they are, and ends their other sessions: this one counts as begun now. Before a
   * transaction: the session may be kept in another cell.
   */
  async renew({ accountId, sessionId }: SignedIn): Promise<{ readonly sessionId: string; readonly since: Date }> {
    const since = await this.now(accountId);
    if (!this.others.areThere) return { sessionId, since };
    const asked = { accountId, sessionId, since: since.toISOString() };
    if (this.others.isHere(accountId)) await this.renewHere(asked);
    else await this.others.ask(accountId, 'renew-session', asked);
    return { sessionId, since };
  }

  async renewHere({ accountId, sessionId, since }: { accountId: string; sessionId: string; since: string }) {
    await this.sessions.update({ accountId, id: sessionId, endedAt: IsNull() }, { createdAt: new Date(since) });
  }

  /**
   * Ends every session of a person, in every account unless one is named, but for one that may be spared. Those in
   * other cells end as soon as these have heard of it.
   */
  async endAll(userId: string, { accountId, spared, only, tx = this.sessions.manager }: Ending = {}): Promise<void> {
    const which = {
      ...(accountId !== undefined && { accountId }),
      ...(only !== undefined && { id: only }),
      ...(spared !== undefined && { id: Not(spared.sessionId) }),
    };
    const at = spared?.since ?? (await this.now(userId));
    if (this.others.areThere && accountId === undefined && only === undefined) {
      this.control.requireHere();
      await tx.update(User, { id: userId }, { signedOutAt: at });
    }
    await tx.update(Session, { userId, endedAt: IsNull(), ...which }, { endedAt: at });
  }

  /** In whichever cell, as far as those answer. */
  private async firstOf(userId: string): Promise<string> {
    const own = await this.members.find({ where: { userId, removedAt: IsNull() }, order: { id: 'ASC' }, take: 1 });
    const { all } = await this.others.membershipsOf(userId);
    return [...own, ...all].reduce((first, one) => (one.id < first.id ? one : first)).accountId;
  }

  /** Sessions live in real time, whatever the test clock of the account says. */
  private now(accountId: string): Promise<Date> {
    return this.clock.now({ accountId, livemode: true });
  }
}

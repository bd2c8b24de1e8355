import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import type { Tx } from '../../../core/database/unit-of-work';
import { found } from '../../../core/errors/domain-error';
import { makeToken, newIdOf } from '../../../core/http/ids';
import { MailsService, type MailWay } from '../../../core/mail/mails.service';
import { WorkUnderWay } from '../../../core/process/work-under-way';
import { type AuditEntry, AuditService } from '../audit.service';
import { TooManyAttempts } from '../dashboard.errors';
import { PeopleService, sameEmail } from '../people.service';
import { AttemptsService } from './attempts.service';
import { resetLetter } from './letters';
import { PasswordsService } from './passwords.service';
import type { User } from './people.entity';
import { hashToken, SessionsService } from './sessions.service';

const GOOD_FOR_SECONDS = 30 * 60;

const INSERT = `
  INSERT INTO password_resets (account_id, id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, $4, $5)`;
const DELETE_OLD = 'DELETE FROM password_resets WHERE account_id = $1 AND user_id = $2 AND expires_at <= $3';
const FIND = `
  SELECT account_id AS "accountId", id, user_id AS "userId", expires_at AS "expiresAt" FROM password_resets
   WHERE token_hash = $1`;
/** Of two who use a link at the same moment one finds nothing. */
const USE = 'DELETE FROM password_resets WHERE account_id = $1 AND id = $2 RETURNING 1';
/** In whichever account they were asked for. */
const DELETE_ALL = 'DELETE FROM password_resets WHERE user_id = $1';

interface Reset {
  readonly accountId: string;
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

/** The way back for somebody who forgot their password: a link by mail, good once. Codes are asked for all the same. */
@Injectable()
export class PasswordResets implements BeforeApplicationShutdown {
  private readonly log = new Logger('identity');
  private readonly underWay = new WorkUnderWay();

  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleService,
    private readonly passwords: PasswordsService,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
    private readonly mails: MailsService,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  /**
   * What becomes of mail here, whoever the address is of. Nobody waits for what follows, so that it tells nothing by
   * its time. Throws `TooManyAttempts`.
   */
  async request(given: string, ip: string): Promise<MailWay> {
    const email = sameEmail(given);
    await this.attempts.count('address', ip);
    await this.attempts.count('reset', email, ip);
    const work = this.write(email, ip).catch((error: unknown) =>
      this.log.error({ msg: 'a new password could not be offered', err: error }),
    );
    void this.underWay.add(work);
    return this.mails.way();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  /**
   * Every session of the person ends, and every other link; nobody is let in by it.
   * Throws `NotFound`, `WeakPassword`, `TooManyAttempts`.
   */
  async reset(token: string, password: string, ip: string): Promise<void> {
    await this.attempts.count('address', ip);
    const [row] = await this.dataSource.query<Reset[]>(FIND, [hashToken(token)]);
    const reset = found(row && row.expiresAt > (await this.now(row.accountId)) ? row : null, 'link', '/token');
    const user = found(await this.people.find(reset.userId), 'link', '/token');
    const withTotp = user.totpSecret !== null;
    await this.passwords.requireStrong(password, { known: [user.email, user.name], withTotp });
    const passwordHash = await this.passwords.hash(password);
    await this.audit.along((tx) => this.replace(tx, reset, { user, passwordHash, ip }));
    await this.attempts.forgive('password', user.email, ip);
  }

  private async write(email: string, ip: string): Promise<void> {
    const found = await this.memberOf(email);
    if (found === null || (await this.isMailedEnough(email))) return;
    const { accountId, user } = found;
    const [token, now] = [makeToken(accountId), await this.now(accountId)];
    const expiresAt = new Date(now.getTime() + GOOD_FOR_SECONDS * 1_000);
    const entry = { accountId, userId: user.id, actor: user.email, action: 'password.reset_requested', ip };
    await this.audit.along(async (tx) => {
      // A link that nobody could be sent opens nothing.
      if ((await this.mails.way(tx)) === 'none') return null;
      await tx.query(DELETE_OLD, [accountId, user.id, now]);
      await tx.query(INSERT, [accountId, newIdOf(accountId), user.id, hashToken(token), expiresAt]);
      const mail = { kind: 'password.reset', to: user.email, goodForSeconds: GOOD_FOR_SECONDS };
      await this.mails.add(tx, { ...mail, letter: resetLetter(token) });
      return entry;
    });
  }

  /** Whoever has the address and is in a team: first who was invited with it. */
  private async memberOf(email: string): Promise<{ accountId: string; user: User } | null> {
    for (const user of await this.people.listByEmail(email)) {
      const member = await this.people.findMembership(user.id);
      if (member !== null) return { accountId: member.accountId, user };
    }
    return null;
  }

  /** Nobody's mailbox is filled by others. The links that were sent are good meanwhile: they replace no other. */
  private async isMailedEnough(email: string): Promise<boolean> {
    try {
      await this.attempts.count('mail', email);
      return false;
    } catch (error) {
      if (error instanceof TooManyAttempts) return true;
      throw error;
    }
  }

  private async replace(
    tx: Tx,
    { accountId, id, userId }: Reset,
    { user, passwordHash, ip }: { user: User; passwordHash: string; ip: string },
  ): Promise<AuditEntry> {
    const [used] = await tx.query<[unknown[], number]>(USE, [accountId, id]);
    found(used[0], 'link', '/token');
    await tx.query(DELETE_ALL, [userId]);
    await this.people.setPassword(tx, user, passwordHash);
    await this.sessions.endAll(userId, { tx });
    return { accountId, userId, actor: user.email, action: 'password.reset', ip };
  }

  /** Links live in real time, whatever the test clock of the account says. */
  private now(accountId: string): Promise<Date> {
    return this.clock.now({ accountId, livemode: true });
  }
}

import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import { UnitOfWork } from '../../../core/database/unit-of-work';
import { DomainError } from '../../../core/errors/domain-error';
import { makeToken, newId } from '../../../core/http/ids';
import { Seals } from '../../../core/secrets/secret-box';
import { auditWrite } from '../audit.service';
import { AttemptsService } from '../people/attempts.service';
import { hashToken, type Origin, type SignedIn } from '../people/sessions.service';
import { PeopleService } from '../people.service';
import { KeysService, mayOrder } from './keys.service';

/** The words of RFC 8628, which every device knows. */
class DeviceRefused extends DomainError {
  constructor(code: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token', detail: string) {
    super({ code, kind: 'malformed', title: 'No key', detail });
  }
}

/** Unknown, too old or used: which of them is told to nobody. */
class CodeGone extends DeviceRefused {
  constructor() {
    super('expired_token', 'This code is too old, was used, or never was one. Begin again.');
  }
}

/** A device that asks for a key, as a person is told of it. What it is called is what it calls itself. */
export interface DeviceRequest {
  readonly id: string;
  readonly name: string;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a person gives to a device. */
export interface Approval {
  readonly livemode: boolean;
  /** Null: all. */
  readonly scopes: readonly string[] | null;
}

interface Approved extends Approval {
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  readonly ip: string;
}

interface Polled {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'denied';
  readonly isOver: boolean;
  readonly isHasty: boolean;
}

const GOOD_FOR_SECONDS = 15 * 60;
const INTERVAL_SECONDS = 2;
const KEY_DAYS = 90;
const DAY_MS = 24 * 3_600_000;
/** Without vowels and what looks like something else, as RFC 8628 advises: no words, no doubt. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;
const USER_AGENT_MAX = 300;

const DELETE_OLD = 'DELETE FROM device_logins WHERE expires_at <= $1';
const INSERT = `
  INSERT INTO device_logins
    (id, device_code_hash, user_code_hash, name, ip, user_agent, interval_seconds, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const REQUEST = 'id, name, ip, user_agent AS "userAgent", created_at AS "createdAt", expires_at AS "expiresAt"';
const PENDING = `user_code_hash = $1 AND status = 'pending' AND expires_at > $2`;
const FIND = `SELECT ${REQUEST} FROM device_logins WHERE ${PENDING}`;
/** A code is decided on once: of two at the same moment one finds nothing. */
const APPROVE = `
  UPDATE device_logins SET status = 'approved', for_account = $3, by_user = $4, livemode = $5, scopes = $6
   WHERE ${PENDING} RETURNING ${REQUEST}`;
const DENY = `UPDATE device_logins SET status = 'denied' WHERE ${PENDING} RETURNING ${REQUEST}`;
/** Who asks before the interval is over waits five seconds longer from then on. Half a second is the network's. */
const POLL = `
  UPDATE device_logins d
     SET polled_at = $2, interval_seconds = d.interval_seconds + CASE WHEN was.hasty THEN 5 ELSE 0 END
    FROM (
      SELECT id, coalesce(polled_at > $2::timestamptz - make_interval(secs => interval_seconds - 0.5), false) AS hasty
        FROM device_logins WHERE device_code_hash = $1 FOR UPDATE
    ) was
   WHERE d.id = was.id
  RETURNING d.id, d.status, d.expires_at <= $2 AS "isOver", was.hasty AS "isHasty"`;
/** Handed out once. */
const TAKE = `
  DELETE FROM device_logins WHERE id = $1 AND status = 'approved'
  RETURNING for_account AS "accountId", by_user AS "userId", livemode, scopes, name, ip`;
const FORGET = 'DELETE FROM device_logins WHERE id = $1';

/**
 * Logs command lines in (RFC 8628): one asks for a code, a person who is signed in confirms it at the dashboard, and
 * the one that asked gets a key of its own. The key is made when it is fetched: its secret lies nowhere meanwhile.
 */
@Injectable()
export class DeviceLogins {
  private readonly seals: Seals;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly attempts: AttemptsService,
    private readonly people: PeopleService,
    private readonly keys: KeysService,
    env: Env,
  ) {
    this.seals = new Seals('duka/device-login/v1', env, 32);
  }

  /** Throws `TooManyAttempts`. */
  async ask(name: string, { ip, userAgent }: Origin) {
    await this.attempts.count('device', ip);
    const [deviceCode, userCode, now] = [makeToken(newId()), makeUserCode(), await this.now()];
    await this.dataSource.query(DELETE_OLD, [now]);
    await this.dataSource.query(INSERT, [
      newId(),
      hashToken(deviceCode),
      this.seals.of(userCode),
      name,
      ip,
      userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      INTERVAL_SECONDS,
      now,
      new Date(now.getTime() + GOOD_FOR_SECONDS * 1_000),
    ]);
    return { deviceCode, userCode, expiresIn: GOOD_FOR_SECONDS, interval: INTERVAL_SECONDS };
  }

  /** Throws `CodeGone`, `TooManyAttempts`. */
  async find({ userId }: SignedIn, userCode: string): Promise<DeviceRequest> {
    const [row] = await this.dataSource.query<DeviceRequest[]>(FIND, await this.tried(userId, userCode));
    if (row === undefined) throw new CodeGone();
    return row;
  }

  /** Throws `CodeGone`, `TooManyAttempts`, and as `KeysService.create` does. */
  async approve(me: SignedIn, userCode: string, { livemode, scopes }: Approval, ip: string): Promise<void> {
    this.keys.requireMayCreate(me, { livemode, scopes });
    const code = await this.tried(me.userId, userCode);
    const values = [...code, me.accountId, me.userId, livemode, scopes];
    await this.decide(
      me,
      { statement: APPROVE, values },
      { action: 'device.approved', detail: { livemode, scopes } },
      ip,
    );
  }

  /** Throws `CodeGone`, `TooManyAttempts`. */
  async deny(me: SignedIn, userCode: string, ip: string): Promise<void> {
    const values = await this.tried(me.userId, userCode);
    await this.decide(me, { statement: DENY, values }, { action: 'device.denied', detail: {} }, ip);
  }

  /** The key, for the only time. Throws `DeviceRefused`, and what `ApiKeysService.create` throws. */
  async take(deviceCode: string): Promise<{ secret: string; livemode: boolean; expiresAt: Date }> {
    const now = await this.now();
    const [rows] = await this.dataSource.query<[Polled[], number]>(POLL, [hashToken(deviceCode), now]);
    const polled = rows[0];
    if (polled === undefined || polled.isOver) throw new CodeGone();
    const { id, status, isHasty } = polled;
    if (status === 'denied') {
      await this.dataSource.query(FORGET, [id]);
      throw new DeviceRefused('access_denied', 'Whoever looked at this code at the dashboard refused it.');
    }
    if (status === 'pending' && isHasty) throw new DeviceRefused('slow_down', 'Ask five seconds later each time.');
    if (status === 'pending') throw new DeviceRefused('authorization_pending', 'Nobody has confirmed the code yet.');
    const [taken] = await this.dataSource.query<[Approved[], number]>(TAKE, [id]);
    if (taken[0] === undefined) throw new CodeGone();
    return this.keyFor(taken[0], new Date(now.getTime() + KEY_DAYS * DAY_MS));
  }

  /** Whoever confirmed must be of the team still, and have the right to such a key. */
  private async keyFor({ accountId, userId, livemode, scopes, name, ip }: Approved, expiresAt: Date) {
    const member = await this.people.findMembershipIn(userId, accountId);
    if (member === null || !mayOrder(member.role, livemode))
      throw new DeviceRefused('access_denied', 'Whoever confirmed this code may make no such key any more.');
    const by = { accountId, userId, email: member.email };
    const wanted = { name, livemode, scopes, allowedIps: null, expiresAt };
    const { secret } = await this.keys.make(by, wanted, { ip, detail: { for: 'device' } });
    return { secret, livemode, expiresAt };
  }

  private async decide(
    { accountId, userId, email: actor }: SignedIn,
    { statement, values }: { statement: string; values: unknown[] },
    { action, detail }: { action: string; detail: object },
    ip: string,
  ): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const [rows] = await tx.query<[DeviceRequest[], number]>(statement, values);
      if (rows[0] === undefined) throw new CodeGone();
      const { name, ip: from } = rows[0];
      await this.unitOfWork.write(tx, [
        auditWrite({ accountId, userId, actor, action, ip, detail: { name, asked_from: from, ...detail } }),
      ]);
    });
  }

  /** Counts the try; what the code is looked up by. */
  private async tried(userId: string, userCode: string): Promise<unknown[]> {
    await this.attempts.count('user_code', userId);
    return [this.seals.of(userCode.toUpperCase().replace(/[^A-Z]/g, '')), await this.now()];
  }

  /** Codes live in real time, whatever the test clock of an account says. */
  private now(): Promise<Date> {
    return this.clock.now({ accountId: newId(), livemode: true });
  }
}

const makeUserCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

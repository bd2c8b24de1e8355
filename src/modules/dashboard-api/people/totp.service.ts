import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Secret, TOTP } from 'otpauth';
import type { Repository } from 'typeorm';
import { ControlCell } from '../../../core/cells/control-cell';
import { Clock } from '../../../core/clock/clock';
import { SecretBox } from '../../../core/secrets/secret-box';
import { WrongTotpCode } from '../dashboard.errors';
import { hashToken, type SignedIn } from './sessions.service';
import { User } from './people.entity';

const ISSUER = 'Duka';
const PERIOD_SECONDS = 30;
/** Steps that the clock of a phone may be off. */
const WINDOW = 1;
const RECOVERY_CODES = 10;

// Both statements find nothing when the code was used before, also a moment ago by another process.
const USE_STEP = 'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2 RETURNING 1';
const USE_RECOVERY_CODE = `
  UPDATE users SET recovery_codes = array_remove(recovery_codes, $2)
   WHERE id = $1 AND $2 = ANY (recovery_codes) RETURNING 1`;
const CONFIRM = `
  UPDATE users SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $2, recovery_codes = $3
   WHERE id = $1 AND totp_pending IS NOT NULL RETURNING 1`;
const DISABLE = `UPDATE users SET totp_secret = NULL, totp_pending = NULL, recovery_codes = '{}' WHERE id = $1`;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 80 random bits as `ABCD-EFGH-IJKL-MNOP`: too many to be found from their hash. */
export const makeRecoveryCode = (): string =>
  [...randomBytes(16)].map((byte, at) => (at > 0 && at % 4 === 0 ? '-' : '') + BASE32[byte % 32]).join('');

/** However it was typed. */
const hashRecoveryCode = (code: string): Buffer => hashToken(code.toUpperCase().replace(/[^A-Z2-7]/g, ''));

/** One-time codes of an authenticator app (RFC 6238), and recovery codes for those who lost it. Each is good once. */
@Injectable()
export class TotpService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly control: ControlCell,
  ) {}

  /** A new secret, which counts once a code made with it was shown. */
  async setUp({ userId, email }: SignedIn): Promise<{ secret: string; uri: string }> {
    this.control.requireHere();
    const secret = new Secret({ size: 20 });
    await this.users.update({ id: userId }, { totpPending: this.secrets.seal(secret.base32, userId) });
    return {
      secret: secret.base32,
      uri: new TOTP({ issuer: ISSUER, label: email, secret, period: PERIOD_SECONDS }).toString(),
    };
  }

  /** From now on log-in asks for codes. Returns the recovery codes, for the only time. Throws `WrongTotpCode`. */
  async confirm({ userId, accountId }: SignedIn, code: string): Promise<string[]> {
    const { totpPending } = await this.users.findOneByOrFail({ id: userId });
    const step = totpPending && (await this.stepOf(totpPending, userId, accountId, code));
    const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
    const confirmed = step === null ? [] : await this.update(CONFIRM, [userId, step, codes.map(hashRecoveryCode)]);
    if (confirmed.length === 0) throw new WrongTotpCode();
    return codes;
  }

  async disable({ userId }: Pick<SignedIn, 'userId'>): Promise<void> {
    await this.update(DISABLE, [userId]);
  }

  /** Uses up a code of the app or a recovery code. False: it is wrong or was used before. */
  async use({ id, totpSecret }: User, code: string): Promise<boolean> {
    if (!/^\d{6}$/.test(code)) return (await this.update(USE_RECOVERY_CODE, [id, hashRecoveryCode(code)])).length > 0;
    const step = totpSecret && (await this.stepOf(totpSecret, id, id, code));
    return step !== null && (await this.update(USE_STEP, [id, step])).length > 0;
  }

  /** Which period a code belongs to; null for a wrong one. */
  private async stepOf(box: Buffer, userId: string, accountId: string, token: string): Promise<number | null> {
    const secret = Secret.fromBase32(this.secrets.open(box, userId));
    const timestamp = (await this.clock.now({ accountId, livemode: true })).getTime();
    const delta = new TOTP({ secret, period: PERIOD_SECONDS }).validate({ token, timestamp, window: WINDOW });
    return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
  }

  /** TypeORM answers an UPDATE with its rows and their number. */
  private async update(statement: string, values: unknown[]): Promise<unknown[]> {
    this.control.requireHere();
    const [rows] = (await this.users.query(statement, values)) as [unknown[], number];
    return rows;
  }
}

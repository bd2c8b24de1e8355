import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { newId } from '../../../core/http/ids';
import { hashToken } from './sessions.service';

const GOOD_FOR_MS = 5 * 60_000;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

const DELETE_OLD = 'DELETE FROM passkey_challenges WHERE expires_at <= $1';
const INSERT = `
  INSERT INTO passkey_challenges (id, challenge_hash, purpose, session_id, expires_at) VALUES ($1, $2, $3, $4, $5)`;
/** Of two who use one at the same moment one finds nothing. */
const USE = `
  DELETE FROM passkey_challenges
   WHERE challenge_hash = $1 AND purpose = $2 AND session_id IS NOT DISTINCT FROM $3 RETURNING expires_at`;

/** What a challenge is made for: it is good for nothing else. `sessionId` null: of a log-in. */
export interface Ceremony {
  readonly purpose: 'add' | 'log_in' | 'step_up';
  readonly sessionId: string | null;
}

/** What devices are asked to sign: each once, within five minutes, for the session that asked. Kept as digests. */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** 256 random bits. */
  async issue({ purpose, sessionId }: Ceremony): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = new Uint8Array(randomBytes(32));
    const [id, now] = [newId(), await this.now()];
    await this.dataSource.query(DELETE_OLD, [now]);
    const hash = hashToken(Buffer.from(challenge).toString('base64url'));
    await this.dataSource.query(INSERT, [id, hash, purpose, sessionId, new Date(now.getTime() + GOOD_FOR_MS)]);
    return challenge;
  }

  /** The challenge that was signed, as a device writes it down, if it was issued for this and is good still. */
  async use(clientData: string, { purpose, sessionId }: Ceremony): Promise<string | null> {
    const challenge = challengeIn(clientData);
    if (challenge === null) return null;
    const [rows] = await this.dataSource.query<[{ expires_at: Date }[], number]>(USE, [
      hashToken(challenge),
      purpose,
      sessionId,
    ]);
    return rows[0] !== undefined && rows[0].expires_at > (await this.now()) ? challenge : null;
  }

  /** Real time, whatever the test clock of an account says. */
  private now(): Promise<Date> {
    return this.clock.now({ accountId: newId(), livemode: true });
  }
}

function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' && CHALLENGE.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretBox } from '../core/secrets/secret-box';

/** What a company lets in with for a while. */
export interface Token {
  readonly token: string;
  /** From now on. */
  readonly expiresInMs: number;
}

interface Session {
  readonly token: string;
  /** Not used any more from then on: a little before its end. */
  readonly until: number;
}

/** So long before its end a token is got anew. */
const EARLY_MS = 60_000;

const FIND = `SELECT box, until FROM provider_sessions WHERE name = $1 AND until > now()`;
/** Of two processes that got one at once the longer-lived stays. */
const KEEP = `
  INSERT INTO provider_sessions AS s (name, box, until) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET box = excluded.box, until = excluded.until WHERE s.until < excluded.until`;
/** A past `until` that differs from all others: who refused it may have given another out meanwhile. */
const FORGET = `UPDATE provider_sessions SET until = '-infinity' WHERE name = $1 AND box = $2`;

/**
 * Tokens of companies, sealed in the database: one process gets them, the others use them. Within a process whoever
 * needs one while it is being got waits for the same.
 */
@Injectable()
export class Sessions {
  private readonly held = new Map<string, Session & { readonly box: Buffer }>();
  private readonly getting = new Map<string, Promise<string>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** Throws what `signIn` throws. */
  token(name: string, signIn: (signal: AbortSignal) => Promise<Token>, signal: AbortSignal): Promise<string> {
    const held = this.held.get(name);
    if (held && held.until > Date.now()) return Promise.resolve(held.token);
    const others = this.getting.get(name);
    if (others) return others;
    const getting = this.get(name, signIn, signal).finally(() => this.getting.delete(name));
    this.getting.set(name, getting);
    return getting;
  }

  /** The company refused it. */
  async forget(name: string, token: string): Promise<void> {
    const held = this.held.get(name);
    if (held?.token !== token) return;
    this.held.delete(name);
    await this.dataSource.query(FORGET, [name, held.box]);
  }

  private async get(
    name: string,
    signIn: (signal: AbortSignal) => Promise<Token>,
    signal: AbortSignal,
  ): Promise<string> {
    const [found]: { box: Buffer; until: Date }[] = await this.dataSource.query(FIND, [name]);
    if (found) {
      const token = this.secrets.open(found.box, name);
      this.held.set(name, { token, until: found.until.getTime(), box: found.box });
      return token;
    }
    const { token, expiresInMs } = await signIn(signal);
    const until = Date.now() + Math.max(expiresInMs - EARLY_MS, expiresInMs / 2);
    const box = this.secrets.seal(token, name);
    this.held.set(name, { token, until, box });
    await this.dataSource.query(KEEP, [name, box, new Date(until)]);
    return token;
  }
}

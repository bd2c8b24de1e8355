import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { TooBusy, WeakPassword } from './dashboard.errors';

const derive = promisify(argon2);

/** What OWASP asks of Argon2id at least. Memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Each run takes 19 MiB and a core for some 20 ms: more at once would be felt by those who send money. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

export const LENGTH_MIN = 15;
export const LENGTH_MIN_WITH_TOTP = 8;
/** zxcvbn's 0 to 4; below 3 stands for fewer than 10^8 guesses. */
const SCORE_MIN = 3;
/** The estimate takes longer than the length: what follows can only make it better. */
const ESTIMATED_MAX = 64;

/** An address or a name, whole and in its parts. */
const wordsOf = (text: string): string[] => [text, ...text.split('@'), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Hashes passwords with Argon2id, two at a time, and refuses those that are easy to guess. */
@Injectable()
export class PasswordsService {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private estimator: ZxcvbnFactory | null = null;

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.run(password, salt, COST);
    return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`;
  }

  /** Without a hash (nobody has this address) it takes as long, and is false. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash ?? '') ?? [];
    if (memory === undefined) {
      await this.run(password, Buffer.alloc(16), COST);
      return false;
    }
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(tag, 'base64');
    const found = await this.run(password, Buffer.from(salt, 'base64'), cost);
    return expected.length === found.length && timingSafeEqual(expected, found);
  }

  /** Throws `WeakPassword`. `known`: what others know of the person. */
  requireStrong(password: string, { known, withTotp = false, param }: { known: readonly string[]; withTotp?: boolean; param?: string }): void {
    const min = withTotp ? LENGTH_MIN_WITH_TOTP : LENGTH_MIN;
    if ([...password].length < min) throw new WeakPassword(`A password needs at least ${min} characters.`, param);
    this.estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
    const { score } = this.estimator.check(password.slice(0, ESTIMATED_MAX), known.flatMap(wordsOf));
    if (score < SCORE_MIN) throw new WeakPassword('This password is easy to guess: it is common, or made of a pattern.', param);
  }

  private async run(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
    // Whoever ends hands the place over: somebody who comes between would be one too many.
    if (this.running >= AT_ONCE_MAX) await this.turn();
    else this.running++;
    try {
      return await derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength: TAG_BYTES, ...cost });
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= WAITING_MAX) throw new TooBusy();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

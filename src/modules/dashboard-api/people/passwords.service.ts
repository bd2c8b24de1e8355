import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import * as argon2 from '@node-rs/argon2';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { bulkhead, type BulkheadPolicy, BulkheadRejectedError } from 'cockatiel';
import { TooBusy, WeakPassword } from '../dashboard.errors';

/** What OWASP asks of Argon2id at least. Memory in KiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
/** Each run takes 19 MiB and a core for some 20 ms: more at once would be felt by those who send money. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

const LENGTH_MIN = 15;
const LENGTH_MIN_WITH_TOTP = 8;
/** zxcvbn's 0 to 4; below 3 stands for fewer than 10^8 guesses. */
const SCORE_MIN = 3;
/**
 * What of a password is estimated: the time grows with its square, 20 ms here at worst, and what follows can only make
 * it better.
 */
const ESTIMATED_MAX = 24;

/** An address or a name, whole and in its parts. */
const wordsOf = (text: string): string[] =>
  [text, ...text.split('@'), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);

const lengthOf = (password: string): number => [...password].length;

/** Hashes passwords with Argon2id, two at a time, and refuses those that are easy to guess. */
@Injectable()
export class PasswordsService {
  private readonly hashing = bulkhead(AT_ONCE_MAX, WAITING_MAX);
  private readonly estimating = bulkhead(1, WAITING_MAX);
  private estimator: Promise<ZxcvbnFactory> | null = null;

  hash(password: string): Promise<string> {
    return this.run(() => argon2.hash(password.normalize('NFC'), COST));
  }

  /** Without a hash (nobody has this address) it takes as long, and is false. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    if (hash !== null) return this.run(() => argon2.verify(hash, password.normalize('NFC')));
    await this.hash(password);
    return false;
  }

  /** Throws `WeakPassword`, `TooBusy`. `known`: what others know of the person. */
  async requireStrong(
    password: string,
    { known, withTotp = false, param }: { known: readonly string[]; withTotp?: boolean; param?: string },
  ): Promise<void> {
    const min = withTotp ? LENGTH_MIN_WITH_TOTP : LENGTH_MIN;
    if (lengthOf(password) < min) throw new WeakPassword(`A password needs at least ${min} characters.`, param);
    const score = await inTurn(this.estimating, () => this.scoreOf(password, known));
    if (score < SCORE_MIN)
      throw new WeakPassword('This password is easy to guess: it is common, or made of a pattern.', param);
  }

  /** Whether it is long enough without codes beside it. Throws `WeakPassword`. */
  requireLongAlone(password: string): void {
    if (lengthOf(password) < LENGTH_MIN)
      throw new WeakPassword(
        `Without codes a password needs at least ${LENGTH_MIN} characters: change it to a longer one first.`,
      );
  }

  /** One in each turn of the event loop: it holds up everybody else as long as it lasts. */
  private async scoreOf(password: string, known: readonly string[]): Promise<number> {
    await nextTurn();
    this.estimator ??= loadEstimator();
    return (await this.estimator).check(password.slice(0, ESTIMATED_MAX), known.flatMap(wordsOf)).score;
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return inTurn(this.hashing, work);
  }
}

/** Large dictionaries, for those who choose a password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

function inTurn<T>(turns: BulkheadPolicy, work: () => Promise<T>): Promise<T> {
  return turns.execute(work).catch((error: unknown) => {
    throw error instanceof BulkheadRejectedError ? new TooBusy() : error;
  });
}

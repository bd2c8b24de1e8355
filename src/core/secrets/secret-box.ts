import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { Env } from '../config/env';

export type SecretsSettings = Pick<Env, 'SECRETS_KEY' | 'SECRETS_KEYS'>;

/** The keys for one purpose, made of the master keys: the first is used for what is new, all for what there is. */
export const keysFor = (purpose: string, { SECRETS_KEY, SECRETS_KEYS }: SecretsSettings): Buffer[] =>
  (SECRETS_KEYS?.split(',') ?? [SECRETS_KEY]).map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)),
  );

/**
 * Returns what `file` holds; writes `candidate` there first when it does not exist. Only its owner may read the file.
 */
export function keepSecret(file: string, candidate: string): string {
  try {
    writeFileSync(file, `${candidate}\n`, { mode: 0o600, flag: 'wx' });
    return candidate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}

const ALGORITHM = 'aes-256-gcm';
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of a box: how it was made. The first version did not say with which key. */
const VERSION = 2;
const VERSION_WITHOUT_ID = 1;

interface Key {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * Encrypts what must not lie readable in the database: AES-256-GCM under a key derived from `SECRETS_KEY`, which each
 * box names.
 */
@Injectable()
export class SecretBox {
  private readonly keys: readonly Key[];

  constructor(env: Env) {
    this.keys = keysOf(env);
  }

  /** `owner`: the id of the row that keeps the box. A box that is moved to another row does not open. */
  seal(text: string, owner: string): Buffer {
    const { id, key } = this.keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), id, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the box was made with a key that is not among ours, for another row, or was changed. */
  open(box: Buffer, owner: string): string {
    if (box[0] === VERSION_WITHOUT_ID) return this.openWithAny(box.subarray(1), owner);
    if (box[0] !== VERSION) throw new Error(`a secret of version ${box[0]} cannot be opened`);
    const id = box.subarray(1, 1 + ID_BYTES);
    const found = this.keys.find((key) => key.id.equals(id));
    if (found === undefined) throw new Error('a secret was sealed with a key that is not in SECRETS_KEYS');
    return unseal(found.key, box.subarray(1 + ID_BYTES), owner);
  }

  /** Whether the newest key made the box. */
  isCurrent(box: Buffer): boolean {
    return box[0] === VERSION && box.subarray(1, 1 + ID_BYTES).equals(this.keys[0]!.id);
  }

  private openWithAny(rest: Buffer, owner: string): string {
    const failures: unknown[] = [];
    for (const { key } of this.keys) {
      try {
        return unseal(key, rest, owner);
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  }
}

function keysOf(settings: SecretsSettings): Key[] {
  const ids = keysFor('duka/secrets/id/v1', settings);
  return keysFor('duka/secrets/v1', settings).map((key, index) => ({ key, id: ids[index]!.subarray(0, ID_BYTES) }));
}

function unseal(key: Buffer, rest: Buffer, owner: string): string {
  const nonce = rest.subarray(0, NONCE_BYTES);
  const tag = rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/**
 * Shows that something was given out here and is as it was: a shortened HMAC-SHA256, made with the newest key and good
 * with each.
 */
export class Seals {
  private readonly keys: readonly Buffer[];

  /** `purpose`: seals for one are no good for another. */
  constructor(
    purpose: string,
    settings: SecretsSettings,
    private readonly bytes: number,
  ) {
    this.keys = keysFor(purpose, settings);
  }

  of(content: string | Buffer): Buffer {
    return this.with(this.keys[0]!, content);
  }

  isOf(seal: Buffer, content: string | Buffer): boolean {
    return seal.length === this.bytes && this.keys.some((key) => timingSafeEqual(seal, this.with(key, content)));
  }

  private with(key: Buffer, content: string | Buffer): Buffer {
    return createHmac('sha256', key).update(content).digest().subarray(0, this.bytes);
  }
}

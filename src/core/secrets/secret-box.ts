import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../config/env';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of a box: the key and algorithm that it was made with. */
const VERSION = 1;

/** Encrypts what must not lie readable in the database: AES-256-GCM under a key derived from `SECRETS_KEY`. */
@Injectable()
export class SecretBox {
  private readonly key: Buffer;

  constructor(env: Env) {
    this.key = Buffer.from(hkdfSync('sha256', Buffer.from(env.SECRETS_KEY, 'base64'), '', 'duka/secrets/v1', 32));
  }

  /** `owner`: the id of the row that keeps the box. A box that is moved to another row does not open. */
  seal(text: string, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the box was made with another key, for another row, or was changed. */
  open(box: Buffer, owner: string): string {
    if (box[0] !== VERSION) throw new Error(`a secret of version ${box[0]} cannot be opened`);
    const nonce = box.subarray(1, 1 + NONCE_BYTES);
    const tag = box.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(box.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}

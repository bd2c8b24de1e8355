import { createHmac, timingSafeEqual } from 'node:crypto';
import { keysFor, type SecretsSettings } from '../config/secrets-keys';

/** Shows that something was given out here and is as it was: a shortened HMAC-SHA256, made with the newest key and good with each. */
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

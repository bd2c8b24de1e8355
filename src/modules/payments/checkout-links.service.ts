import { createHmac, timingSafeEqual } from 'node:crypto';
import { keysFor, type SecretsSettings } from '../../core/config/secrets-keys';
import type { PaymentKey } from './payments.types';

const UUID_BYTES = 16;
const SEAL_BYTES = 24;
const BYTES = 2 * UUID_BYTES + 1 + SEAL_BYTES;

/**
 * Addresses of checkout pages. The token in one names the payment and is sealed with HMAC-SHA256 under a key of its own:
 * nobody guesses one, nothing is stored, and it opens nothing but the page.
 */
export class CheckoutLinks {
  private readonly keys: readonly Buffer[];

  constructor(
    private readonly baseUrl: string,
    settings: SecretsSettings,
  ) {
    this.keys = keysFor('duka/checkout/v1', settings);
  }

  urlOf(payment: PaymentKey): string {
    return this.baseUrl + this.pathOf(payment);
  }

  pathOf(payment: PaymentKey): string {
    return `/checkout/${this.tokenOf(payment)}`;
  }

  /** Null for anything that was not given out. */
  keyOf(token: string): PaymentKey | null {
    const bytes = Buffer.from(token, 'base64url');
    // Decoding skips foreign characters: only the exact spelling that was given out counts.
    if (bytes.length !== BYTES || bytes.toString('base64url') !== token) return null;
    const named = bytes.subarray(0, BYTES - SEAL_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(bytes.subarray(BYTES - SEAL_BYTES), seal(key, named)))) return null;
    return { accountId: uuidOf(named, 0), id: uuidOf(named, UUID_BYTES), livemode: named[2 * UUID_BYTES] === 1 };
  }

  private tokenOf({ accountId, livemode, id }: PaymentKey): string {
    const named = Buffer.concat([bytesOf(accountId), bytesOf(id), Buffer.from([livemode ? 1 : 0])]);
    return Buffer.concat([named, seal(this.keys[0]!, named)]).toString('base64url');
  }
}

const seal = (key: Buffer, named: Buffer): Buffer =>
  createHmac('sha256', key).update(named).digest().subarray(0, SEAL_BYTES);

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer, start: number): string =>
  bytes.toString('hex', start, start + UUID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

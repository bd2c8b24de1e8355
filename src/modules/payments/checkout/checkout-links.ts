import type { Key } from '../../../core/http/caller';
import { Seals, type SecretsSettings } from '../../../core/secrets/secret-box';

const UUID_BYTES = 16;
const SEAL_BYTES = 24;
const BYTES = 2 * UUID_BYTES + 1 + SEAL_BYTES;

/**
 * Addresses of checkout pages. The token in one names the payment and is sealed with HMAC-SHA256 under a key of its
 * own: nobody guesses one, nothing is stored, and it opens nothing but the page.
 */
export class CheckoutLinks {
  private readonly seals: Seals;

  constructor(
    private readonly baseUrl: string,
    settings: SecretsSettings,
  ) {
    this.seals = new Seals('duka/checkout/v1', settings, SEAL_BYTES);
  }

  urlOf(payment: Key): string {
    return this.baseUrl + this.pathOf(payment);
  }

  pathOf(payment: Key): string {
    return `/checkout/${this.tokenOf(payment)}`;
  }

  /** Null for anything that was not given out. */
  keyOf(token: string): Key | null {
    const bytes = Buffer.from(token, 'base64url');
    // Decoding skips foreign characters: only the exact spelling that was given out counts.
    if (bytes.length !== BYTES || bytes.toString('base64url') !== token) return null;
    const named = bytes.subarray(0, BYTES - SEAL_BYTES);
    if (!this.seals.isOf(bytes.subarray(BYTES - SEAL_BYTES), named)) return null;
    return { accountId: uuidOf(named, 0), id: uuidOf(named, UUID_BYTES), livemode: named[2 * UUID_BYTES] === 1 };
  }

  private tokenOf({ accountId, livemode, id }: Key): string {
    const named = Buffer.concat([bytesOf(accountId), bytesOf(id), Buffer.from([livemode ? 1 : 0])]);
    return Buffer.concat([named, this.seals.of(named)]).toString('base64url');
  }
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer, start: number): string =>
  bytes.toString('hex', start, start + UUID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

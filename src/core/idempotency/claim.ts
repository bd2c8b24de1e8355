import type { IdPrefix } from '../../vocabulary/id-prefixes';

/**
 * What a request asks to be done at most once. Stored in the transaction of its effect,
 * so a key without an effect, or an effect without its key, cannot exist.
 */
export interface Claim {
  /** Account uuid. */
  readonly accountId: string;
  readonly livemode: boolean;
  /** `Idempotency-Key` header; kept 30 days. */
  readonly key: string | null;
  /** The caller's own id from the body; unique for ever. */
  readonly reference: string | null;
  /** SHA-256 over method, route template and canonical body. */
  readonly fingerprint: Buffer;
  /** What the key is bound to. */
  readonly resource: IdPrefix;
  readonly resourceId: string;
  /** What it looks like, when it has neither key nor reference: a twin within two minutes is stopped. */
  readonly likeness?: Likeness | null;
}

/** What stops a request that was sent twice without a key. */
export interface Likeness {
  /** Digest of what makes two requests look alike. */
  readonly value: string;
  /** By the clock of the account. */
  readonly expiresAt: Date;
}

/** How a repeated request was recognised; decides the status code of the answer. */
export type ReplayedBy = 'key' | 'reference';

/** The parts of a claim that the HTTP request alone decides. */
export type RequestClaim = Pick<Claim, 'key' | 'fingerprint'>;

/** One key, reference or likeness as it is stored, with what it is bound to. */
export interface StoredClaim {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly kind: ReplayedBy | 'likeness';
  readonly value: string;
  readonly fingerprint: Buffer;
  readonly resource: IdPrefix;
  readonly resourceId: string;
  /** Of a likeness only. */
  readonly expiresAt: Date | null;
}

/** What a request made: now, or when it was sent before. */
export interface Made<T> {
  readonly made: T;
  readonly replayedBy: ReplayedBy | null;
}

/** A request that was carried out before: its resource answers for it. */
export interface Replay {
  readonly by: ReplayedBy;
  readonly resourceId: string;
}

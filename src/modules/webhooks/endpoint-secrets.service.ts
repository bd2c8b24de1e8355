import { createSecretKey, generateKeySync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../core/clock/clock';
import { FieldRefused } from '../../core/errors/domain-error';
import type { Tenant } from '../../core/http/caller';
import { SecretBox } from '../../core/secrets/secret-box';
import type { WebhookEndpoint } from './endpoints/webhook-endpoint.entity';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Bounds of Standard Webhooks. */
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

const NEW_KEY_BITS = 256;

/** Headers that one endpoint may have sent along. */
export const SENT_HEADERS_MAX = 20;

export const newKey = (): KeyObject => generateKeySync('hmac', { length: NEW_KEY_BITS });

/** A signing key as its owner sees it. */
export function formatSecret(key: KeyObject): string {
  return PREFIX + key.export().toString('base64');
}

/** The signing key of a `whsec_…`; null when it is none. */
export function parseSecret(text: string): KeyObject | null {
  const encoded = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !BASE64.test(encoded)) return null;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX ? createSecretKey(key) : null;
}

const OPEN_MAX = 10_000;

/** A new signing secret, to be shown once and kept sealed. */
export interface NewSecret {
  /** `whsec_` and base64. */
  readonly shown: string;
  readonly sealed: Buffer;
}

/** What is sent along with each message, by lower-case name. */
export type SentAlong = Readonly<Record<string, string>>;

type Signer = Pick<WebhookEndpoint, 'accountId' | 'livemode' | 'id' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** Makes, rotates and opens the secrets with which deliveries are signed. */
@Injectable()
export class EndpointSecretsService {
  /** By what is sealed and for whom: what no longer opens is not found here either. */
  private readonly opened = new LRUCache<string, KeyObject>({ max: OPEN_MAX });

  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  make(endpointId: string): NewSecret {
    const shown = formatSecret(newKey());
    return { shown, sealed: this.box.seal(shown, endpointId) };
  }

  /** The columns that keep what is sent along; `changes` by name, null takes one away. Throws `FieldRefused`. */
  withHeaders(
    id: string,
    before: SentAlong,
    changes: Readonly<Record<string, string | null>>,
  ): Pick<WebhookEndpoint, 'headers' | 'headerNames'> {
    const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
    if (merged.length > SENT_HEADERS_MAX)
      throw new FieldRefused('/headers', `The endpoint would have more than ${SENT_HEADERS_MAX} headers.`);
    const headers = merged.length === 0 ? null : this.box.seal(JSON.stringify(Object.fromEntries(merged)), id);
    return { headers, headerNames: merged.map(([name]) => name).sort() };
  }

  headersOf({ headers, id }: Pick<WebhookEndpoint, 'headers' | 'id'>): SentAlong {
    return headers === null ? {} : (JSON.parse(this.box.open(headers, id)) as SentAlong);
  }

  /** When a secret that is replaced now stops to sign, by the account's clock. */
  async endsAt(owner: Tenant, seconds: number): Promise<Date> {
    return new Date((await this.clock.now(owner)).getTime() + seconds * 1_000);
  }

  /** The newest secret of an endpoint, as it was shown when it was made. */
  shown({ secret, id }: Pick<Signer, 'secret' | 'id'>): string {
    return formatSecret(this.open(secret, id));
  }

  /** The keys that sign now, the newest first. */
  async signingKeys(endpoint: Signer): Promise<KeyObject[]> {
    const { previousSecret, previousUntil } = endpoint;
    const bothSign =
      previousSecret !== null && previousUntil !== null && (await this.clock.now(endpoint)) < previousUntil;
    return [endpoint.secret, ...(bothSign ? [previousSecret] : [])].map((sealed) => this.open(sealed, endpoint.id));
  }

  private open(sealed: Buffer, endpointId: string): KeyObject {
    const name = endpointId + sealed.toString('latin1');
    const known = this.opened.get(name);
    if (known !== undefined) return known;
    const key = parseSecret(this.box.open(sealed, endpointId))!;
    this.opened.set(name, key);
    return key;
  }
}

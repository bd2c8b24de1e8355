import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock, type ClockOwner } from '../../core/clock/clock';
import { SecretBox } from '../../core/secrets/secret-box';
import { formatSecret, parseSecret } from './signature.batch';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

const SECRET_BYTES = 32;
const OPEN_MAX = 10_000;

/** A new signing secret, to be shown once and kept sealed. */
export interface NewSecret {
  /** `whsec_` and base64. */
  readonly shown: string;
  readonly sealed: Buffer;
}

type Signer = Pick<WebhookEndpoint, 'accountId' | 'livemode' | 'id' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** Makes, rotates and opens the secrets with which deliveries are signed. */
@Injectable()
export class EndpointSecretsService {
  /** By what is sealed and for whom: what no longer opens is not found here either. */
  private readonly opened = new LRUCache<string, Buffer>({ max: OPEN_MAX });

  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  make(endpointId: string): NewSecret {
    const shown = formatSecret(randomBytes(SECRET_BYTES));
    return { shown, sealed: this.box.seal(shown, endpointId) };
  }

  /** When a secret that is replaced now stops to sign, by the account's clock. */
  async endsAt(owner: ClockOwner, seconds: number): Promise<Date> {
    return new Date((await this.clock.now(owner)).getTime() + seconds * 1_000);
  }

  /** The keys that sign now, the newest first. */
  async signingKeys(endpoint: Signer): Promise<Buffer[]> {
    const { previousSecret, previousUntil } = endpoint;
    const bothSign = previousSecret !== null && previousUntil !== null && (await this.clock.now(endpoint)) < previousUntil;
    return [endpoint.secret, ...(bothSign ? [previousSecret] : [])].map((sealed) => this.open(sealed, endpoint.id));
  }

  private open(sealed: Buffer, endpointId: string): Buffer {
    const name = endpointId + sealed.toString('latin1');
    const known = this.opened.get(name);
    if (known !== undefined) return known;
    const key = parseSecret(this.box.open(sealed, endpointId))!;
    this.opened.set(name, key);
    return key;
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Env } from '../core/config/env';
import { keysFor } from '../core/secrets/secret-box';
import type { CallbackRequest } from './answers';

const SIGNATURE = 'x-sandbox-signature';
const HEX_64 = /^[0-9a-f]{64}$/;

/** How those whom the sandbox pretends sign their callbacks. */
export class SandboxSignature {
  private readonly key: Buffer;

  /** `purpose`: what the key is derived for. */
  constructor(purpose: string, env: Env) {
    [this.key] = keysFor(purpose, env) as [Buffer];
  }

  /** A callback as `by` sends it. */
  sign(content: object, by = ''): CallbackRequest {
    const body = Buffer.from(JSON.stringify(content));
    return { body, headers: { 'content-type': 'application/json', [SIGNATURE]: this.of(body, by).toString('hex') } };
  }

  isOn({ body, headers }: CallbackRequest, by = ''): boolean {
    const given = headers[SIGNATURE] ?? '';
    return HEX_64.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), this.of(body, by));
  }

  private of(body: Buffer, by: string): Buffer {
    return createHmac('sha256', this.key)
      .update(by === '' ? '' : `${by}\n`)
      .update(body)
      .digest();
  }
}

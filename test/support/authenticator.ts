import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { cose, isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url');

/** What of an answer is to be other than it should be. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Nobody was asked for a finger or a PIN. */
  readonly unverified?: boolean;
  /** Signed by another key. */
  readonly forged?: boolean;
}

/** A device with one key, as WebAuthn describes it. */
export class Authenticator {
  readonly credentialId = text(randomBytes(32));
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private handle = '';
  private counter = 0;

  constructor(private readonly origin: string) {}

  /** Another device with the same key. */
  copy(): Authenticator {
    return Object.assign(new Authenticator(this.origin), this);
  }

  /** Answers `POST /passkeys/options`, as `POST /passkeys` takes it. */
  make(options: any, name: string, lies: Lies & { attestation?: object } = {}) {
    this.handle = options.user.id;
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [cose.COSEKEYS.kty, cose.COSEKTY.EC2],
        [cose.COSEKEYS.alg, cose.COSEALG.ES256],
        [cose.COSEKEYS.crv, cose.COSECRV.P256],
        [cose.COSEKEYS.x, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [cose.COSEKEYS.y, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ]),
    );
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const authData = Buffer.concat([this.dataOf(options.rp.id, 0x40, lies), Buffer.alloc(16), length, id, key]);
    const statement = lies.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestation = new Map<string, any>([...Object.entries(statement), ['authData', new Uint8Array(authData)]]);
    return {
      name,
      credential_id: this.credentialId,
      client_data: this.clientData('webauthn.create', options.challenge, lies),
      attestation: text(isoCBOR.encode(attestation)),
    };
  }

  /** Answers a question of a log-in or a step-up. */
  sign(options: any, lies: Lies = {}) {
    const clientData = this.clientData('webauthn.get', options.challenge, lies);
    const data = this.dataOf(options.rpId, 0, lies);
    const hash = sha256(Buffer.from(clientData, 'base64url'));
    const key: KeyObject = lies.forged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.keys.privateKey;
    return {
      credential_id: this.credentialId,
      client_data: clientData,
      authenticator_data: text(data),
      signature: text(
        createSign('sha256')
          .update(Buffer.concat([data, hash]))
          .sign(key),
      ),
      user_handle: lies.userHandle ?? this.handle,
    };
  }

  private dataOf(rpId: string, flags: number, { rpId: other, unverified, counter }: Lies): Buffer {
    const count = Buffer.alloc(4);
    this.counter = counter ?? this.counter + 1;
    count.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([flags | 0x01 | (unverified ? 0 : 0x04)]), count]);
  }

  private clientData(type: string, challenge: string, lies: Lies): string {
    const data = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
    };
    return text(Buffer.from(JSON.stringify({ ...data, crossOrigin: false })));
  }
}

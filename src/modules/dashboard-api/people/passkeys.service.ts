import { isIP } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { ControlCell } from '../../../core/cells/control-cell';
import { Env } from '../../../core/config/env';
import { constraintOf, UnitOfWork } from '../../../core/database/unit-of-work';
import { found } from '../../../core/errors/domain-error';
import { encodeId, newId, timeOf } from '../../../core/http/ids';
import { MailsService } from '../../../core/mail/mails.service';
import { networkOf } from '../../../core/text/ip-address';
import { AuditService } from '../audit.service';
import { PasskeyRefused, PasskeysUnavailable } from '../dashboard.errors';
import { AttemptsService } from './attempts.service';
import { passkeyAddedLetter } from './letters';
import { type Ceremony, PasskeyChallenges } from './passkey-challenges.service';
import { hashToken, SessionsService, type SignedIn } from './sessions.service';

const TOLD_WITHIN_SECONDS = 2 * 24 * 3_600;
/** Ed25519, P-256 and RSA: what browsers and keys have. */
const ALGORITHMS = [-8, -7, -257];

const SELECT = `
  SELECT id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey", name, synced,
         last_used_at AS "lastUsedAt" FROM passkeys`;
const OF_PERSON = `${SELECT} WHERE user_id = $1 ORDER BY id DESC`;
const BY_CREDENTIAL = `${SELECT} WHERE credential_id = $1`;
const INSERT = `
  INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, synced, name, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
/**
 * Devices count what they sign, or always say 0. A number that was seen before is a copy's. Finds nothing, too, when
 * the passkey was removed meanwhile.
 */
const USE = `
  UPDATE passkeys SET counter = $2, synced = $3, last_used_at = now()
   WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;
const RENAME = 'UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING id';
const REMOVE = 'DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING name';

/** A key of a device with which somebody logs in. */
export interface Passkey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly name: string;
  /** Its owner has it on other devices, too. */
  readonly synced: boolean;
  readonly lastUsedAt: Date | null;
}

/** The name and address that browsers tie passkeys to. */
export interface Site {
  readonly origin: string;
  readonly name: string;
}

/** What a device answers when it makes a key; in base64url. */
export interface NewCredential {
  readonly name: string;
  readonly credentialId: string;
  readonly clientData: string;
  readonly attestation: string;
}

/** What a device answers when it signs; in base64url. */
export interface ShownCredential {
  readonly credentialId: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string | null;
}

/** Where an answer comes from. */
export interface Shown {
  readonly site: Site;
  readonly ip: string;
}

/**
 * Passkeys: keys of devices that ask their owner for a finger, a face or a PIN before they sign, and so are both
 * factors of a log-in at once.
 */
@Injectable()
export class PasskeysService {
  private readonly log = new Logger('identity');

  constructor(
    private readonly env: Env,
    private readonly unitOfWork: UnitOfWork,
    private readonly challenges: PasskeyChallenges,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
    private readonly mails: MailsService,
    private readonly audit: AuditService,
    private readonly control: ControlCell,
  ) {}

  /**
   * Where the service is published; else only this machine by its name: a host that a request claims is no place to
   * trust. Throws `PasskeysUnavailable`.
   */
  siteOf({ protocol, host }: { protocol: string; host: string }): Site {
    const { PUBLIC_URL } = this.env;
    const url = URL.parse(PUBLIC_URL ?? `${protocol}://${host}`);
    const isHere = url?.hostname === 'localhost';
    if (url === null || (!isHere && (PUBLIC_URL === undefined || url.protocol !== 'https:' || isAddress(url.hostname))))
      throw new PasskeysUnavailable();
    return { origin: url.origin, name: url.hostname };
  }

  list(userId: string): Promise<Passkey[]> {
    return this.unitOfWork.run((tx) => tx.query<Passkey[]>(OF_PERSON, [userId]));
  }

  /** What a device needs to make a key. One that has a key of the person already makes no second. */
  async offer(
    { sessionId, userId, email, name }: SignedIn,
    site: Site,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const known = await this.list(userId);
    const { generateRegistrationOptions } = await webAuthn();
    return generateRegistrationOptions({
      rpName: 'Duka',
      rpID: site.name,
      userName: email,
      userDisplayName: name,
      userID: new Uint8Array(handleOf(userId)),
      challenge: await this.challenges.issue({ purpose: 'add', sessionId }),
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /** Whoever has the address is told. Throws `PasskeyRefused`, `TooManyAttempts`. */
  async add(me: SignedIn, credential: NewCredential, { site, ip }: Shown): Promise<Passkey> {
    this.control.requireHere();
    await this.attempts.count('proof', me.userId);
    const made = await this.verifyNew(credential, { purpose: 'add', sessionId: me.sessionId }, site);
    if (made === null) return this.refuse(ip, me.userId);
    const { name } = credential;
    const id = newId();
    const { accountId, userId, email: actor } = me;
    const key = Buffer.from(made.publicKey).toString('base64url');
    try {
      await this.audit.along(async (tx) => {
        await tx.query(INSERT, [id, userId, made.credentialId, key, made.counter, made.synced, name, timeOf(id)]);
        const mail = { kind: 'passkey.added', to: actor, goodForSeconds: TOLD_WITHIN_SECONDS };
        await this.mails.add(tx, { ...mail, letter: passkeyAddedLetter(name) });
        const target = encodeId('psk', id);
        return { accountId, userId, actor, action: 'passkey.added', target, ip, detail: { name } };
      });
    } catch (error) {
      if (constraintOf(error) === 'passkeys_credential') return this.refuse(ip, me.userId);
      throw error;
    }
    await this.attempts.forgive('proof', me.userId);
    return found((await this.list(userId)).find((one) => one.id === id) ?? null, 'passkey');
  }

  /** Throws `NotFound`. */
  async rename({ userId }: SignedIn, id: string | null, name: string): Promise<Passkey> {
    this.control.requireHere();
    const [rows] = await this.unitOfWork.run((tx) => tx.query<[unknown[], number]>(RENAME, [id, userId, name]));
    found(rows[0] ?? null, 'passkey');
    return found((await this.list(userId)).find((one) => one.id === id) ?? null, 'passkey');
  }

  /** Ends the other sessions of the person: one may have been begun with it. Throws `NotFound`. */
  async remove(me: SignedIn, id: string | null, ip: string): Promise<void> {
    this.control.requireHere();
    const { accountId, userId, email: actor } = me;
    const spared = await this.sessions.renew(me);
    await this.audit.along(async (tx) => {
      const [rows] = await tx.query<[{ name: string }[], number]>(REMOVE, [id, userId]);
      const { name } = found(rows[0] ?? null, 'passkey');
      await this.sessions.endAll(userId, { spared, tx });
      const target = encodeId('psk', id!);
      return { accountId, userId, actor, action: 'passkey.removed', target, ip, detail: { name } };
    });
  }

  /** What a device needs to sign. At the log-in nobody has said who they are: it finds its key by our name. */
  async ask(me: SignedIn | null, site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const known = me === null ? undefined : await this.list(me.userId);
    const { generateAuthenticationOptions } = await webAuthn();
    return generateAuthenticationOptions({
      rpID: site.name,
      challenge: await this.challenges.issue(ceremonyOf(me)),
      allowCredentials: known?.map(({ credentialId: id }) => ({ id })),
      userVerification: 'required',
    });
  }

  /** Whose passkey it is; with `me`, theirs. Throws `PasskeyRefused`, `TooManyAttempts`. */
  async requireShown(shown: ShownCredential, me: SignedIn | null, { site, ip }: Shown): Promise<Passkey> {
    this.control.requireHere();
    await this.attempts.count('address', ip);
    const tried = hashToken(shown.credentialId).toString('hex');
    await this.attempts.count('passkey', tried, ip);
    if (me !== null) await this.attempts.count('proof', me.userId);
    // Before the key is looked up, so that a challenge is spent by whatever comes of it.
    const challenge = await this.challenges.use(shown.clientData, ceremonyOf(me));
    const [passkey] = await this.unitOfWork.run((tx) => tx.query<Passkey[]>(BY_CREDENTIAL, [shown.credentialId]));
    const isWhose = passkey !== undefined && (me === null ? isOf(passkey.userId, shown) : passkey.userId === me.userId);
    if (challenge === null || !isWhose) return this.refuse(ip, me?.userId ?? null);
    const signed = await this.verifyShown(passkey, shown, { challenge, site });
    if (signed === null) return this.refuse(ip, passkey.userId);
    const [used] = await this.unitOfWork.run((tx) =>
      tx.query<[unknown[], number]>(USE, [passkey.id, signed.counter, signed.synced]),
    );
    if (used.length === 0) return this.refuse(ip, passkey.userId, 'passkey.copied');
    await this.attempts.forgive('passkey', tried, ip);
    if (me !== null) await this.attempts.forgive('proof', me.userId);
    return passkey;
  }

  private async verifyNew(credential: NewCredential, ceremony: Ceremony, site: Site) {
    const { credentialId: id, clientData: clientDataJSON, attestation: attestationObject } = credential;
    const challenge = await this.challenges.use(clientDataJSON, ceremony);
    if (challenge === null || !(await isWithoutCertificates(attestationObject))) return null;
    const { verifyRegistrationResponse } = await webAuthn();
    const response = { clientDataJSON, attestationObject };
    const verified = await this.quietly(() =>
      verifyRegistrationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.name,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (!verified?.verified) return null;
    const { credential: made, credentialBackedUp: synced } = verified.registrationInfo;
    return { credentialId: made.id, publicKey: made.publicKey, counter: made.counter, synced };
  }

  /** The counter is compared when it is written, so that of two at once one is refused. */
  private async verifyShown(passkey: Passkey, shown: ShownCredential, { challenge, site }: Asked) {
    const { credentialId: id, clientData: clientDataJSON, authenticatorData, signature } = shown;
    const response = { clientDataJSON, authenticatorData, signature };
    const { verifyAuthenticationResponse } = await webAuthn();
    const verified = await this.quietly(() =>
      verifyAuthenticationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.name,
        credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: 0 },
        requireUserVerification: true,
      }),
    );
    if (!verified?.verified) return null;
    const { newCounter: counter, credentialBackedUp: synced } = verified.authenticationInfo;
    return { counter, synced };
  }

  /** Whatever is wrong with an answer is told nobody but the log. */
  private async quietly<T>(verify: () => Promise<T>): Promise<T | null> {
    try {
      return await verify();
    } catch (error) {
      this.log.warn({ msg: 'a passkey was refused', reason: error instanceof Error ? error.name : 'unknown' });
      return null;
    }
  }

  /** Leaves a trace, for which nobody waits. */
  private refuse(ip: string, userId: string | null, action = 'person.refused'): never {
    const user = userId && encodeId('usr', userId);
    this.log.warn({ msg: 'a passkey was refused', network: networkOf(ip), user, action });
    if (userId !== null)
      void this.audit
        .recordOf(userId, action, ip)
        .catch((error: unknown) => this.log.error({ msg: 'a refusal could not be recorded', err: error }));
    throw new PasskeyRefused();
  }
}

/** 250 files, for those who log in with a passkey. */
const webAuthn = () => import('@simplewebauthn/server');

interface Asked {
  readonly challenge: string;
  readonly site: Site;
}

const ceremonyOf = (me: SignedIn | null): Ceremony =>
  me === null ? { purpose: 'log_in', sessionId: null } : { purpose: 'step_up', sessionId: me.sessionId };

/** The 16 bytes by which a device knows a person: they say nothing about them. */
const handleOf = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

const isOf = (userId: string, { userHandle }: ShownCredential): boolean =>
  userHandle === handleOf(userId).toString('base64url');

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Others come with certificates whose lists of revoked ones would be fetched, from wherever they say. */
async function isWithoutCertificates(attestation: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && !decoded.get('attStmt').get('x5c'));
  } catch {
    return false;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { type Of, secret, Settings, text, url } from '../../core/config/settings';
import { newId } from '../../core/http/ids';
import {
  type FindVerificationResult,
  type IdentityProvider,
  type VerificationOrder,
  type VerificationRef,
  VerifiesIdentities,
  type VerifyResult,
} from '../../modules/cards/identity.provider';
import { fieldsOf, type UnknownOutcome } from '../../providers/answers';
import { ProviderOutage } from '../../providers/breakers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { Checkable, CheckResult } from '../../providers/registry';
import { type Asked, AUTHORITY_AWAY, type FoundJob, placedOf, signed, statusOf } from './jobs';

// Smile ID, Basic KYC: whether a name and a birth date are those of a document. After
// https://docs.usesmileid.com/products/for-individuals-kyc/basic-kyc, /further-reading/result-codes (and its error
// codes), /further-reading/job-status, and Smile ID's own client library 3.2.1 (June 2026,
// https://github.com/smileidentity/smile-identity-core-js), read 2026-11-25. There is a newer API, v3: it is not used,
// as a verification is looked up there by Smile ID's own id only. Whoever lost the answer could never find it again.
// docs/providers/smileid.md says what nobody could verify.

/** Absent until somebody has an account. */
const SMILEID = Settings.of('smileid', {
  url: url({
    default: 'https://api.smileidentity.com/',
    about: 'Address of Smile ID; of its sandbox: https://testapi.smileidentity.com/.',
  }),
  partnerId: text({ about: 'Partner id at Smile ID, with its zeros (portal, API keys).' }),
  apiKey: secret({ about: 'API key of Smile ID, of the environment of the address.' }),
});

type Values = Of<typeof SMILEID>;

/** By kind of document. Of no other kind is known which country it is of, and so whom to ask. */
const DOCUMENTS: Readonly<Record<string, string>> = { nin: 'NIN_V2', bvn: 'BVN' };
/** Of job types: that a number and its owner are looked up. */
const BASIC_KYC = 5;
/** So many jobs one verification may have: each but the last found the authority away. */
const ATTEMPTS_MAX = 12;
/** An answer may hold a photo. */
const BYTES_MAX = 2 * 1_024 * 1_024;

const UNSUPPORTED = {
  outcome: 'rejected',
  providerReference: null,
  code: 'document_not_supported',
  message: 'Identities are verified by a NIN or a BVN.',
  recovery: 'caller_must_fix',
} as const;
/** They say that the job is there, and that it is not. */
const CONTRADICTION: UnknownOutcome = { outcome: 'unknown', code: 'job_used_but_not_found' };

/**
 * A verification is a job there, under our reference. A job that found the authority away stays so, and its id is used
 * up: the next one gets the reference with a number. So whoever looks goes from the first job to the one that counts.
 */
@Injectable()
@VerifiesIdentities({ name: 'smileid', mode: 'live', when: SMILEID })
export class SmileIdentities implements IdentityProvider, Checkable {
  private readonly outside: Outside;

  constructor(
    @Inject(SMILEID) private readonly settings: Values,
    http: ProviderHttp,
  ) {
    this.outside = http.to({ name: 'smileid', url: settings.url });
  }

  async verify(order: VerificationOrder, signal: AbortSignal): Promise<VerifyResult> {
    const type = order.person.identity.type;
    if (!Object.hasOwn(DOCUMENTS, type)) return UNSUPPORTED;
    const first = await this.place(order, 1, signal);
    if (first.outcome !== 'used') return verifiedOf(first);
    const { attempt, found } = await this.walk(order.reference, signal);
    if (found.outcome !== 'not_known' || attempt === 1) return verifiedOf(found);
    const next = await this.place(order, attempt, signal);
    return next.outcome === 'used' ? CONTRADICTION : verifiedOf(next);
  }

  async find({ reference }: VerificationRef, signal: AbortSignal): Promise<FindVerificationResult> {
    const { found } = await this.walk(reference, signal);
    return found.outcome === 'not_known' ? found : verifiedOf(found);
  }

  /** How a job stands that there is not. */
  async check(signal: AbortSignal): Promise<CheckResult> {
    const { url: address } = this.settings;
    try {
      return checkOf(await this.askStatus(newId(), signal), address);
    } catch (error) {
      if (error instanceof ProviderOutage) return no('Nobody accepts connections at SMILEID_URL.');
      return no('Smile ID did not answer in time.');
    }
  }

  /** The first job of a reference that did not find the authority away, or that there is not. */
  private async walk(reference: string, signal: AbortSignal): Promise<{ attempt: number; found: FoundJob }> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const asked = this.askedOf(reference, attempt);
      const found = statusOf(await this.askStatus(asked.jobId, signal), asked);
      if (found.outcome !== 'authority_away') return { attempt, found };
    }
    return { attempt: ATTEMPTS_MAX, found: AUTHORITY_AWAY };
  }

  private async place({ reference, person }: VerificationOrder, attempt: number, signal: AbortSignal) {
    const asked = this.askedOf(reference, attempt);
    const json = {
      source_sdk: 'rest_api',
      source_sdk_version: '1.0.0',
      partner_id: this.settings.partnerId,
      ...signed(this.settings),
      country: 'NG',
      id_type: DOCUMENTS[person.identity.type]!,
      id_number: person.identity.number,
      first_name: person.firstName,
      last_name: person.lastName,
      dob: person.dateOfBirth,
      partner_params: { job_id: asked.jobId, user_id: userOf(asked.jobId), job_type: BASIC_KYC },
    };
    return placedOf(
      await this.outside.ask({ method: 'POST', path: 'v2/verify', json, signal, bytesMax: BYTES_MAX }),
      asked,
    );
  }

  private askStatus(jobId: string, signal: AbortSignal): Promise<CompanyAnswer> {
    const json = {
      partner_id: this.settings.partnerId,
      ...signed(this.settings),
      user_id: userOf(jobId),
      job_id: jobId,
      image_links: false,
      history: false,
    };
    return this.outside.ask({ method: 'POST', path: 'v1/job_status', json, signal, bytesMax: BYTES_MAX });
  }

  private askedOf(reference: string, attempt: number): Asked {
    return { partner: this.settings, jobId: attempt === 1 ? reference : `${reference}_${attempt}` };
  }
}

/** Nobody has two verifications under one name there. */
const userOf = (jobId: string): string => jobId.split('_')[0]!;

function verifiedOf(found: FoundJob): VerifyResult {
  if (found.outcome === 'authority_away') return { outcome: 'unknown', code: 'authority_unavailable' };
  return found.outcome === 'not_known' ? CONTRADICTION : found;
}

const no = (says: string): CheckResult => ({ isFine: false, says });

function checkOf({ status, body }: CompanyAnswer, address: string): CheckResult {
  const { code } = fieldsOf(body);
  if (typeof code !== 'string' || !/^\d{4}$/.test(code))
    return no(`What answers at SMILEID_URL is not Smile ID (HTTP ${status}).`);
  if (/^2[234]05$/.test(code))
    return no(
      'Smile ID does not take our signature: look at SMILEID_PARTNER_ID and SMILEID_API_KEY, of one environment.',
    );
  if (code !== '2304') return no(`Smile ID takes no question from us (code ${code}).`);
  if (new URL(address).hostname.startsWith('testapi.'))
    return no('Smile ID takes our signature, but this is its sandbox: nobody real is known there.');
  return { isFine: true, says: 'Smile ID takes our signature.' };
}

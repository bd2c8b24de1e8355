import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FindVerificationResult, VerifyResult } from '../../modules/cards/identity.provider';
import {
  fieldsOf,
  type Given,
  isReference,
  isText,
  type Refused,
  type UnknownOutcome,
  UNREADABLE,
} from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';

/** Who asks: a number of theirs, and what requests and answers are signed with. */
export interface Partner {
  readonly partnerId: string;
  readonly apiKey: string;
}

/** Whom an answer must come from, and which job it must be about. */
export interface Asked {
  readonly partner: Partner;
  readonly jobId: string;
}

/** Whoever knows the document could not be asked when the job ran. The job stays so: another one may hear more. */
interface AuthorityAway {
  readonly outcome: 'authority_away';
}

/** There is a job of this id: what became of it is told by its status only. */
interface Used {
  readonly outcome: 'used';
}

export type FoundJob = FindVerificationResult | AuthorityAway;

export const AUTHORITY_AWAY: AuthorityAway = { outcome: 'authority_away' };
const FORGED: UnknownOutcome = { outcome: 'unknown', code: 'signature_wrong' };
/** A detail was compared with nothing. */
const NOT_COMPARED: UnknownOutcome = { outcome: 'unknown', code: 'not_compared' };

/** Codes of the API beside those of results. */
const JOB_EXISTS = '2215';
const JOB_TOLD = '2302';
const NO_SUCH_JOB = '2304';
/** Results that say something of the person. */
const EXACT = '1020';
const PARTIAL = '1021';
const AUTHORITY_UNAVAILABLE = '1015';

const NOT_FOUND: Refused = {
  code: 'identity_not_found',
  message: 'Nobody has a document of this number.',
  recovery: 'caller_must_fix',
};

const MISMATCH: Refused = {
  code: 'identity_mismatch',
  message: 'The document of this number is of somebody with another name or birth date.',
  recovery: 'caller_must_fix',
};

/** Results that end a verification without the person being known; all others but those above say nothing of them. */
export const REJECTIONS: Readonly<Record<string, Refused>> = {
  '1013': NOT_FOUND,
  '1014': {
    code: 'invalid_identity_number',
    message: 'The number does not have the form of such a document.',
    recovery: 'caller_must_fix',
  },
  '1022': MISMATCH,
  '1023': NOT_FOUND,
};

/** How a detail compares: the words of `Actions`. */
const COMPARED: Readonly<Record<string, 'same' | 'close' | 'other' | 'untold'>> = {
  'Exact Match': 'same',
  'Partial Match': 'close',
  Transposed: 'close',
  'No Match': 'other',
  'Not Provided': 'untold',
};

/** Time and signature of a request. */
export function signed({ partnerId, apiKey }: Partner, timestamp = new Date().toISOString()) {
  return { timestamp, signature: macOf({ partnerId, apiKey }, timestamp).toString('base64') };
}

/** What placing a job was answered with. */
export function placedOf({ status, body }: CompanyAnswer, asked: Asked): FoundJob | Used {
  const given = fieldsOf(body);
  if (status < 500 && given.code === JOB_EXISTS) return { outcome: 'used' };
  if (status !== 200) return saysNothing(given.code);
  return given.signature === undefined || isSigned(given, asked.partner) ? verdictOf(given, asked) : FORGED;
}

/** What the question how a job stands was answered with. */
export function statusOf({ status, body }: CompanyAnswer, asked: Asked): FoundJob {
  const given = fieldsOf(body);
  // Whoever believes it wrongly places a job that there is: that is refused as used.
  if (status < 500 && given.code === NO_SUCH_JOB) return { outcome: 'not_known' };
  if (status !== 200 || (given.code !== undefined && given.code !== JOB_TOLD)) return saysNothing(given.code);
  if (!isSigned(given, asked.partner)) return FORGED;
  if (given.job_complete === false) return { outcome: 'accepted' };
  return given.job_complete === true ? verdictOf(fieldsOf(given.result), asked) : UNREADABLE;
}

function verdictOf(result: Given, { jobId }: Asked): VerifyResult | AuthorityAway {
  const { PartnerParams, ResultCode: code, SmileJobID: providerReference, Actions } = result;
  if (fieldsOf(PartnerParams).job_id !== jobId || !isText(code)) return UNREADABLE;
  if (code === AUTHORITY_UNAVAILABLE) return AUTHORITY_AWAY;
  if (!isReference(providerReference)) return UNREADABLE;
  if (code === EXACT || code === PARTIAL) return matchOf(code, fieldsOf(Actions), providerReference);
  if (!Object.hasOwn(REJECTIONS, code)) return saysNothing(code);
  return { outcome: 'rejected', providerReference, ...REJECTIONS[code]! };
}

/**
 * Smile ID approves of a partial match already when one detail is close. Here somebody is verified whose birth date is
 * that of the document, and whose name is that or close to it.
 */
function matchOf(code: string, { Names, DOB }: Given, providerReference: string): VerifyResult {
  const [name, birth] = [Names, DOB].map(comparedOf);
  if (name === null || birth === null) return UNREADABLE;
  const isOther = name === 'other' || birth === 'other' || birth === 'close';
  if (isOther) return code === EXACT ? UNREADABLE : { outcome: 'rejected', providerReference, ...MISMATCH };
  if (name === 'untold' || birth === 'untold') return NOT_COMPARED;
  return { outcome: 'verified', providerReference };
}

const comparedOf = (word: unknown) =>
  typeof word === 'string' && Object.hasOwn(COMPARED, word) ? COMPARED[word]! : null;

/** Of our account, of the request, or not understood: for whoever looks into it. */
const saysNothing = (code: unknown): UnknownOutcome =>
  typeof code === 'string' && /^\d{4}$/.test(code) ? { outcome: 'unknown', code: `smileid_${code}` } : UNREADABLE;

/** It covers no field but the time: that it is right tells who answers, not what. */
function isSigned({ timestamp, signature }: Given, partner: Partner): boolean {
  if (!isText(timestamp) || !isText(signature)) return false;
  const [given, own] = [Buffer.from(signature, 'base64'), macOf(partner, timestamp)];
  return given.length === own.length && timingSafeEqual(given, own);
}

const macOf = ({ partnerId, apiKey }: Partner, timestamp: string): Buffer =>
  createHmac('sha256', apiKey).update(timestamp).update(partnerId).update('sid_request').digest();

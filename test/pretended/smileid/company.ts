import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Heard, Pretended, send } from '../pretended';

/** What it does about a job; of none it is told, it answers. */
export type Deed =
  /** Does it, and answers nothing. */
  | 'stays_silent'
  /** Does it; what it answers makes no sense. */
  | 'talks_nonsense'
  /** Does it, and says of it and of its status that our signature is wrong. */
  | 'locks_us_out'
  /** Does it, answers nothing, and does not find it again. */
  | 'forgets'
  /** Does it, and signs with another key. */
  | 'signs_wrong'
  /** Is at it until `finish`, and answers with a 5xx. */
  | 'takes_its_time';

/** Whom a number belongs to at the authority. */
interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** `YYYY-MM-DD`. */
  readonly birth: string;
}

interface Result {
  readonly code: string;
  readonly text: string;
  readonly actions: Record<string, string>;
}

interface Job {
  readonly id: string;
  readonly userId: string;
  readonly smileId: string;
  readonly country: unknown;
  readonly idType: unknown;
  result: Result;
  isComplete: boolean;
}

const IDLE = { Return_Personal_Info: 'Not Applicable', Verify_ID_Number: 'Not Verified' };
const NOBODY: Result = { code: '1013', text: 'Unable to Validate ID', actions: IDLE };
const ODD_FORM: Result = { code: '1014', text: 'Error - Unsupported ID number format', actions: IDLE };
const AWAY: Result = {
  code: '1015',
  text: 'Error - Queried Database Unavailable',
  actions: { ...IDLE, Verify_ID_Number: 'Issuer Unavailable' },
};
/** Of the sandbox, by the last digit of a number. */
const MAGIC: Readonly<Record<string, Result>> = { '1': NOBODY, '2': ODD_FORM, '3': AWAY };
const ID_TYPES = ['NIN_V2', 'BVN'];
const REQUIRED = ['country', 'id_type', 'id_number', 'first_name', 'last_name', 'source_sdk', 'partner_params'];

/** Smile ID on a port of this machine: Basic KYC and the status of jobs. */
export class Company extends Pretended {
  readonly partnerId = '085';
  apiKey = 'pretended-smile-key';
  /** Who has which number. A number of nobody here is that of whoever is asked about, but for the magic ones. */
  readonly people = new Map<string, Person>();
  readonly jobs = new Map<string, Job>();
  /** NIMC and NIBSS are down. */
  isAuthorityAway = false;
  /** Nothing that it answers makes sense. */
  isMad = false;
  /** What both services answer with, instead of what they should. */
  code: string | null = null;
  private readonly plans = new Map<string, Deed>();

  get settings(): Record<string, string> {
    return { SMILEID_URL: this.url, SMILEID_PARTNER_ID: this.partnerId, SMILEID_API_KEY: this.apiKey };
  }

  plan(jobId: string, deed: Deed): void {
    this.plans.set(jobId, deed);
  }

  /** The job that took its time is done. */
  finish(jobId: string): void {
    this.jobs.get(jobId)!.isComplete = true;
  }

  protected answer(heard: Heard, response: ServerResponse): void {
    const { method, path, body } = heard;
    if (method !== 'POST' || body === null) return send(response, 403, { message: 'Missing Authentication Token' });
    if (path !== '/v2/verify' && path !== '/v1/job_status')
      return send(response, 403, { message: 'Missing Authentication Token' });
    if (this.isMad) return send(response, 200, '<html><body>1020 Exact Match</body></html>');
    if (this.code !== null) return fail(response, this.code, 'As planned');
    if (!this.isOurs(body)) return fail(response, path === '/v2/verify' ? '2405' : '2205', NOT_AUTHORIZED);
    if (path === '/v2/verify') this.verify(body, response);
    else this.status(body, response);
  }

  private verify(body: Record<string, unknown>, response: ServerResponse): void {
    if (REQUIRED.some((name) => body[name] === undefined))
      return fail(response, '2413', 'A required parameter is missing');
    const { job_id: id, user_id: userId, job_type: type } = body.partner_params as Record<string, unknown>;
    if (typeof id !== 'string' || typeof userId !== 'string')
      return fail(response, '2213', 'A required parameter is missing');
    if (Number(type) !== 5) return fail(response, '2212', 'Invalid job type');
    if (this.jobs.has(id)) return fail(response, '2215', `Job already exists for job_id`);
    const smileId = String(this.jobs.size + 1_096).padStart(10, '0');
    const deed = this.plans.get(id);
    const isComplete = deed !== 'takes_its_time';
    const { country, id_type: idType } = body;
    const job: Job = { id, userId, smileId, country, idType, result: this.resultOf(body), isComplete };
    this.jobs.set(id, job);
    if (deed === 'stays_silent' || deed === 'forgets') return;
    if (deed === 'takes_its_time') return send(response, 504, { message: 'Endpoint request timed out' });
    if (deed === 'talks_nonsense')
      return send(response, 200, { ...this.jsonOf(job), PartnerParams: { job_id: 'another' } });
    if (deed === 'locks_us_out') return fail(response, '2405', NOT_AUTHORIZED);
    send(response, 200, { ...this.jsonOf(job), ...this.signed(deed) });
  }

  private status(body: Record<string, unknown>, response: ServerResponse): void {
    const { job_id: id, user_id: userId } = body;
    const deed = this.plans.get(String(id));
    if (deed === 'locks_us_out') return fail(response, '2205', NOT_AUTHORIZED);
    const job = deed === 'forgets' ? undefined : this.jobs.get(String(id));
    const told = { ...this.signed(deed), job_complete: false, job_success: false };
    if (job === undefined || job.userId !== userId) return send(response, 200, { ...told, code: '2304', result: {} });
    if (!job.isComplete) return send(response, 200, { ...told, code: '2302', result: {} });
    const job_success = ['1020', '1021'].includes(job.result.code);
    send(response, 200, { ...told, job_complete: true, job_success, code: '2302', result: this.jsonOf(job) });
  }

  private resultOf(body: Record<string, unknown>): Result {
    const number = String(body.id_number);
    if (this.isAuthorityAway) return AWAY;
    if (!ID_TYPES.includes(String(body.id_type)) || !/^\d{11}$/.test(number)) return ODD_FORM;
    const person = this.people.get(number);
    if (person === undefined && Object.hasOwn(MAGIC, number.at(-1)!)) return MAGIC[number.at(-1)!]!;
    return comparedOf(person, body);
  }

  private jsonOf({ id, userId, smileId, country, idType, result }: Job): Record<string, unknown> {
    return {
      JSONVersion: '1.0.0',
      SmileJobID: smileId,
      PartnerParams: { job_id: id, user_id: userId, job_type: 5 },
      ResultType: 'ID Verification',
      ResultText: result.text,
      ResultCode: result.code,
      IsFinalResult: 'true',
      Actions: result.actions,
      Country: country,
      IDType: idType,
    };
  }

  private signed(deed?: Deed): { timestamp: string; signature: string } {
    const timestamp = new Date().toISOString();
    const key = deed === 'signs_wrong' ? 'another key' : this.apiKey;
    return { timestamp, signature: this.macOf(timestamp, key).toString('base64') };
  }

  private isOurs({ partner_id, timestamp, signature }: Record<string, unknown>): boolean {
    if (partner_id !== this.partnerId || typeof timestamp !== 'string' || typeof signature !== 'string') return false;
    const [given, own] = [Buffer.from(signature, 'base64'), this.macOf(timestamp, this.apiKey)];
    return given.length === own.length && timingSafeEqual(given, own);
  }

  private macOf(timestamp: string, key: string): Buffer {
    return createHmac('sha256', key).update(`${timestamp}${this.partnerId}sid_request`).digest();
  }
}

const NOT_AUTHORIZED = 'You are not authorized to do that';

function fail(response: ServerResponse, code: string, error: string): void {
  send(response, 400, { code, error });
}

const isSame = (one: unknown, other: string): boolean => String(one).toLowerCase() === other.toLowerCase();

/** Of somebody it does not know everything matches. */
function comparedOf(person: Person | undefined, { first_name, last_name, dob }: Record<string, unknown>): Result {
  const names = person ? [isSame(first_name, person.firstName), isSame(last_name, person.lastName)] : [true, true];
  const isBirth = person === undefined || dob === person.birth;
  const Names = names.every(Boolean) ? 'Exact Match' : names.some(Boolean) ? 'Partial Match' : 'No Match';
  const DOB = isBirth ? 'Exact Match' : 'No Match';
  const actions = {
    ...IDLE,
    Verify_ID_Number: 'Verified',
    Names,
    DOB,
    Gender: 'Not Provided',
    Phone_Number: 'Not Provided',
  };
  const all = (word: string): boolean => Names === word && DOB === word;
  if (all('Exact Match')) return { code: '1020', text: 'Exact Match', actions };
  return all('No Match')
    ? { code: '1022', text: 'No Match', actions }
    : { code: '1021', text: 'Partial Match', actions };
}

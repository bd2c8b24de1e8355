import { readFileSync } from 'node:fs';
import { newId } from '../../src/core/http/ids';
import { placedOf, REJECTIONS, signed, statusOf } from '../../src/extensions/smileid/jobs';
import { SmileIdentities } from '../../src/extensions/smileid/smileid';
import { asFindResult } from '../../src/modules/cards/customers/identity-client';
import type { VerificationOrder } from '../../src/modules/cards/identity.provider';
import { parseJson } from '../../src/providers/http';
import type { Exchange } from '../../src/providers/journal';
import { Company, type Deed } from '../pretended/smileid/company';
import { cardholder } from '../support/cardholder';
import { identityContract } from './identity-rules';
import { outside } from './outside';

const never = new AbortController().signal;
const KNOWN = '12345678900';
const SOMEBODY = { firstName: 'Bola', lastName: 'Ade', birth: '1971-01-02' };

function orderOf(number = KNOWN, changes: Partial<VerificationOrder['person']> = {}): VerificationOrder {
  const { first_name: firstName, last_name: lastName, date_of_birth: dateOfBirth, ...rest } = cardholder();
  const { email, phone, address } = rest;
  const person = { firstName, lastName, dateOfBirth, email, phone, address, identity: { type: 'nin', number } };
  return { reference: newId(), accountId: newId(), livemode: true, person: { ...person, ...changes } };
}

const settingsOf = (company: Company, changes: object = {}) => ({
  url: company.url,
  partnerId: company.partnerId,
  apiKey: company.apiKey,
  ...changes,
});

let company: Company;
let exchanges: Exchange[];
let provider: SmileIdentities;

beforeEach(async () => {
  company = await new Company().listen();
  exchanges = [];
  provider = new SmileIdentities(settingsOf(company), outside(exchanges));
});
afterEach(() => company.stop());

identityContract('Smile ID', () => {
  company.people.set('12345678902', SOMEBODY);
  return {
    provider,
    order: (person) => orderOf(person === 'known' ? KNOWN : '12345678902'),
    talkNonsense: () => (company.isMad = true),
  };
});

const placed = () => company.heard.filter(({ path }) => path === '/v2/verify');
const planned = (deed: Deed) => {
  const order = orderOf();
  company.plan(order.reference, deed);
  return order;
};
const soon = () => AbortSignal.timeout(100);

describe('a verification by Smile ID', () => {
  it('sends what is compared and no more, signed, and the number in no address', async () => {
    const { person, ...order } = orderOf();
    await provider.verify({ ...order, person }, never);
    const [{ path, query, body }] = placed() as [(typeof company.heard)[number]];
    expect([path, [...query]]).toEqual(['/v2/verify', []]);
    expect(body).toEqual({
      source_sdk: 'rest_api',
      source_sdk_version: '1.0.0',
      partner_id: '085',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      country: 'NG',
      id_type: 'NIN_V2',
      id_number: KNOWN,
      first_name: 'Ada',
      last_name: 'Obi',
      dob: '1990-04-21',
      partner_params: { job_id: order.reference, user_id: order.reference, job_type: 5 },
    });
    expect(exchanges.map((one) => one.path).join()).not.toContain(KNOWN);
  });

  it('asks for a BVN as one', async () => {
    await provider.verify(orderOf(KNOWN, { identity: { type: 'bvn', number: KNOWN } }), never);
    expect(placed()[0]!.body).toMatchObject({ id_type: 'BVN', country: 'NG' });
  });

  it.each(['passport', 'voters_card', 'national_id', 'toString'])('asks nobody about a %s', async (type) => {
    const order = orderOf('A01234567', { identity: { type, number: 'A01234567' } });
    expect(await provider.verify(order, never)).toMatchObject({ outcome: 'rejected', code: 'document_not_supported' });
    expect(company.heard).toEqual([]);
  });

  it.each([
    ['12345678901', { outcome: 'rejected', code: 'identity_not_found', recovery: 'caller_must_fix' }],
    ['12345678902', { outcome: 'rejected', code: 'invalid_identity_number', recovery: 'caller_must_fix' }],
    ['12345678903', { outcome: 'unknown', code: 'authority_unavailable' }],
    ['12345678900', { outcome: 'verified' }],
  ])('of the number %s, as the sandbox has them', async (number, expected) => {
    expect(await provider.verify(orderOf(number), never)).toMatchObject(expected);
  });

  it.each([
    [{}, 'verified'],
    [{ firstName: 'ADA' }, 'verified'],
    // A close name with the very birth date.
    [{ firstName: 'Adaeze' }, 'verified'],
    [{ firstName: 'Adaeze', birth: '1990-04-22' }, 'rejected'],
    [{ birth: '1990-04-22' }, 'rejected'],
    [{ firstName: 'Bola', lastName: 'Ade' }, 'rejected'],
    [{ ...SOMEBODY }, 'rejected'],
  ])('of a document of %j: %s', async (changes, expected) => {
    company.people.set(KNOWN, { firstName: 'Ada', lastName: 'Obi', birth: '1990-04-21', ...changes });
    expect((await provider.verify(orderOf(), never)).outcome).toBe(expected);
  });
});

describe('when nobody can say, Smile ID', () => {
  it('is asked how the job stands, and not to do it again', async () => {
    const order = planned('stays_silent');
    await expect(provider.verify(order, soon())).rejects.toThrow('aborted due to timeout');
    const found = await provider.find(order, never);
    expect(found).toMatchObject({ outcome: 'verified', providerReference: '0000001096' });
    expect(await provider.verify(order, never)).toEqual(found);
    expect(company.jobs.size).toBe(1);
  });

  it('is waited for while it is at it', async () => {
    const order = planned('takes_its_time');
    expect(await provider.verify(order, never)).toEqual({ outcome: 'unknown', code: 'unparsable_answer' });
    expect(await provider.find(order, never)).toEqual({ outcome: 'accepted' });
    expect(await provider.verify(order, never)).toEqual({ outcome: 'accepted' });
    company.finish(order.reference);
    expect(await provider.find(order, never)).toMatchObject({ outcome: 'verified' });
  });

  it('answers about another job: that says nothing of this one', async () => {
    const order = planned('talks_nonsense');
    expect(await provider.verify(order, never)).toEqual({ outcome: 'unknown', code: 'unparsable_answer' });
    expect(await provider.find(order, never)).toMatchObject({ outcome: 'verified' });
  });

  it('locks us out: that says nothing of the person', async () => {
    const order = planned('locks_us_out');
    expect(await provider.verify(order, never)).toEqual({ outcome: 'unknown', code: 'smileid_2405' });
    expect(await provider.find(order, never)).toEqual({ outcome: 'unknown', code: 'smileid_2205' });
  });

  it('does not sign as it should: somebody else answers', async () => {
    const order = planned('signs_wrong');
    const forged = { outcome: 'unknown', code: 'signature_wrong' };
    expect([await provider.verify(order, never), await provider.find(order, never)]).toEqual([forged, forged]);
  });

  it.each(['1016', '2201', '2204', '2213', '2220', '9999'])('says %s: nothing of the person', async (code) => {
    company.code = code;
    const unknown = { outcome: 'unknown', code: `smileid_${code}` };
    const order = orderOf();
    expect([await provider.verify(order, never), await provider.find(order, never)]).toEqual([unknown, unknown]);
  });

  it('breaks: nothing is known', async () => {
    company.breaks = () => ({ status: 500, isDone: false });
    const order = orderOf();
    const unknown = { outcome: 'unknown', code: 'unparsable_answer' };
    expect([await provider.verify(order, never), await provider.find(order, never)]).toEqual([unknown, unknown]);
  });

  it('contradicts itself, the job is used and there is none: it stays open', async () => {
    const order = planned('forgets');
    await expect(provider.verify(order, soon())).rejects.toThrow('aborted due to timeout');
    expect(await provider.find(order, never)).toEqual({ outcome: 'not_known' });
    expect(await provider.verify(order, never)).toEqual({ outcome: 'unknown', code: 'job_used_but_not_found' });
    expect(company.jobs.size).toBe(1);
  });
});

describe('when the authority is away', () => {
  /** As the service does: it is asked what became of it, and anew when that is not known. */
  const look = async (order: VerificationOrder) => {
    const found = await provider.find(order, never);
    return found.outcome === 'not_known' ? provider.verify(order, never) : found;
  };

  it('another job asks again each time, until it is back', async () => {
    company.isAuthorityAway = true;
    const order = orderOf();
    const away = { outcome: 'unknown', code: 'authority_unavailable' };
    expect(await provider.verify(order, never)).toEqual(away);
    expect([await look(order), await look(order)]).toEqual([away, away]);
    company.isAuthorityAway = false;
    const verified = { outcome: 'verified', providerReference: '0000001099' };
    expect(await look(order)).toEqual(verified);
    const { reference } = order;
    expect([...company.jobs.keys()]).toEqual([reference, `${reference}_2`, `${reference}_3`, `${reference}_4`]);
    expect([...company.jobs.values()].map(({ userId }) => userId)).toEqual(Array(4).fill(reference));
    // Whoever looks again finds the one that counts, and places none.
    expect([await provider.find(order, never), await provider.verify(order, never)]).toEqual([verified, verified]);
    expect(company.jobs.size).toBe(4);
  });

  it('no more than twelve jobs are placed: then a person decides', async () => {
    company.isAuthorityAway = true;
    const order = orderOf();
    await provider.verify(order, never);
    for (let i = 0; i < 15; i++) await look(order);
    expect(company.jobs.size).toBe(12);
    expect(await provider.find(order, never)).toEqual({ outcome: 'unknown', code: 'authority_unavailable' });
  });
});

const FIXTURES = 'test/pretended/smileid/fixtures';
const partner = { partnerId: '001', apiKey: 'key' };
/** A body as it was published, signed by whoever holds our key. */
const told = (name: string, isSigned = true): Record<string, any> => ({
  ...(parseJson(readFileSync(`${FIXTURES}/${name}.json`, 'utf8')) as object),
  ...(isSigned && signed(partner)),
});

describe('what was published of it', () => {
  it('a number that exists proves nobody: the result is not that of a comparison', () => {
    const body = told('id-verification');
    const asked = { partner, jobId: body.PartnerParams.job_id };
    expect(placedOf({ status: 200, body }, asked)).toEqual({ outcome: 'unknown', code: 'smileid_1012' });
  });

  it('the status of a job of another product is no verdict', () => {
    const body = told('job-status');
    const asked = { partner, jobId: body.result.PartnerParams.job_id };
    expect(statusOf({ status: 200, body }, asked)).toEqual({ outcome: 'unknown', code: 'unparsable_answer' });
    const unsigned = told('job-status', false);
    expect(statusOf({ status: 200, body: unsigned }, asked)).toEqual({ outcome: 'unknown', code: 'signature_wrong' });
  });

  it('an error is none either', () => {
    const answer = { status: 400, body: told('error', false) };
    const unknown = { outcome: 'unknown', code: 'smileid_2098' };
    const asked = { partner, jobId: 'j' };
    expect([placedOf(answer, asked), statusOf(answer, asked)]).toEqual([unknown, unknown]);
  });

  it('the comparison of Basic KYC is one, placed and found', () => {
    const result = told('basic-kyc');
    const asked = { partner, jobId: result.PartnerParams.job_id };
    const verified = { outcome: 'verified', providerReference: result.SmileJobID };
    const { timestamp, signature } = signed(partner);
    const status = { timestamp, signature, job_complete: true, job_success: true, code: '2302', result };
    expect(placedOf({ status: 200, body: result }, asked)).toEqual(verified);
    expect(statusOf({ status: 200, body: status }, asked)).toEqual(verified);
  });
});

describe('words', () => {
  const asked = { partner, jobId: 'j' };
  const says = (ResultCode: unknown, Actions: object = {}, more: object = {}) =>
    placedOf(
      { status: 200, body: { PartnerParams: { job_id: 'j' }, SmileJobID: 's', ResultCode, Actions, ...more } },
      asked,
    ).outcome;
  const both = (Names: unknown, DOB: unknown) => ({ Names, DOB });

  it.each([
    ['1020', both('Exact Match', 'Exact Match'), 'verified'],
    ['1020', both('Exact Match', 'No Match'), 'unknown'],
    ['1020', both('Exact Match', 'Not Provided'), 'unknown'],
    ['1020', {}, 'unknown'],
    ['1021', both('Partial Match', 'Exact Match'), 'verified'],
    ['1021', both('Transposed', 'Exact Match'), 'verified'],
    ['1021', both('Exact Match', 'Transposed'), 'rejected'],
    ['1021', both('Exact Match', 'Partial Match'), 'rejected'],
    ['1021', both('No Match', 'Exact Match'), 'rejected'],
    ['1021', both('Not Provided', 'Exact Match'), 'unknown'],
    ['1021', both('Exact Match', 'Not Provided'), 'unknown'],
    ['1021', both('Nearly', 'Exact Match'), 'unknown'],
    ['1021', both('toString', 'Exact Match'), 'unknown'],
    ['1021', both(undefined, 'Exact Match'), 'unknown'],
    ['1012', both('Exact Match', 'Exact Match'), 'unknown'],
    ['0810', both('Exact Match', 'Exact Match'), 'unknown'],
    ['1016', both('Exact Match', 'Exact Match'), 'unknown'],
    ['0001', both('No Match', 'No Match'), 'unknown'],
    ['toString', {}, 'unknown'],
    [1020, both('Exact Match', 'Exact Match'), 'unknown'],
  ])('%s with %j: %s', (code, actions, expected) => {
    expect(says(code, actions)).toBe(expected);
  });

  it.each(Object.entries(REJECTIONS))('%s rejects with what may be shown', (code, refusal) => {
    expect(says(code)).toBe('rejected');
    const rejected = { outcome: 'rejected', providerReference: 's', ...refusal };
    expect(asFindResult(rejected)).toEqual(rejected);
    expect(refusal.message).toMatch(/^[A-Z].*\.$/);
  });

  it('without an id of theirs nothing is proven', () => {
    expect(says('1020', both('Exact Match', 'Exact Match'), { SmileJobID: undefined })).toBe('unknown');
    expect(says('1022', {}, { SmileJobID: '' })).toBe('unknown');
  });

  it('a right result with another status is none', () => {
    const body = { PartnerParams: { job_id: 'j' }, SmileJobID: 's', ResultCode: '1022' };
    for (const status of [201, 400, 403, 500])
      expect(placedOf({ status, body }, asked)).toEqual({ outcome: 'unknown', code: 'unparsable_answer' });
  });

  it('that there is no such job counts from them only, not from a gateway that breaks', () => {
    expect(statusOf({ status: 200, body: { code: '2304' } }, asked)).toEqual({ outcome: 'not_known' });
    expect(statusOf({ status: 502, body: { code: '2304' } }, asked)).toMatchObject({ outcome: 'unknown' });
    expect(statusOf({ status: 404, body: { message: 'Not found' } }, asked)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a look at the settings', () => {
  const check = (changes: object = {}) =>
    new SmileIdentities(settingsOf(company, changes), outside()).check(AbortSignal.timeout(2_000));

  it('finds them right, and places no job', async () => {
    expect(await check()).toEqual({ isFine: true, says: 'Smile ID takes our signature.' });
    expect(company.jobs.size).toBe(0);
  });

  it.each([{ apiKey: 'another' }, { partnerId: '086' }])('finds %j wrong', async (changes) => {
    const { isFine, says } = await check(changes);
    expect([isFine, says]).toEqual([false, expect.stringContaining('SMILEID_API_KEY')]);
    expect(says).not.toContain('another');
  });

  it('finds somebody else at the address, or nobody', async () => {
    company.isMad = true;
    expect(await check()).toMatchObject({ isFine: false, says: expect.stringContaining('is not Smile ID') });
    await company.stop();
    expect(await check()).toMatchObject({ isFine: false, says: expect.stringContaining('SMILEID_URL') });
  });

  it('says what else it is answered', async () => {
    company.code = '2220';
    expect(await check()).toEqual({ isFine: false, says: 'Smile ID takes no question from us (code 2220).' });
  });
});

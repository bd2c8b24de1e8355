import { lowestIdAt, newId } from '../../src/core/http/ids';
import { centsOf, dataOf, isId, listOf, referenceOf } from '../../src/extensions/bridgecard/bridgecard';
import {
  DOCUMENTS,
  OF_CARD,
  OF_CARDHOLDER,
  refusalOf,
  registrationOf,
  standingOf,
} from '../../src/extensions/bridgecard/bridgecard-cardholders';
import { type BridgecardIssuer, cardOf, checkOf, stateOf } from '../../src/extensions/bridgecard/bridgecard-issuer';
import { cardPage, policyOf } from '../../src/extensions/bridgecard/bridgecard-pages';
import { asIssueResult } from '../../src/modules/cards/issuers/issuer-client';
import type { CardOrder } from '../../src/modules/cards/card-issuer';
import type { Exchange } from '../../src/providers/journal';
import { type BridgecardDeed, Company, NONSENSE } from '../pretended/bridgecard/company';
import { briefly, fixture, issuerOf, orderOf, settingsOf, soon } from './bridgecard-rig';
import { issuerContract, type IssuerRig } from './issuer-contract';

async function rig(): Promise<IssuerRig> {
  const company = await new Company().listen();
  return {
    issuer: issuerOf(company),
    order: (deed) => {
      const order = orderOf(newId());
      company.plan(order.reference, deed);
      return order;
    },
    made: (reference) => company.made(reference),
    showsItself: true,
    keepsExpiry: true,
    close: () => company.stop(),
  };
}

// The first requests of a process are slow, and an order is several.
beforeAll(async () => {
  const first = await new Company().listen();
  await issuerOf(first).issue(orderOf(newId()), AbortSignal.timeout(10_000));
  await first.stop();
});

issuerContract('Bridgecard, over HTTP', rig);

const MINUTE_AGO = (): string => lowestIdAt(new Date(Date.now() - 60_000));

let company: Company;
let issuer: BridgecardIssuer;
let exchanges: Exchange[];

beforeEach(async () => {
  company = await new Company().listen();
  exchanges = [];
  issuer = issuerOf(company, {}, exchanges);
});
afterEach(() => company.stop());

const planned = (deed: BridgecardDeed, reference = newId()): CardOrder => {
  company.plan(reference, deed);
  return orderOf(reference);
};

const silent = (result: Promise<unknown>): Promise<any> => result.catch(() => ({ outcome: 'unknown' }));

/** The order of a card that is made, and the card as it stands there. */
async function made(more: Partial<CardOrder> = {}) {
  const order = { ...orderOf(newId()), ...more };
  const result = await issuer.issue(order, soon());
  if (result.outcome !== 'done') throw new Error(`no card: ${JSON.stringify(result)}`);
  const ref = { ...order, issuerReference: result.issuerReference };
  return { order, ref, result, card: company.cards.get(result.issuerReference)! };
}

const paths = (): string[] => company.heard.map(({ method, path }) => `${method} ${path.replace('/v1/issuing/', '')}`);

describe('the order of a card at Bridgecard', () => {
  it('registers the cardholder, and has the card made with its load and the minimum', async () => {
    const { order, card, result } = await made();
    const [register, , create] = company.heard;
    expect(register!.headers.token).toBe(`Bearer ${company.token}`);
    expect(register!.body).toEqual({
      first_name: 'Ada',
      last_name: 'Obi',
      address: { address: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'Nigeria', postal_code: '101241' },
      phone: '2348031234567',
      email_address: 'ada@example.com',
      identity: {
        id_type: 'NIGERIAN_BVN_VERIFICATION',
        bvn: order.cardholder.identity.number,
        selfie_image: 'https://pictures.example/selfie.jpg',
      },
      meta_data: { reference: order.reference },
    });
    expect(create!.body).toEqual({
      cardholder_id: [...company.holders.keys()][0],
      card_type: 'virtual',
      card_brand: 'Mastercard',
      card_currency: 'USD',
      card_limit: '500000',
      funding_amount: '5300',
      transaction_reference: order.reference,
      pin: '',
      meta_data: { reference: order.reference },
    });
    expect([card.available_balance, company.wallet]).toEqual(['5000', 994_700n]);
    expect(result).toMatchObject({ last4: card.last_4, expMonth: null, expYear: null });
  });

  it('costs more where cards may hold more', async () => {
    issuer = issuerOf(company, { largeCards: true });
    await made();
    expect(company.heard.at(-2)!.body).toMatchObject({ card_limit: '1000000', funding_amount: '5400' });
  });

  it('is refused before it is sent when it cannot be carried out', async () => {
    const order = orderOf(newId());
    const { cardholder } = order;
    const holder = (more: object) => ({ ...order, cardholder: { ...cardholder, ...more } });
    const refusals: [CardOrder, string][] = [
      [{ ...order, brand: 'visa' }, 'brand_not_issued'],
      [{ ...order, amount: 499_701n }, 'card_balance_too_high'],
      [{ ...order, options: {} }, 'cardholder_documents_needed'],
      [{ ...order, options: { selfie_image: 7 } }, 'cardholder_documents_needed'],
      [holder({ identity: { type: 'ssn', number: '123456789' } }), 'document_not_supported'],
      [holder({ identity: { type: 'passport', number: 'A01234567' } }), 'cardholder_documents_needed'],
      [holder({ address: { ...cardholder.address, country: 'ZA' } }), 'country_not_supported'],
    ];
    for (const [refused, code] of refusals)
      expect(await issuer.issue(refused, soon())).toMatchObject({ outcome: 'refused', code });
    expect(company.heard).toEqual([]);
    company.wallet = 1_000_000n;
    expect((await issuer.issue({ ...order, amount: 499_700n }, soon())).outcome).toBe('done');
  });

  it('proves nothing by any nonsense, and is found after it', async () => {
    for (let kind = 0; kind < NONSENSE.length; kind++) {
      const order = planned('talks_nonsense');
      company.turnTo(kind);
      expect([kind, (await silent(issuer.issue(order, briefly()))).outcome]).toEqual([kind, 'unknown']);
      expect([kind, (await issuer.find(order, soon())).outcome]).toEqual([kind, 'done']);
    }
  });

  it('waits until the cardholder is verified, and is sent again then', async () => {
    const order = planned('reviews', MINUTE_AGO());
    expect(await issuer.issue(order, soon())).toEqual({ outcome: 'accepted' });
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'accepted' });
    expect(await issuer.issue(order, soon())).toEqual({ outcome: 'accepted' });
    company.verify(order.reference);
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'not_known' });
    expect((await issuer.issue(order, soon())).outcome).toBe('done');
    expect([company.holders.size, company.made(order.reference)]).toEqual([1, 1]);
    expect(paths().filter((path) => path.endsWith('register_cardholder'))).toHaveLength(1);
  });

  it('finds the cardholder whose registration nobody heard of', async () => {
    const order = planned('registers_silently');
    expect(await silent(issuer.issue(order, briefly()))).toEqual({ outcome: 'unknown' });
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'not_known' });
    expect((await issuer.issue(order, soon())).outcome).toBe('done');
    expect([company.holders.size, company.made(order.reference)]).toEqual([1, 1]);
  });

  it('is not refused for what stands in the way of a repetition: the card may be there already', async () => {
    const order = planned('hides', MINUTE_AGO());
    await silent(issuer.issue(order, briefly()));
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'not_known' });
    company.wallet = 0n;
    expect((await issuer.issue(order, soon())).outcome).toBe('unknown');
    company.wallet = 1_000_000n;
    expect((await issuer.issue(order, soon())).outcome).toBe('unknown');
    company.unhide();
    expect((await issuer.find(order, soon())).outcome).toBe('done');
    expect(company.made(order.reference)).toBe(1);
    // A new order of which nothing was sent before is.
    company.wallet = 0n;
    expect(await issuer.issue(orderOf(newId()), soon())).toMatchObject({ code: 'issuer_account_unusable' });
  });

  it('needs to be told the cardholder of somebody who has one', async () => {
    const { order, card } = await made();
    const second = { ...orderOf(newId()), cardholder: order.cardholder };
    expect(await issuer.issue(second, soon())).toMatchObject({ code: 'cardholder_exists' });
    company.heard.length = 0;
    const named = { ...second, options: { cardholder_id: card.cardholder_id } };
    const result = await issuer.issue(named, soon());
    expect(result.outcome).toBe('done');
    expect(paths()).not.toContain('POST cardholder/register_cardholder');
    expect(await issuer.find(named, soon())).toEqual(result);
    expect(await issuer.issue(named, soon())).toEqual(result);
    expect(company.made(second.reference)).toBe(1);
    const unknown = { ...second, options: { cardholder_id: 'nobody' } };
    expect((await issuer.issue(unknown, soon())).outcome).toBe('unknown');
  });

  it('is looked for on every page', async () => {
    const { order, result } = await made();
    const holder = company.holders.get([...company.holders.keys()][0]!)!;
    company.holders.clear();
    for (let other = 0; other < 45; other++)
      company.holders.set(`other${other}`, { ...holder, cardholder_id: `other${other}`, meta_data: {} });
    company.holders.set(holder.cardholder_id, holder);
    company.heard.length = 0;
    expect(await issuer.find(order, soon())).toEqual(result);
    const pages = company.heard.flatMap(({ query }) => query.get('page') ?? []);
    expect(pages).toEqual(['1', '2', '3']);
    expect(await issuer.find(orderOf(newId()), soon())).toEqual({ outcome: 'not_known' });
  });

  it('is asked for by its id once that is known', async () => {
    const { ref, result } = await made();
    company.heard.length = 0;
    expect(await issuer.find(ref, soon())).toEqual(result);
    expect(paths()).toEqual(['GET cards/get_card_details']);
    expect((await issuer.find({ ...ref, reference: newId() }, soon())).outcome).toBe('unknown');
    expect((await issuer.find({ ...ref, issuerReference: 'none' }, soon())).outcome).toBe('unknown');
  });

  it('takes words about our account for a refusal only while it is new', async () => {
    issuer = issuerOf(company, { token: 'at_live_wrong' });
    const order = orderOf(newId());
    expect(await issuer.issue(order, soon())).toMatchObject({ outcome: 'refused', code: 'issuer_account_unusable' });
    expect((await issuer.find(order, soon())).outcome).toBe('unknown');
    expect((await issuer.issue(orderOf(MINUTE_AGO()), soon())).outcome).toBe('unknown');
  });
});

describe('a card at Bridgecard', () => {
  it('gives back what is on it before it is deleted', async () => {
    const { ref } = await made();
    company.heard.length = 0;
    company.isSlow = true;
    expect(await issuer.setState(ref, 'terminated', soon())).toEqual({ outcome: 'unknown', code: 'unload_under_way' });
    expect(paths()).toEqual([
      'GET cards/get_card_details',
      'PATCH cards/freeze_card',
      'GET cards/get_card_transaction_status',
      'PATCH cards/unload_card_asynchronously',
      'GET cards/get_card_transaction_status',
    ]);
    expect(await issuer.setState(ref, 'terminated', soon())).toMatchObject({ outcome: 'unknown' });
    company.finish([...company.transactions.values()].at(-1)!);
    expect(await issuer.setState(ref, 'terminated', soon())).toEqual({ outcome: 'done' });
    // The minimum comes back with the end of the card.
    expect([company.wallet, company.cards.get(ref.issuerReference)!.is_deleted]).toEqual([1_000_000n, true]);
    expect(await issuer.setState(ref, 'terminated', soon())).toEqual({ outcome: 'done' });
    expect(await issuer.setState(ref, 'frozen', soon())).toMatchObject({ code: 'card_terminated' });
    expect(await issuer.find(ref, soon())).toMatchObject({ outcome: 'refused', about: 'order' });
  });

  it('is not taken for one of ours because of its id', async () => {
    const { ref } = await made();
    const other = { ...ref, reference: newId() };
    expect((await issuer.setState(other, 'terminated', soon())).outcome).toBe('unknown');
    expect(company.cards.get(ref.issuerReference)).toMatchObject({ is_active: true, is_deleted: false });
  });

  it('is shown by a token that nobody but the browser gets', async () => {
    const { ref } = await made();
    const shown = await issuer.reveal(ref, soon());
    const [token] = [...company.revealing.keys()];
    expect(shown).toEqual({ url: `https://duka.example/cards/bridgecard#${token}` });
    await expect(issuer.reveal({ ...ref, issuerReference: 'none' }, soon())).rejects.toThrow('does not show');
    expect(JSON.stringify(exchanges)).not.toMatch(new RegExp(`${token}|ev:RFVC`));
    expect(exchanges.map(({ path }) => path).join()).toContain('get_card_details');
  });

  it('is shown on a page whose one script asks the relay, and nobody else', () => {
    const { relayUrl } = settingsOf(company, { relayUrl: 'https://relay.example/v1/issuing/' });
    expect(policyOf('abc', relayUrl)).toBe(
      "default-src 'none'; script-src 'nonce-abc'; connect-src https://relay.example; style-src 'unsafe-inline'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const page = cardPage({ relayUrl, nonce: 'abc' });
    expect(page).toContain(
      '<script nonce="abc" data-relay="https://relay.example/v1/issuing/cards/get_card_details_from_token">',
    );
    expect(page).not.toContain(company.token);
  });

  it('is paid for by an issuing wallet of which the balance is known', async () => {
    expect(await issuer.balance('USD', soon())).toBe(1_000_000n);
    await expect(issuer.balance('NGN', soon())).rejects.toThrow('NGN');
    expect(await issuer.check(soon())).toEqual({
      isFine: true,
      says: 'The token is right; the issuing wallet has 1000000 cents of USD.',
    });
    expect((await issuerOf(company, { token: 'x' }).check(soon())).says).toContain('BRIDGECARD_TOKEN is wrong');
    const elsewhere = issuerOf(company, { url: `${company.url}v2/` });
    expect((await elsewhere.check(soon())).says).toContain('BRIDGECARD_URL');
    expect(checkOf({ status: 403, body: {} }).says).toContain('not set up');
    expect(checkOf({ status: 502, body: null })).toEqual({
      isFine: false,
      says: 'Bridgecard answers with status 502.',
    });
  });
});

describe('what Bridgecard says', () => {
  it('is read as its documentation writes it', () => {
    const reference = newId();
    const body = (name: string) => ({ status: 200, body: fixture(name) });
    expect(dataOf(body('cardholder-created'), 'cardholder_id')?.cardholder_id).toBe(
      'e416a9a188af40b78b8afd740e835d699',
    );
    expect(dataOf(body('card-created'), 'card_id')?.card_id).toBe('216ef11a58bf468baeb9cdbb94765865');
    expect(standingOf(dataOf(body('cardholder'))!)).toBeNull();
    const card = dataOf(body('card'), 'card_id')!;
    expect(cardOf(card, reference)).toMatchObject({ outcome: 'unknown' });
    expect(cardOf({ ...card, meta_data: { reference } }, reference)).toEqual({
      outcome: 'done',
      issuerReference: '216ef11a58bf468baeb9cdbb947',
      last4: '8649',
      expMonth: null,
      expYear: null,
    });
    expect(listOf(body('cards-of-cardholder'), 'cards', 'card_id')).toMatchObject({
      all: [{ card_id: '5334986c13c4026a9c160eabc49' }],
      pages: null,
    });
    expect(dataOf(body('transaction-status'))?.transaction_status).toBe('SUCCESSFUL');
  });

  it('is a card of ours, or not, in every detail', () => {
    const reference = newId();
    const card = { ...fixture('card').data, meta_data: { reference } };
    const outcomes = [{}, { is_deleted: true }, { card_type: 'physical' }, { last_4: '86490' }, { last_4: 8649 }].map(
      (more) => cardOf({ ...card, ...more }, reference).outcome,
    );
    expect(outcomes).toEqual(['done', 'refused', 'unknown', 'unknown', 'unknown']);
    const states = (more: object) =>
      (['active', 'frozen', 'terminated'] as const).map(
        (state) => stateOf({ ...card, ...more }, reference, state).outcome,
      );
    expect(states({})).toEqual(['done', 'unknown', 'unknown']);
    expect(states({ is_active: false })).toEqual(['unknown', 'done', 'unknown']);
    expect(states({ is_deleted: true })).toEqual(['refused', 'refused', 'done']);
    expect(states({ is_deleted: undefined })).toEqual(['unknown', 'unknown', 'unknown']);
    expect(states({ meta_data: {} })).toEqual(['unknown', 'unknown', 'unknown']);
    expect(stateOf(null, reference, 'active').outcome).toBe('unknown');
  });

  it('is a card of the service only with a whole expiry, or with none', () => {
    const done = { outcome: 'done', issuerReference: 'c1', last4: '8649', expMonth: null, expYear: null };
    const read = (more: object) => asIssueResult({ ...done, ...more }).outcome;
    expect(asIssueResult(done)).toEqual(done);
    expect([read({ expMonth: 8, expYear: 2030 }), read({ expMonth: 8 }), read({ expYear: 2030 })]).toEqual([
      'done',
      'unknown',
      'unknown',
    ]);
    expect(read({ expMonth: undefined, expYear: undefined })).toBe('unknown');
  });

  it('is about a cardholder as they stand', () => {
    const standing = (more: object) => standingOf({ ...fixture('cardholder').data, ...more })?.outcome ?? null;
    expect(standing({})).toBeNull();
    expect(standing({ is_id_verified: false })).toBe('accepted');
    expect(standing({ is_id_verified: undefined })).toBe('unknown');
    expect(standing({ is_active: false })).toBe('unknown');
    expect(standing({ identity_details: { blacklisted: true } })).toBe('refused');
  });

  it.each([
    ['Invalid firstname, a valid name should have a minimum of 3 letters', 'invalid_cardholder_name'],
    ["The cardholders name doesn't match the name on the BVN provided", 'cardholder_name_mismatch'],
    ['Invalid BVN, a valid BVN is 12 digits long', 'invalid_identity_number'],
    ['Invalid state, please choose another one', 'invalid_address'],
  ])('%s: %s', (message, code) => {
    expect(refusalOf({ status: 400, body: { message } }, OF_CARDHOLDER)).toMatchObject({ outcome: 'refused', code });
    expect(refusalOf({ status: 500, body: { message } }, OF_CARDHOLDER).outcome).toBe('unknown');
    expect(refusalOf({ status: 400, body: { message } }, OF_CARD).outcome).toBe('unknown');
  });

  it.each([
    ["This card type is currently unavailable, but we're working on it.", 'issuer_account_unusable'],
    ['Please top up your USD issuing wallet, you have insufficient balance', 'issuer_account_unusable'],
    ['This card can only hold a maximum balance of 5000 USD at a time.', 'card_balance_too_high'],
  ])('%s: %s', (message, code) => {
    expect(refusalOf({ status: 400, body: { message } }, OF_CARD)).toMatchObject({ outcome: 'refused', code });
    expect(refusalOf({ status: 400, body: { message } }, OF_CARDHOLDER).outcome).toBe('unknown');
  });

  it.each([
    [401, 'issuer_account_unusable'],
    [402, 'issuer_account_unusable'],
    [403, 'issuer_account_unusable'],
    [451, 'cardholder_rejected'],
  ])('status %i: %s', (status, code) => {
    expect(refusalOf({ status, body: { message: 'No.' } }, OF_CARD)).toMatchObject({ outcome: 'refused', code });
    expect(refusalOf({ status, body: null }, OF_CARD).outcome).toBe('unknown');
  });

  it('is nothing where it is not understood', () => {
    for (const status of [200, 400, 404, 420, 422, 500, 504])
      expect(refusalOf({ status, body: { message: 'Words of next year.' } }, OF_CARD).outcome).toBe('unknown');
    expect(dataOf({ status: 200, body: { status: 'error', data: { card_id: 'a' } } })).toBeNull();
    expect(dataOf({ status: 500, body: fixture('card') })).toBeNull();
    expect(listOf({ status: 200, body: { status: 'success', data: { cards: [{}] } } }, 'cards', 'card_id')).toBeNull();
    expect(['a/b', '', '..', 7].map(isId)).toEqual([false, false, false, false]);
    expect([referenceOf({}), referenceOf({ meta_data: 'x' })]).toEqual([null, null]);
    const cents = ['900', 900, '0', '9.5', '-1', 9.5, '', null, '1e3'].map(centsOf);
    expect(cents).toEqual([900n, 900n, 0n, null, null, null, null, null, null]);
  });

  it('is told of a document whatever it is', () => {
    for (const [key, { type, needs }] of Object.entries(DOCUMENTS)) {
      const [country, kind] = key.split(' ') as [string, string];
      const order = orderOf(newId());
      const { cardholder } = order;
      const options = Object.fromEntries(needs.map((name) => [name, `our ${name}`]));
      const registration: any = registrationOf({
        ...order,
        options,
        cardholder: {
          ...cardholder,
          address: { ...cardholder.address, country },
          identity: { type: kind, number: '12345678901' },
        },
      });
      const { id_type, bvn, id_no, first_name, ...rest } = registration.identity;
      expect(id_type).toBe(type);
      expect(kind === 'bvn' ? bvn : id_no).toBe('12345678901');
      // Where they are not asked for by a picture of the document, by name and birthday.
      expect(first_name).toBe(needs.includes('gender') ? 'Ada' : undefined);
      const pictures = needs.filter((name) => name !== 'bvn').map((name) => [name, `our ${name}`]);
      expect(rest).toMatchObject(Object.fromEntries(pictures));
    }
  });
});

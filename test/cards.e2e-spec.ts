import { decodeId } from '../src/core/http/ids';
import { CardOwner, cardholder } from './support/cardholder';
import { Duka } from './support/duka';

let duka: Duka;
let owner: CardOwner;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  owner = await CardOwner.of(duka);
});

const { MONEY, FEE } = CardOwner;
const LIMIT = { amount: 5, interval: 'daily' };
const NO_CONTROLS = { limits: [], allowed_mccs: [], blocked_mccs: [], allowed_countries: [], blocked_countries: [] };

describe('a card', () => {
  it('is issued: the load is on it, the fee is paid', async () => {
    const { status, body } = await owner.issue({ label: 'Cloud', metadata: { order: '1' } });
    expect([status, body.status]).toEqual([201, 'active']);
    expect(body).toMatchObject({
      object: 'card',
      type: 'virtual',
      currency: 'USD',
      brand: 'visa',
      name_on_card: 'ADA OBI',
      label: 'Cloud',
      metadata: { order: '1' },
      livemode: false,
      last4: expect.stringMatching(/^\d{4}$/),
      masked_number: `**** **** **** ${body.last4}`,
      balance: { available: 5_000, held: 0, ledger: 5_000 },
      status_reason: null,
      decline_policy: { declines: 0, warn_at: 5, terminate_at: 8 },
      spending_controls: NO_CONTROLS,
      billing_address: cardholder().address,
    });
    expect(await owner.money(body.id)).toEqual({ wallet: [MONEY - 5_000 - FEE, 0], card: [5_000, 0] });
    expect(await owner.events(body.id)).toEqual(['card.issued']);
    expect(await owner.path(body.id)).toEqual(['null>pending', 'pending>active']);
    const [transaction] = (await owner.api.get('/v4/transactions?type=card_issue')).body.data;
    expect(transaction).toMatchObject({
      status: 'successful',
      direction: 'debit',
      amount: 5_000,
      fee: FEE,
      total: 5_000 + FEE,
      recipient: body.id,
      details: { card_id: body.id },
      provider: { name: 'sandbox', attempts: 1 },
      balance_before: MONEY,
      balance_after: MONEY - 5_000 - FEE,
    });
  });

  it('belongs to a cardholder who was registered before', async () => {
    const { body: customer } = await owner.api.post('/v4/customers', cardholder());
    const { body } = await owner.issue({ customer: undefined, customer_id: customer.id, brand: 'mastercard' });
    expect(body).toMatchObject({ status: 'active', customer_id: customer.id, brand: 'mastercard' });
    expect((await owner.api.all(`/v4/cards?customer_id=${customer.id}`)).map(({ id }) => id)).toEqual([body.id]);
  });

  it('is issued once for a key and once for a reference', async () => {
    const first = await owner.issue({ key: 'issue-1', reference: 'card-1' });
    const byKey = await owner.issue({ key: 'issue-1', reference: 'card-1' });
    const byReference = await owner.issue({ reference: 'card-1' });
    expect(
      [byKey, byReference].map(({ status, headers, body }) => [status, headers.get('idempotent-replayed'), body.id]),
    ).toEqual([
      [201, 'true', first.body.id],
      [200, 'true', first.body.id],
    ]);
    const other = await owner.issue({ key: 'issue-1', amount: 6_000 });
    expect([other.status, other.body.code, other.body.resource_id]).toEqual([
      422,
      'idempotency_key_reused',
      first.body.id,
    ]);
    const taken = await owner.issue({ reference: 'card-1', amount: 6_000 });
    expect([taken.status, taken.body.code, taken.body.resource_id]).toEqual([
      409,
      'duplicate_reference',
      first.body.id,
    ]);
    expect((await owner.api.get('/v4/references/card-1')).body).toMatchObject({
      status: 'completed',
      resource: { object: 'card', id: first.body.id },
    });
    expect((await owner.api.get('/v4/transactions/card-1')).body).toMatchObject({
      type: 'card_issue',
      reference: 'card-1',
    });
    expect(await owner.money(first.body.id)).toMatchObject({ wallet: [MONEY - 5_000 - FEE, 0] });
  });

  it('is issued once to twenty requests at once with one key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => owner.issue({ key: 'twins' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await owner.api.balance(owner.wallet)).toMatchObject({ available: MONEY - 5_000 - FEE, held: 0 });
  });

  it('is only tried in a dry run', async () => {
    const before = await duka.totals();
    const { status, body } = await owner.issue({ dry_run: true });
    expect([status, body.id, body.customer_id, body.status]).toEqual([200, null, null, 'pending']);
    expect(body.ledger).toEqual([
      { wallet_id: owner.wallet, card_id: null, bucket: 'available', amount: -5_100, balance_after: MONEY - 5_100 },
      { wallet_id: owner.wallet, card_id: null, bucket: 'held', amount: 5_100, balance_after: 5_100 },
    ]);
    expect(await duka.totals()).toEqual(before);
    expect((await owner.api.get('/v4/cards')).body.data).toEqual([]);
    expect((await owner.api.get('/v4/customers')).body.data).toEqual([]);
    expect((await owner.issue({ dry_run: true, amount: MONEY })).body.code).toBe('insufficient_funds');
  });

  it.each([
    ['more than the wallet has', { amount: MONEY }, 402, 'insufficient_funds', '/funding_wallet_id'],
    ['another currency', { currency: 'NGN' }, 400, 'validation_failed', '/currency'],
    ['an unknown brand', { brand: 'amex' }, 400, 'validation_failed', '/brand'],
    ['no cardholder', { customer: undefined }, 400, 'validation_failed', '/customer_id'],
    ['two cardholders', { customer_id: 'cus_01kabcdefghjkmnpqrstvwxyz0' }, 400, 'validation_failed', '/customer_id'],
    [
      'an unknown cardholder',
      { customer: undefined, customer_id: 'cus_01kabcdefghjkmnpqrstvwxyz0' },
      404,
      'not_found',
      '/customer_id',
    ],
    [
      'an unknown wallet',
      { funding_wallet_id: 'wal_01kabcdefghjkmnpqrstvwxyz0' },
      404,
      'not_found',
      '/funding_wallet_id',
    ],
    ['a fraction of a cent', { amount: 1.5 }, 400, 'amount_not_integer', '/amount'],
    [
      'a cardholder without a country',
      { customer: { ...cardholder(), address: { ...cardholder().address, country: undefined } } },
      400,
      'validation_failed',
      '/customer/address/country',
    ],
    [
      'a cardholder with a field too many',
      { customer: { ...cardholder(), identity: { type: 'passport', number: 'A0123', pin: '1' } } },
      400,
      'unknown_field',
      '/customer/identity/pin',
    ],
    ['a cardholder who is text', { customer: 'Ada' }, 400, 'validation_failed', '/customer'],
    [
      'a limit without an interval',
      { spending_controls: { limits: [{ amount: 5 }] } },
      400,
      'validation_failed',
      '/spending_controls/limits/0/interval',
    ],
    [
      'a limit of half a cent',
      { spending_controls: { limits: [{ amount: 1.5, interval: 'daily' }] } },
      400,
      'amount_not_integer',
      '/spending_controls/limits/0/amount',
    ],
    [
      'a limit of nothing',
      { spending_controls: { limits: [LIMIT, { amount: 0, interval: 'daily' }] } },
      400,
      'amount_out_of_range',
      '/spending_controls/limits/1/amount',
    ],
    [
      'a limit with a field too many',
      { spending_controls: { limits: [{ ...LIMIT, per: 'card' }] } },
      400,
      'unknown_field',
      '/spending_controls/limits/0/per',
    ],
    ...[LIMIT, 'daily', [null], ['daily'], [[LIMIT]], Array(21).fill(LIMIT)].map(
      (limits): [string, Record<string, unknown>, number, string, string] => [
        `limits that are ${JSON.stringify(limits).slice(0, 40)}`,
        { spending_controls: { limits } },
        400,
        'validation_failed',
        '/spending_controls/limits',
      ],
    ),
    [
      'a category of three digits',
      { spending_controls: { blocked_mccs: ['799'] } },
      400,
      'validation_failed',
      '/spending_controls/blocked_mccs',
    ],
  ])('is refused with %s', async (_, change, ...refusal) => {
    const before = await duka.totals();
    const answer = await owner.issue(change);
    expect([answer.status, answer.body.code, answer.body.param]).toEqual(refusal);
    expect(await duka.totals()).toEqual(before);
  });

  it('is paid from a wallet of the same account in dollars only', async () => {
    const naira = await owner.api.wallet(1_000_000);
    expect((await owner.issue({ funding_wallet_id: naira })).body).toMatchObject({
      status: 422,
      code: 'currency_mismatch',
      param: '/funding_wallet_id',
    });
    const stranger = await CardOwner.of(duka);
    expect((await owner.issue({ funding_wallet_id: stranger.wallet })).body).toMatchObject({
      status: 404,
      param: '/funding_wallet_id',
    });
  });

  it('cannot be seen or touched by another account', async () => {
    const { id } = await owner.card();
    const stranger = await CardOwner.of(duka);
    expect((await stranger.api.get(`/v4/cards/${id}`)).status).toBe(404);
    expect((await stranger.api.patch(`/v4/cards/${id}`, { label: 'Mine' })).status).toBe(404);
    for (const action of ['fund', 'withdraw']) expect((await stranger.act(id, action, { amount: 1 })).status).toBe(404);
    for (const action of ['freeze', 'unfreeze', 'terminate', 'reveal'])
      expect((await stranger.act(id, action)).status).toBe(404);
    expect((await stranger.api.get('/v4/cards')).body.data).toEqual([]);
    const live = duka.api(await duka.key({ accountId: owner.accountId, livemode: true }));
    expect((await live.get(`/v4/cards/${id}`)).status).toBe(404);
  });

  it('is not issued in live mode as long as nobody issues live cards', async () => {
    const live = duka.api(await duka.key({ accountId: owner.accountId, livemode: true }));
    const { id } = (await live.post('/v4/customers', cardholder())).body;
    await duka.asOwner(
      `UPDATE customers SET kyc_status = 'verified', kyc_tier = 1, kyc_reference = id, kyc_provider = 'test', kyc_verified_at = now()
        WHERE id = $1`,
      [decodeId('cus', id)],
    );
    const { status, body } = await live.post('/v4/cards/issue', {
      customer_id: id,
      currency: 'USD',
      amount: 5_000,
      funding_wallet_id: await live.wallet(0, 'USD'),
    });
    expect([status, body.code, body.retryable]).toEqual([503, 'provider_unavailable', true]);
  });

  it('is changed by its owner: label, metadata, spending controls', async () => {
    const { id } = await owner.card();
    const controls = { limits: [{ amount: 100, interval: 'daily' }], blocked_mccs: ['7995'] };
    const { status, body } = await owner.api.patch(
      `/v4/cards/${id}`,
      { label: 'New', spending_controls: controls },
      { key: 'patch-1' },
    );
    expect([status, body.label, body.spending_controls]).toEqual([200, 'New', { ...NO_CONTROLS, ...controls }]);
    await owner.api.patch(`/v4/cards/${id}`, { metadata: { a: 'b' }, label: null });
    const again = await owner.api.patch(
      `/v4/cards/${id}`,
      { label: 'New', spending_controls: controls },
      { key: 'patch-1' },
    );
    expect([again.headers.get('idempotent-replayed'), again.body.label, again.body.metadata]).toEqual([
      'true',
      null,
      { a: 'b' },
    ]);
    const cleared = await owner.api.patch(`/v4/cards/${id}`, { spending_controls: null });
    expect(cleared.body.spending_controls).toEqual(NO_CONTROLS);
  });

  it('is listed page by page, newest first, by state and time', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await owner.card({ amount: 100 })).id);
    await owner.act(ids[1]!, 'freeze');
    expect((await owner.api.all('/v4/cards?limit=2')).map(({ id }) => id)).toEqual(ids);
    expect((await owner.api.all('/v4/cards?status=frozen')).map(({ id }) => id)).toEqual([ids[1]]);
    const { created_at: at } = await owner.get(ids[1]!);
    expect((await owner.api.all(`/v4/cards?created_gte=${at}`)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await owner.api.all(`/v4/cards?created_lt=${at}`)).map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await owner.api.get('/v4/cards?customer_id=x')).body.data).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Env } from '../src/core/config/env';
import { makeApiKey } from '../src/core/http/api-key';
import { encodeId } from '../src/core/http/ids';
import { createPlatformApp } from '../src/platform-app';
import { CardOwner } from './support/cardholder';
import { buildWhenStale, CommandLine, node } from './support/command-line';
import { Duka } from './support/duka';
import { Funder } from './support/funder';
import { Payer } from './support/payer';
import { addressOf, servedRoutes } from './support/routes';
import { Shopper } from './support/shopper';

const ID = 'acct_01kabcdefghjkmnpqrstvwxyz0';
/** All that the process answers without a key of an operator. */
const OPEN = ['/healthz', '/readyz', '/metrics'];
const WHY = { reason: 'ticket 7' };

let duka: Duka;
let platform: NestFastifyApplication;
let line: CommandLine;
let url: string;
let ada: { key: string; id: string };
let bola: { key: string; id: string };

beforeAll(async () => {
  buildWhenStale();
  duka = await Duka.start();
  line = CommandLine.on(duka.env.DATABASE_URL!);
  [ada, bola] = [await keyOf('ada'), await keyOf('bola')];
  // After the commands: the metrics of a process are those of what it started last.
  platform = await createPlatformApp(duka.env);
  await platform.listen(0, '127.0.0.1');
  url = await platform.getUrl();
});
afterAll(async () => {
  await platform.close();
  await duka.stop();
});

async function keyOf(name: string): Promise<{ key: string; id: string }> {
  const person = await line.person(`${name}@example.com`, true);
  const { json } = await line.duka('platform-key:create', '--name', name, ...person);
  return { key: json.secret, id: json.id };
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

async function ask(method: string, path: string, key: string | null, body?: object): Promise<Answer> {
  const headers = {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text !== '' && answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  };
}
const get = (path: string, key: string | null = ada.key): Promise<Answer> => ask('GET', `/v4/platform/${path}`, key);
const post = (path: string, body: object = {}, key: string | null = ada.key): Promise<Answer> =>
  ask('POST', `/v4/platform/${path}`, key, { ...WHY, ...body });
const entriesOf = async (target: string): Promise<any[]> =>
  (await line.audited()).filter((one) => one.target === target);

describe('the process', () => {
  it('serves its own routes and what watches it; all else is not there, and nothing of its own is open', async () => {
    const routes = servedRoutes(platform);
    const own = routes.filter(({ method, path }) => method !== 'HEAD' && path.startsWith('/v4/platform/'));
    const listed = [...readFileSync('docs/platform-api.md', 'utf8').matchAll(/^\| `((?:GET|POST) \S+)`/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(listed));
    for (const { method, path } of routes) {
      const { status, body } = await ask(method, addressOf({ path }, ID), null);
      const expected = path.startsWith('/v4/platform/') ? 401 : OPEN.includes(path) ? 200 : 404;
      expect([method, path, status]).toEqual([method, path, expected]);
      if (expected === 401 && method !== 'HEAD') expect(body.code).toBe('missing_api_key');
    }
  });

  it('knows no key but those of operators, and no session: not by the way of the dashboard, either', async () => {
    const { key, id } = await duka.account();
    const live = await duka.key({ accountId: id, livemode: true });
    for (const other of [
      key,
      live,
      makeApiKey('platform'),
      ada.key.slice(0, -1),
      ada.key.replace('platform', 'live'),
      `${ada.key}x`,
    ]) {
      expect(await get('accounts', other)).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    }
    for (const path of ['/dashboard/api/live/v4/platform/accounts', '/dashboard/api/test/v4/platform/accounts']) {
      expect(await ask('GET', path, null)).toMatchObject({ status: 401, body: { code: 'missing_api_key' } });
    }
    expect(await ask('GET', '/v4/wallets', ada.key)).toMatchObject({ status: 404 });
  });

  it('refuses what a route does not know, also where it takes nothing', async () => {
    const { id } = await duka.account();
    expect(await get(`accounts/${id}?colour=red`)).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
  });

  it('does not start where others reach it unless that is said', () => {
    const started = node(['dist/src/platform.js'], {
      DATABASE_URL: duka.env.DATABASE_URL!,
      PLATFORM_HOST: '0.0.0.0',
      PLATFORM_PORT: '0',
    });
    expect([started.status, started.stderr + started.stdout]).toEqual([
      1,
      expect.stringContaining('PLATFORM_ALLOW_REMOTE'),
    ]);
    expect(new Env().PLATFORM_HOST).toBe('127.0.0.1');
  });

  it('is the only one: the public API knows neither its routes nor its keys, and may not read them', async () => {
    const api = duka.api(ada.key);
    expect((await api.get('/v4/wallets')).body.code).toBe('invalid_api_key');
    expect((await api.get('/v4/platform/accounts')).status).toBe(404);
    expect(servedRoutes(duka.app).filter(({ path }) => path.startsWith('/v4/platform'))).toEqual([]);
    expect(
      await line.query(
        `SELECT 1 WHERE has_table_privilege('duka_app', 'platform_keys', 'SELECT, INSERT, UPDATE, DELETE')`,
      ),
    ).toEqual([]);
  });
});

describe('a key', () => {
  it('is stored as SHA-256 only, listed, and ends by revocation, by time and with its operator', async () => {
    const eve = await keyOf('eve');
    expect(eve.key).toMatch(/^sk_platform_[0-9A-Za-z]{38}$/);
    const [row] = await line.query('SELECT k::text AS all FROM platform_keys k WHERE name = $1', ['eve']);
    expect(row.all).not.toContain(eve.key.slice(12, 30));
    expect((await line.duka('platform-key:list')).json.keys).toContainEqual(
      expect.objectContaining({ id: eve.id, person: 'eve@example.com', revoked_at: null }),
    );
    expect((await get('accounts', eve.key)).status).toBe(200);
    const refused = async () =>
      expect(await get('accounts', eve.key)).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    await line.query(`UPDATE users SET operator = false WHERE email = 'eve@example.com'`);
    await refused();
    await line.query(`UPDATE users SET operator = true WHERE email = 'eve@example.com'`);
    expect((await get('accounts', eve.key)).status).toBe(200);
    await line.query(`UPDATE platform_keys SET expires_at = now() WHERE name = 'eve'`);
    await refused();
    await line.query(`UPDATE platform_keys SET expires_at = now() + interval '1 hour' WHERE name = 'eve'`);
    expect((await get('accounts', eve.key)).status).toBe(200);
    expect(
      await line.duka('platform-key:revoke', '--key', eve.id, '--person', 'ada@example.com', '--reason', 'left'),
    ).toMatchObject({ status: 0 });
    await refused();
  });

  it('is made for operators only, with a reason', async () => {
    const owner = await line.person('owner@example.com', false);
    expect(await line.duka('platform-key:create', ...owner)).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found', param: '/person' } },
    });
    expect(await line.duka('platform-key:create', '--person', 'ada@example.com')).toMatchObject({
      status: 1,
      json: { error: { param: '/reason' } },
    });
  });
});

describe('an operator', () => {
  it('opens and closes live mode, and sets tier and demands, each with a reason that is audited', async () => {
    const { id, key } = await duka.account('Corner Shop');
    expect(await ask('POST', `/v4/platform/accounts/${id}/enable-live`, ada.key, {})).toMatchObject({
      status: 400,
      body: { param: '/reason' },
    });
    expect(await get(`accounts/${id}`)).toMatchObject({
      status: 200,
      body: { id, name: 'Corner Shop', live_enabled: false, tier: 'standard' },
    });
    expect(await post(`accounts/${id}/enable-live`)).toMatchObject({
      status: 409,
      body: { code: 'not_ready_for_live' },
    });
    expect(await post(`accounts/${id}/enable-live`, { force: true })).toMatchObject({
      status: 200,
      body: { id, live_enabled: true },
    });
    const live = await duka.key({ accountId: id, livemode: true });
    expect((await duka.api(live).get('/v4/wallets')).status).toBe(200);
    expect(await post(`accounts/${id}/disable-live`)).toMatchObject({ status: 200, body: { live_enabled: false } });
    expect(
      await line.query(
        'SELECT livemode, revoked_at IS NULL AS usable FROM api_keys WHERE account_id = (SELECT id FROM accounts WHERE name = $1) ORDER BY 1',
        ['Corner Shop'],
      ),
    ).toEqual([
      { livemode: false, usable: true },
      { livemode: true, usable: false },
    ]);
    expect(await post(`accounts/${id}/tier`, { tier: 'gold' })).toMatchObject({
      status: 404,
      body: { param: '/tier' },
    });
    expect(await post(`accounts/${id}/tier`, { tier: 'standard' })).toMatchObject({
      status: 200,
      body: { tier: 'standard' },
    });
    expect(await post(`accounts/${id}/time-zone`, { time_zone: 'Mars/Olympus' })).toMatchObject({
      status: 400,
      body: { param: '/time_zone' },
    });
    expect(await post(`accounts/${id}/time-zone`, { time_zone: 'Africa/Nairobi' })).toMatchObject({
      status: 200,
      body: { time_zone: 'Africa/Nairobi' },
    });
    expect(await post(`accounts/${id}/require-key`, { required: true })).toMatchObject({
      status: 200,
      body: { require_idempotency_key: true },
    });
    expect((await entriesOf(id)).map(({ action, actor, detail }) => [action, actor, detail.reason])).toEqual(
      [
        'account.live_enabled',
        'account.live_disabled',
        'account.tier_set',
        'account.time_zone_set',
        'account.key_required',
      ].map((action) => [action, 'operator ada@example.com', 'ticket 7']),
    );
    expect(await post(`accounts/${ID}/enable-live`)).toMatchObject({ status: 404 });
    const [{ id: stored }] = await line.query(
      'SELECT id FROM api_keys WHERE NOT livemode AND account_id = (SELECT id FROM accounts WHERE name = $1)',
      ['Corner Shop'],
    );
    const keyId = encodeId('key', stored);
    expect(await post(`keys/${keyId}/revoke`)).toMatchObject({ status: 200, body: { id: keyId, account_id: id } });
    expect(await entriesOf(keyId)).toMatchObject([{ action: 'key.revoked', actor: 'operator ada@example.com' }]);
    expect(key).toMatch(/^sk_test_/);
  });

  it('lists accounts page by page', async () => {
    const first = (await get('accounts?limit=1')).body;
    const second = (await get(`accounts?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.data.length, second.data.length, first.data[0].id > second.data[0].id]).toEqual([1, 1, true]);
  });

  it('deposits live money: once for a reference, and above the threshold with a second log-in', async () => {
    const { json: account } = await line.duka('account:create', '--name', 'Depot');
    const deposit = (amount: number, reference: string, key = ada.key): Promise<Answer> =>
      post('deposits', { wallet_id: account.live_wallet, amount, reference }, key);
    expect(await deposit(5_000_000, 'small')).toMatchObject({
      status: 200,
      body: { settled: true, replayed: false, available: 5_000_000 },
    });
    expect(await deposit(5_000_000, 'small')).toMatchObject({
      status: 200,
      body: { settled: true, replayed: true, available: 5_000_000 },
    });
    expect(await deposit(5_000_001, 'large')).toMatchObject({
      status: 200,
      body: { settled: false, available: 5_000_000 },
    });
    // Another key of the same log-in is the same person, and so is that person at the command line.
    const { json: made } = await line.duka('platform-key:create', '--person', 'ada@example.com', '--reason', 'second');
    expect(await deposit(5_000_001, 'large', made.secret)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
    const atTheCommandLine = (person: string) =>
      line.duka(
        'wallet:deposit',
        '--wallet',
        account.live_wallet,
        '--amount',
        '5000001',
        '--reference',
        'large',
        '--person',
        person,
        '--reason',
        'x',
      );
    expect((await atTheCommandLine('ada@example.com')).status).toBe(1);
    expect(await deposit(5_000_001, 'large', bola.key)).toMatchObject({
      status: 200,
      body: { settled: true, available: 10_000_001 },
    });
    expect(
      (await line.audited())
        .filter(({ detail }) => detail.reference === 'large')
        .map(({ action, actor }) => [action, actor]),
    ).toEqual([
      ['wallet.deposit_ordered', 'operator ada@example.com'],
      ['wallet.deposited', 'operator bola@example.com'],
    ]);
  });

  it('says how far a wallet may be below zero', async () => {
    const { json: account } = await line.duka('account:create', '--name', 'Borrower');
    const wallet = account.live_wallet;
    expect(await post(`wallets/${wallet}/credit-limit`, { credit_limit: 5_000 })).toMatchObject({
      status: 200,
      body: { wallet_id: wallet, livemode: true, credit_limit: 5_000, available: 0, credit_available: 5_000 },
    });
    expect(await post(`wallets/${wallet}/credit-limit`, { credit_limit: 0 })).toMatchObject({ status: 200 });
    for (const credit_limit of [-1, 0.5, '5', undefined])
      expect(await post(`wallets/${wallet}/credit-limit`, { credit_limit })).toMatchObject({
        status: 400,
        body: { param: '/credit_limit' },
      });
    expect(await post(`wallets/${ID.replace('acct', 'wal')}/credit-limit`, { credit_limit: 1 })).toMatchObject({
      status: 404,
    });
    expect((await entriesOf(wallet)).map(({ action, detail }) => [action, detail.before, detail.after])).toEqual([
      ['wallet.credit_limit_set', 0, 5_000],
      ['wallet.credit_limit_set', 5_000, 0],
    ]);
  });

  it('sets from where on refunds of an account need a second person', async () => {
    const { id } = await duka.account('Corner Shop');
    const limits = { livemode: true, currency: 'NGN', approval_above: 5_000 };
    const path = `accounts/${id}/refund-limits`;
    expect(await post(path, limits)).toMatchObject({ status: 200, body: { account_id: id, ...limits } });
    expect(await post(path, { ...limits, approval_above: null })).toMatchObject({ status: 200 });
    expect(await post(path, { ...limits, approval_above: -1 })).toMatchObject({ status: 400 });
    expect((await post(`accounts/${ID}/refund-limits`, limits)).status).toBe(404);
    const entries = (await entriesOf(id)).filter(({ action }) => action === 'account.refund_limits_set');
    expect(entries.map(({ detail }) => [detail.before.approval_above, detail.after.approval_above])).toEqual([
      [null, '5000'],
      ['5000', null],
    ]);
  });

  it('says what cardholders of a tier may have on cards, and who said so', async () => {
    const limits = { cards_max: 4, load_single_max: 0, load_daily_max: null, balance_max: 900 };
    expect(await post('kyc-limits', { livemode: true, tier: 2, ...limits })).toMatchObject({
      status: 200,
      body: { livemode: true, tier: 2, ...limits },
    });
    const { body } = await get('kyc-limits');
    expect(body.data.map(({ tier }: any) => tier)).toEqual([0, 1, 2, 3]);
    expect(body.data[2]).toMatchObject({ ...limits, set_by: 'ada@example.com', reason: 'ticket 7' });
    for (const [wrong, param] of [
      [{ tier: 4 }, '/tier'],
      [{ tier: 1.5 }, '/tier'],
      [{ livemode: undefined }, '/livemode'],
      [{ load_daily_max: -1 }, '/load_daily_max'],
      [{ cards_max: '1' }, '/cards_max'],
      [{ reason: undefined }, '/reason'],
    ] as const)
      expect(await post('kyc-limits', { livemode: true, tier: 2, ...wrong })).toMatchObject({
        status: 400,
        body: { param },
      });
    expect((await get('kyc-limits')).body).toEqual(body);
  });

  it('decides what only people can settle', async () => {
    const shopper = await Shopper.in(duka);
    const { body: bought } = await shopper.steer('outcome=timeout; then=never');
    const payer = await Payer.of(duka);
    const { id: payment } = await payer.asked();
    await payer.complete(payment, 'underpaid');
    const funder = await Funder.of(duka);
    const { id: number } = await funder.opened();
    await funder.api.post(`/v4/virtual-accounts/${number}/close`);
    const { id: deposit } = await funder.pay(number, 5_000);
    const refund = await payer.contradicted();
    expect((await get('reviews')).body).toMatchObject({
      refunds: [{ refund_id: refund, account_id: payer.account.id, amount: 40_000, decisions: [] }],
      deposits: [{ deposit_id: deposit, account_id: funder.account.id, virtual_account_id: number, amount: 5_000 }],
      returns_due: [],
      purchases: [],
      refunds_due: [],
      payments: [{ payment_id: payment, account_id: payer.account.id }],
    });
    expect(
      await post(`reviews/purchases/${bought.id}`, {
        account_id: shopper.account.id,
        livemode: false,
        outcome: 'not_delivered',
      }),
    ).toMatchObject({ status: 200, body: { settled: true, status: 'failed' } });
    expect(
      await post(`reviews/deposits/${deposit}`, {
        account_id: funder.account.id,
        livemode: false,
        outcome: 'accept_received',
      }),
    ).toMatchObject({ status: 200, body: { deposit_id: deposit, settled: true, status: 'credited' } });
    expect(await funder.balance()).toBe(5_000);
    expect(
      await post(`reviews/payments/${payment}`, {
        account_id: payer.account.id,
        livemode: false,
        outcome: 'accept_received',
      }),
    ).toMatchObject({ status: 200, body: { settled: true } });
    expect(
      await post(`reviews/refunds/${refund}`, { account_id: payer.account.id, livemode: false, outcome: 'failed' }),
    ).toMatchObject({ status: 200, body: { refund_id: refund, settled: true, status: 'failed' } });
    for (const [target, action] of [
      [bought.id, 'purchase.reviewed'],
      [refund, 'refund.reviewed'],
      [payment, 'payment.reviewed'],
      [deposit, 'deposit.reviewed'],
    ]) {
      expect(await entriesOf(target)).toMatchObject([
        { action, actor: 'operator ada@example.com', detail: { reason: 'ticket 7', settled: true } },
      ]);
    }
  });

  it('stops cards, forgets their holders, makes operators and switches billers', async () => {
    const owner = await CardOwner.of(duka);
    const card = await owner.card();
    expect(await post(`cards/${card.id}/block`)).toMatchObject({
      status: 200,
      body: { card_id: card.id, status: 'blocked', was: 'active' },
    });
    expect(await post(`cards/${card.id}/unblock`)).toMatchObject({ status: 200, body: { status: 'active' } });
    expect((await entriesOf(card.id)).map(({ action }) => action)).toEqual(['card.blocked', 'card.unblocked']);
    expect(await post(`customers/${card.customer_id}/anonymize`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
    await owner.act(card.id, 'terminate');
    expect(await post(`customers/${card.customer_id}/anonymize`, { dry_run: true })).toMatchObject({
      status: 200,
      body: { dry_run: true, cards: 1 },
    });
    expect(await post(`customers/${card.customer_id}/anonymize`)).toMatchObject({
      status: 200,
      body: { cards: 1, done_before: false },
    });
    expect((await owner.api.get(`/v4/customers/${card.customer_id}`)).body.first_name).toBe('anonymized');
    await line.person('new@example.com', false);
    expect(await post('operators', { email: 'new@example.com', operator: true })).toMatchObject({
      status: 200,
      body: { operator: true },
    });
    const [{ code }] = await line.query('SELECT code FROM billers WHERE enabled LIMIT 1');
    expect(await post(`billers/${code}/disable`)).toMatchObject({
      status: 200,
      body: { biller_code: code, enabled: false, changed: true },
    });
    expect(await post(`billers/${code}/enable`)).toMatchObject({ status: 200, body: { enabled: true } });
  });
});

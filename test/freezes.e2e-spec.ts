import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { decodeId, encodeId } from '../src/core/http/ids';
import { CardOpening } from '../src/modules/cards/issuing/card-opening';
import { OperatorAccounts } from '../src/modules/platform/operator-accounts.service';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import { WalletFreezesService } from '../src/modules/wallets/wallet-freezes.service';
import { createPlatformApp } from '../src/platform-app';
import type { FreezeDirection } from '../src/vocabulary/freezes';
import type { Answer } from './support/contract';
import { CardNetwork } from './support/card-network';
import { CardOwner } from './support/cardholder';
import { CommandLine } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { Payer } from './support/payer';
import { FUNDS, Shopper } from './support/shopper';

const HOUR_MS = 3_600_000;
const later = (ms = HOUR_MS) => new Date(Date.now() + ms);
const refused = ({ status, body }: Answer) => [status, body.code];
const WHO = { operator: null as never, name: 'ada@example.com', reason: 'fraud desk', ip: null };

let duka: Duka;
let second: Duka;
let platform: NestFastifyApplication;
let line: CommandLine;
let ada: string[];

beforeAll(async () => {
  duka = await Duka.start();
  second = await duka.twin();
  line = CommandLine.on(duka.env.DATABASE_URL!);
  ada = await line.person('ada@example.com', true);
  platform = await createPlatformApp(duka.env);
});
afterAll(async () => {
  await platform.close();
  await second.stop();
  await duka.stop();
});

const eventsOf = async ({ api }: TestAccount, id: string) => {
  const { body } = await api.get('/v4/events?limit=100');
  return body.data
    .filter(({ data }: any) => data.object.id === id)
    .map(({ type, data: { object } }: any) => [type, object.previous_status, object.status, object.freezes.length])
    .reverse();
};
/** The end of a freeze comes nearer: that nobody has to wait for it. */
const setUntil = (wallet: string, until: Date) =>
  duka.asOwner('UPDATE ledger_accounts SET frozen_until = $2 WHERE id = $1', [decodeId('wal', wallet), until]);

describe('a wallet that its owner freezes', () => {
  let shop: TestAccount;
  beforeAll(async () => void (shop = await duka.account()));

  it.each<[FreezeDirection, number, number]>([
    ['debit', 409, 201],
    ['credit', 201, 409],
    ['both', 409, 409],
  ])('as %s pays with %i and receives with %i', async (direction, paying, receiving) => {
    const { api } = shop;
    const [a, b] = [await api.wallet(100), await api.wallet(100)];
    const { status, body } = await api.post(`/v4/wallets/${a}/freeze`, { direction, reason: 'audit' });
    expect([status, body.status, body.freezes]).toEqual([
      200,
      'frozen',
      [{ by: 'owner', direction, reason: 'audit', until: null }],
    ]);
    for (const dry_run of [true, false]) {
      const [out, into] = [await api.transfer(a, b, 1, { dry_run }), await api.transfer(b, a, 1, { dry_run })];
      const passed = dry_run ? 200 : 201;
      expect([out.status, into.status]).toEqual([paying, receiving].map((code) => (code === 201 ? passed : code)));
      if (out.status === 409) expect(out.body).toMatchObject({ code: 'wallet_frozen', param: '/from_wallet' });
      if (into.status === 409)
        expect(into.body).toMatchObject({
          code: 'wallet_frozen',
          param: '/to_wallet',
          detail: `${a} is frozen: it takes no money.`,
        });
    }
    const credited = await api.post(`/v4/sandbox/wallets/${a}/credit`, { amount: 5 });
    expect(credited.status).toBe(receiving);
    expect((await api.post(`/v4/wallets/${a}/unfreeze`)).body).toMatchObject({ status: 'active', freezes: [] });
    expect((await api.transfer(a, b, 1)).status).toBe(201);
    expect((await api.transfer(b, a, 1)).status).toBe(201);
  });

  it('keeps the old meaning without a body, and changes an own freeze only when a direction is named', async () => {
    const { api } = shop;
    const a = await api.wallet(10);
    const freeze = (body?: object) => api.post(`/v4/wallets/${a}/freeze`, body);
    const until = later().toISOString();
    expect((await freeze()).body.freezes).toMatchObject([{ direction: 'debit', reason: null, until: null }]);
    expect(refused(await freeze())).toEqual([409, 'invalid_state_transition']);
    expect(refused(await freeze({ reason: 'other' }))).toEqual([409, 'invalid_state_transition']);
    expect(refused(await freeze({ direction: 'debit' }))).toEqual([409, 'invalid_state_transition']);
    expect((await freeze({ direction: 'both', until })).body.freezes).toMatchObject([{ direction: 'both', until }]);
    expect(refused(await freeze({ direction: 'up' }))).toEqual([400, 'validation_failed']);
    expect((await freeze({ direction: 'debit', until: '2020-01-01T00:00:00Z' })).body).toMatchObject({
      status: 400,
      param: '/until',
    });
    expect(await eventsOf(shop, a)).toEqual([
      ['wallet.created', null, 'active', 0],
      ['wallet.credited', undefined, 'active', 0],
      ['wallet.frozen', 'active', 'frozen', 1],
      ['wallet.frozen', 'frozen', 'frozen', 1],
    ]);
  });

  it('is free again at its moment, before anybody has told it; then that is told once, of two processes', async () => {
    const { api } = shop;
    const [a, b] = [await api.wallet(100), await api.wallet()];
    await api.post(`/v4/wallets/${a}/freeze`, { direction: 'both', until: later() });
    expect((await api.get('/v4/wallets?status=frozen')).body.data.map(({ id }: any) => id)).toContain(a);
    expect(refused(await api.transfer(a, b, 1))).toEqual([409, 'wallet_frozen']);
    await setUntil(a, new Date());
    expect((await api.transfer(a, b, 1)).status).toBe(201);
    expect((await api.get(`/v4/wallets/${a}`)).body).toMatchObject({ status: 'active', freezes: [] });
    expect((await api.get('/v4/wallets?status=frozen')).body.data.map(({ id }: any) => id)).not.toContain(a);
    const sweeps = [duka, second].map((one) => one.get<WalletFreezesService>(WalletFreezesService).sweep());
    await Promise.all(sweeps);
    expect((await eventsOf(shop, a)).slice(2)).toEqual([
      ['wallet.frozen', 'active', 'frozen', 1],
      ['wallet.unfrozen', 'frozen', 'active', 0],
    ]);
  });

  it('that is frozen again before the end was told, tells both', async () => {
    const { api } = shop;
    const a = await api.wallet();
    await api.post(`/v4/wallets/${a}/freeze`, { until: later() });
    await setUntil(a, new Date());
    const { body } = await api.post(`/v4/wallets/${a}/freeze`, { direction: 'credit' });
    expect(body).toMatchObject({ status: 'frozen', freezes: [{ direction: 'credit', until: null }] });
    const { body: events } = await api.get('/v4/events?limit=4');
    const told = events.data.filter(({ data }: any) => data.object.id === a).reverse();
    expect(told.map(({ type }: any) => type)).toEqual([
      'wallet.created',
      'wallet.frozen',
      'wallet.unfrozen',
      'wallet.frozen',
    ]);
    const versions = told.map(({ data }: any) => data.object.version);
    expect(versions).toEqual([...new Set(versions)].sort((x: any, y: any) => x - y));
    expect(versions.at(-1)).toBe(body.version);
  });

  it("ends by the account's clock, and has as long to wait after a reset", async () => {
    const shopper = await Shopper.in(duka);
    const { api } = shopper.account;
    const freeze = async () => {
      const { body } = await api.post(`/v4/wallets/${shopper.wallet}/freeze`, { until: later(2 * HOUR_MS) });
      return body.status;
    };
    expect(await freeze()).toBe('frozen');
    await shopper.pass(HOUR_MS);
    expect((await api.get(`/v4/wallets/${shopper.wallet}`)).body.status).toBe('frozen');
    await shopper.pass(HOUR_MS);
    expect((await api.get(`/v4/wallets/${shopper.wallet}`)).body.status).toBe('active');
    expect((await eventsOf(shopper.account, shopper.wallet)).at(-1)[0]).toBe('wallet.unfrozen');
  });

  it('gets back what was paid or held, and keeps what is held going; money from outside waits for a person', async () => {
    const buyer = await Shopper.in(duka);
    const { api } = buyer.account;
    const { body: delivered } = await buyer.steer('outcome=delivered; then=reversed; delay=1h');
    const { body: failing } = await buyer.steer('outcome=timeout; then=failed; delay=1h');
    await api.post(`/v4/wallets/${buyer.wallet}/freeze`, { direction: 'both' });
    expect(refused(await buyer.steer('outcome=delivered'))).toEqual([409, 'wallet_frozen']);
    await buyer.pass(25 * HOUR_MS);
    expect((await buyer.get(failing.id)).status).toBe('failed');
    expect((await buyer.get(delivered.id)).status).toBe('reversed');
    expect(await buyer.balance()).toMatchObject({ available: FUNDS, held: 0 });

    const payer = await Payer.of(duka);
    const { id } = await payer.asked();
    await payer.api.post(`/v4/wallets/${payer.wallet}/freeze`, { direction: 'credit' });
    await payer.complete(id, 'successful');
    expect(await payer.get(id)).toMatchObject({ status: 'processing', needs_review: true });
    expect(await payer.balance()).toBe(0);
  });

  it('that takes no money still pays for what waited for money, and one that does not pay does not', async () => {
    const shopper = await Shopper.in(duka);
    const { api } = shopper.account;
    const queue = () =>
      shopper.buy({ amount: 2 * FUNDS, on_insufficient_funds: 'queue', deliver_by: later(20 * HOUR_MS) });
    const { body: waiting } = await queue();
    await shopper.fund(FUNDS * 2);
    await api.post(`/v4/wallets/${shopper.wallet}/freeze`, { direction: 'credit' });
    await duka.get<QueuedPurchases>(QueuedPurchases).payAll();
    expect((await shopper.get(waiting.id)).details.queued).toBe(false);
  });
});

describe('an account that an operator freezes', () => {
  const freeze = (id: string, direction: FreezeDirection, until: Date | null = null) =>
    platform.get(OperatorAccounts).setFreeze(WHO, decodeId('acct', id)!, { direction, until });
  const unfreeze = (id: string) => platform.get(OperatorAccounts).setFreeze(WHO, decodeId('acct', id)!, null);

  /** With a key that no process has looked up yet. */
  const fresh = async (id: string) => duka.api(await duka.key({ accountId: id }));

  it('has wallets and keys frozen in one act, each wallet is told of it, and others have nothing to do with it', async () => {
    const account = await duka.account();
    const { id, api } = account;
    const [a, b] = [await api.wallet(100), await api.wallet()];
    const other = await duka.account();
    const theirs = await other.api.wallet(50);
    const answer = await line.duka('account:freeze', '--account', id, '--direction', 'both', ...ada);
    expect(answer).toMatchObject({ status: 0, json: { freeze: { direction: 'both', until: null } } });

    const frozen = await fresh(id);
    expect((await frozen.get(`/v4/wallets/${a}`)).body).toMatchObject({
      status: 'frozen',
      freezes: [{ by: 'operator', direction: 'both', reason: null, until: null }],
    });
    expect((await frozen.get('/v4/account')).body.freeze).toEqual({ direction: 'both', until: null });
    expect(refused(await frozen.transfer(a, b, 1))).toEqual([403, 'account_frozen']);
    expect(refused(await frozen.post(`/v4/wallets/${a}/unfreeze`))).toEqual([403, 'account_frozen']);
    expect(refused(await other.api.transfer(theirs, a, 1))).toEqual([409, 'wallet_frozen']);
    expect((await other.api.transfer(theirs, await other.api.wallet(), 1)).status).toBe(201);
    expect((await eventsOf(account, a)).at(-1)).toEqual(['wallet.frozen', 'active', 'frozen', 1]);

    expect((await line.duka('account:unfreeze', '--account', id, ...ada)).json.freeze).toBeNull();
    expect((await (await fresh(id)).transfer(a, b, 1)).status).toBe(201);
    expect((await eventsOf(account, b)).find(([type]: any) => type === 'wallet.unfrozen')).toEqual([
      'wallet.unfrozen',
      'frozen',
      'active',
      0,
    ]);
    const audited = (await line.audited()).filter(({ target }) => target === id);
    expect(audited.map(({ action, actor, detail }) => [action, actor, detail.direction])).toEqual([
      ['account.frozen', 'operator ada@example.com', 'both'],
      ['account.unfrozen', 'operator ada@example.com', undefined],
    ]);
    expect(await line.duka('account:freeze', '--account', id, '--direction', 'up', ...ada)).toMatchObject({
      status: 2,
    });
    await expect(freeze(id, 'debit', new Date(0))).rejects.toThrow('until');
  });

  it('has its cards frozen: they decline, and what a merchant gives back still arrives', async () => {
    const network = await CardNetwork.in(duka, 5_000);
    const paid = await network.done('authorization', { amount: 1_000 });
    await network.step('clearing', paid.id);
    const held = await network.done('authorization', { amount: 500 });
    const tipped = await network.done('authorization', { amount: 300 });
    await freeze(encodeId('acct', network.owner.accountId), 'debit');
    expect(await network.done('authorization', { amount: 100 })).toMatchObject({
      status: 'declined',
      decline_reason: 'card_frozen',
    });
    // What the merchant took is taken: the network does not ask.
    expect((await network.step('clearing', tipped.id, 400)).status).toBe(201);
    await freeze(encodeId('acct', network.owner.accountId), 'credit');
    expect((await network.step('void', held.id)).status).toBe(201);
    expect((await network.step('refund', paid.id, 400)).status).toBe(201);
    expect(await network.balance()).toEqual([4_000, 0]);
    const funded = await network.api.post(`/v4/cards/${network.card}/fund`, { amount: 100 });
    expect(refused(funded)).toEqual([409, 'wallet_frozen']);
    await unfreeze(encodeId('acct', network.owner.accountId));
  });

  it('has a card that was asked for before go its way, and none asked for while no money may arrive', async () => {
    const owner = await CardOwner.of(duka);
    const { body: pending } = await owner.issue({ lastName: 'SLOW' });
    expect(pending.status).toBe('pending');
    await freeze(owner.accountId, 'credit');
    await owner.advance(400);
    expect(await owner.get(pending.id)).toMatchObject({ status: 'active', balance: { available: 5_000 } });
    expect(refused(await owner.act(pending.id, 'fund', { amount: 100 }))).toEqual([409, 'wallet_frozen']);
    for (const dry_run of [true, false]) {
      const answer = await owner.issue({ dry_run });
      expect([...refused(answer), answer.body.param]).toEqual([409, 'wallet_frozen', '/funding_wallet_id']);
    }
    await unfreeze(owner.accountId);
    expect((await owner.act(pending.id, 'fund', { amount: 100 })).status).toBe(201);
  });

  it('has a card frozen that is being opened in that moment', async () => {
    const owner = await CardOwner.of(duka);
    const opening = duka.get<CardOpening>(CardOpening);
    jest.spyOn(opening, 'open').mockImplementationOnce(async (asked) => {
      await freeze(owner.accountId, 'credit');
      return opening.open(asked);
    });
    const card = await owner.card();
    expect(refused(await owner.act(card.id, 'fund', { amount: 100 }))).toEqual([409, 'wallet_frozen']);
    await unfreeze(owner.accountId);
    expect((await owner.act(card.id, 'fund', { amount: 100 })).status).toBe(201);
  });

  it('stays frozen whatever its owner does, also in wallets that are opened meanwhile', async () => {
    const account = await duka.account();
    const { api, id } = account;
    const a = await api.wallet(100);
    await api.post(`/v4/wallets/${a}/freeze`, { direction: 'credit' });
    await freeze(id, 'debit');
    const b = await api.wallet();
    expect((await api.get(`/v4/wallets/${b}`)).body.freezes).toMatchObject([{ by: 'operator', direction: 'debit' }]);
    expect((await api.post(`/v4/sandbox/wallets/${b}/credit`, { amount: 10 })).status).toBe(201);
    expect(refused(await api.transfer(b, a, 1))).toEqual([409, 'wallet_frozen']);
    const { body } = await api.post(`/v4/wallets/${a}/unfreeze`);
    expect(body).toMatchObject({ status: 'frozen', freezes: [{ by: 'operator', direction: 'debit' }] });
    expect((await eventsOf(account, a)).at(-1)[0]).toBe('wallet.updated');
    const again = await api.post(`/v4/wallets/${a}/unfreeze`);
    expect([...refused(again), again.body.title]).toEqual([409, 'invalid_state_transition', 'Frozen by an operator']);
    expect(refused(await api.transfer(a, b, 1))).toEqual([409, 'wallet_frozen']);
    expect((await api.post('/v4/sandbox/reset')).status).toBe(200);
    expect((await api.balance(a)).available).toBe(100);
    await unfreeze(id);
    expect((await api.transfer(a, b, 1)).status).toBe(201);
  });

  it('is free again at its moment, which is told once to each wallet, of two processes', async () => {
    const account = await duka.account();
    const { api, id } = account;
    const [a, b] = [await api.wallet(100), await api.wallet()];
    await freeze(id, 'both', later());
    const at = [decodeId('acct', id), new Date()];
    await duka.asOwner('UPDATE accounts SET frozen_until = $2 WHERE id = $1', at);
    await duka.asOwner('UPDATE ledger_accounts SET account_frozen_until = $2 WHERE account_id = $1', at);
    const free = await fresh(id);
    expect((await free.transfer(a, b, 1)).status).toBe(201);
    expect((await free.get('/v4/account')).body.freeze).toBeNull();
    await Promise.all([duka, second].map((one) => one.get<WalletFreezesService>(WalletFreezesService).sweep()));
    await duka.get<WalletFreezesService>(WalletFreezesService).sweep();
    const types = (await eventsOf(account, b)).map(([type]: any) => type);
    expect(types.filter((type: string) => type === 'wallet.unfrozen')).toHaveLength(1);
  });

  it('lets nothing pass once it is frozen, of two processes that pay', async () => {
    const account = await duka.account();
    const [a, b] = [await account.api.wallet(10_000), await account.api.wallet()];
    const sides = [account.api, second.api(account.key)];
    const answers: Answer[] = [];
    const clients = Array.from({ length: 16 }, async (_, c) => {
      for (let i = 0; i < 10; i++) answers.push(await sides[(c + i) % 2]!.transfer(a, b, 1));
    });
    await freeze(account.id, 'debit');
    const { available } = await account.api.balance(a);
    const opened = await account.api.wallet();
    await Promise.all(clients);
    expect((await account.api.balance(a)).available).toBe(available);
    expect((await account.api.get(`/v4/wallets/${opened}`)).body.status).toBe('frozen');
    const paid = answers.filter(({ status }) => status === 201);
    expect(paid).toHaveLength(10_000 - available);
    expect(new Set(answers.filter((one) => !paid.includes(one)).map(({ body }) => body.code))).toEqual(
      new Set(['wallet_frozen']),
    );
  });

  it('is not in the hands of the application, which may tell its end only', async () => {
    const { id } = await duka.account();
    for (const what of [
      'UPDATE accounts SET freeze_direction = NULL',
      'UPDATE accounts SET frozen_until = now()',
      'UPDATE ledger_accounts SET account_freeze = NULL',
      'UPDATE ledger_accounts SET account_frozen_until = now()',
    ])
      await expect(duka.get<DataSource>(DataSource).query(what)).rejects.toThrow('permission denied');
    expect(id).toMatch(/^acct_/);
  });
});

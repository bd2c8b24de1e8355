import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { decodeId, newId, newIdOf } from '../src/core/http/ids';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import type { HoldStep, Line } from '../src/modules/ledger/posting';
import { OperatorMoney } from '../src/modules/platform/operator-money.service';
import { createPlatformApp } from '../src/platform-app';
import { LedgerAccountsService } from '../src/modules/ledger/accounts.service';
import type { Answer } from './support/contract';
import { Duka, type TestAccount } from './support/duka';

interface Model {
  wallets: { id: string; available: number; held: number; limit: number; status: 'active' | 'frozen' | 'closed' }[];
  holds: { id: string; wallet: number; left: number }[];
  /** Requests that were answered, to be sent again. */
  sent: { path: string; body: object; key: string; answer: Answer }[];
}

interface Real {
  duka: Duka;
  shop: TestAccount;
  operators: OperatorMoney;
}

const ORDER = { operator: null, name: 'model', reason: 'model', ip: null } as const;

type Command = fc.AsyncCommand<Model, Real>;

const command = (name: string, check: (m: Model) => boolean, run: (m: Model, r: Real) => Promise<void>): Command => ({
  check,
  run,
  toString: () => name,
});

async function post({ shop }: Real, model: Model, path: string, body: object): Promise<Answer> {
  const key = newId();
  const answer = await shop.api.post(path, body, { key });
  if (answer.status === 201) model.sent.push({ path, body, key, answer });
  return answer;
}

const create = () =>
  command(
    'create',
    (m) => m.wallets.length < 6,
    async (m, r) => {
      const { body } = await post(r, m, '/v4/wallets', { currency: 'NGN' });
      m.wallets.push({ id: body.id, available: 0, held: 0, limit: 0, status: 'active' });
    },
  );

const credit = (at: number, amount: number) =>
  command(
    `credit(${at}, ${amount})`,
    (m) => m.wallets.length > 0,
    async (m, r) => {
      const wallet = m.wallets[at % m.wallets.length]!;
      const { status } = await post(r, m, `/v4/sandbox/wallets/${wallet.id}/credit`, { amount });
      expect(status).toBe(wallet.status === 'closed' ? 409 : 201);
      if (status === 201) wallet.available += amount;
    },
  );

const transfer = (x: number, y: number, amount: number) =>
  command(
    `transfer(${x}, ${y}, ${amount})`,
    (m) => m.wallets.length > 1,
    async (m, r) => {
      const [from, to] = [m.wallets[x % m.wallets.length]!, m.wallets[y % m.wallets.length]!];
      const { status } = await post(r, m, '/v4/wallets/transfer', { from_wallet: from.id, to_wallet: to.id, amount });
      if (from === to) return expect(status).toBe(422);
      const isOpen = from.status === 'active' && to.status !== 'closed';
      expect(status).toBe(!isOpen ? 409 : from.available + from.limit < amount ? 402 : 201);
      if (status !== 201) return;
      from.available -= amount;
      to.available += amount;
    },
  );

/** Holds have no route of their own yet: their users come with purchases and cards. */
async function postHold({ duka, shop }: Real, lines: Line[], step: HoldStep): Promise<boolean> {
  const posting = {
    id: newId(),
    accountId: decodeId('acct', shop.id)!,
    livemode: false,
    lines,
    holds: [step],
    claim: null,
  };
  return (await duka.get<LedgerService>(LedgerService).post(posting)).status === 'posted';
}

const hold = (at: number, amount: number) =>
  command(
    `hold(${at}, ${amount})`,
    (m) => m.wallets.length > 0,
    async (m, r) => {
      const index = at % m.wallets.length;
      const wallet = m.wallets[index]!;
      const id = newIdOf(decodeId('acct', r.shop.id)!);
      const done = await postHold(r, [], {
        kind: 'open',
        holdId: id,
        ledgerAccountId: decodeId('wal', wallet.id)!,
        amount: BigInt(amount),
        transactionId: null,
      });
      expect(done).toBe(wallet.status === 'active' && wallet.available + wallet.limit >= amount);
      if (!done) return;
      wallet.available -= amount;
      wallet.held += amount;
      m.holds.push({ id, wallet: index, left: amount });
    },
  );

const end = (kind: 'capture' | 'release', at: number, amount: number) =>
  command(
    `${kind}(${at}, ${amount})`,
    (m) => m.holds.length > 0,
    async (m, r) => {
      const held = m.holds[at % m.holds.length]!;
      const wallet = m.wallets[held.wallet]!;
      const owner = { accountId: decodeId('acct', r.shop.id)!, livemode: false };
      const fees = await r.duka.get<LedgerAccountsService>(LedgerAccountsService).platform('fees', 'NGN', owner);
      const lines: Line[] =
        kind === 'capture'
          ? [{ ledgerAccountId: fees, bucket: 'available', amount: BigInt(amount), transactionId: null }]
          : [];
      const done = await postHold(r, lines, {
        kind,
        holdId: held.id,
        ledgerAccountId: decodeId('wal', wallet.id)!,
        amount: BigInt(amount),
        transactionId: null,
      });
      expect(done).toBe(held.left >= amount);
      if (!done) return;
      held.left -= amount;
      wallet.held -= amount;
      if (kind === 'release') wallet.available += amount;
    },
  );

const setStatus = (at: number, verb: 'freeze' | 'unfreeze' | 'close') =>
  command(
    `${verb}(${at})`,
    (m) => m.wallets.length > 0,
    async (m, r) => {
      const wallet = m.wallets[at % m.wallets.length]!;
      const to = { freeze: 'frozen', unfreeze: 'active', close: 'closed' } as const;
      const legal = { active: ['frozen', 'closed'], frozen: ['active', 'closed'], closed: [] as string[] }[
        wallet.status
      ].includes(to[verb]);
      const { status } = await r.shop.api.post(`/v4/wallets/${wallet.id}/${verb}`);
      const expected = legal && (verb !== 'close' || (wallet.available === 0 && wallet.held === 0));
      expect(status).toBe(expected ? 200 : 409);
      if (expected) wallet.status = to[verb];
    },
  );

/** Below what is used, too. */
const setLimit = (at: number, limit: number) =>
  command(
    `limit(${at}, ${limit})`,
    (m) => m.wallets.length > 0,
    async (m, r) => {
      const wallet = m.wallets[at % m.wallets.length]!;
      const id = decodeId('wal', wallet.id)!;
      const set = r.operators
        .setCreditLimit(async () => ORDER, id, BigInt(limit))
        .then(
          () => true,
          () => false,
        );
      expect(await set).toBe(wallet.status !== 'closed');
      if (wallet.status !== 'closed') wallet.limit = limit;
    },
  );

const retry = (at: number) =>
  command(
    `retry(${at})`,
    (m) => m.sent.length > 0,
    async (m, r) => {
      const { path, body, key, answer } = m.sent[at % m.sent.length]!;
      const again = await r.shop.api.post(path, body, { key });
      expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([
        201,
        'true',
        answer.body.id,
      ]);
    },
  );

const restart = () =>
  command(
    'restart',
    () => true,
    (_, r) => r.duka.restart(),
  );

const verify = () =>
  command(
    'verify',
    () => true,
    async (m, r) => {
      for (const { id, available, held, limit, status } of m.wallets) {
        const { body } = await r.shop.api.get(`/v4/wallets/${id}`);
        const left = status === 'closed' ? 0 : Math.max(0, limit + Math.min(available, 0));
        expect(body).toMatchObject({
          status,
          credit_limit: limit,
          balance: { available, held, ledger: available + held, credit_available: left },
        });
      }
      await r.duka.expectBooks();
    },
  );

const index = fc.nat(5);
const amount = fc.integer({ min: 1, max: 60 });
const commands: fc.Arbitrary<Command>[] = [
  fc.constant(create()),
  fc.tuple(index, fc.integer({ min: 1, max: 200 })).map((args) => credit(...args)),
  fc.tuple(index, index, amount).map((args) => transfer(...args)),
  fc.tuple(index, index, amount).map((args) => transfer(...args)),
  fc.tuple(index, amount).map((args) => hold(...args)),
  fc.tuple(index, amount).map((args) => end('capture', ...args)),
  fc.tuple(index, amount).map((args) => end('release', ...args)),
  fc
    .tuple(index, fc.constantFrom('freeze' as const, 'unfreeze' as const, 'unfreeze' as const, 'close' as const))
    .map((args) => setStatus(...args)),
  fc.tuple(index, fc.constantFrom(0, 20, 100)).map((args) => setLimit(...args)),
  index.map(retry),
  fc.constant(verify()),
];

describe('the service against a model of itself', () => {
  let duka: Duka;
  let platform: NestFastifyApplication;
  beforeAll(async () => {
    duka = await Duka.start();
    platform = await createPlatformApp(duka.env);
  });
  afterAll(async () => {
    await platform.close();
    await duka.stop();
  });

  it('keeps the same balances through any sequence of commands', async () => {
    // Restarts are slow: some per run, not one in ten.
    const rare = fc.constant(restart());
    const sequence = fc.commands([...commands, ...commands, ...commands, ...commands, rare], {
      maxCommands: 80,
      size: '+2',
    });
    await fc.assert(
      fc.asyncProperty(sequence, async (list) => {
        const shop = await duka.account();
        const operators = platform.get(OperatorMoney);
        await fc.asyncModelRun(
          () => ({ model: { wallets: [], holds: [], sent: [] } as Model, real: { duka, shop, operators } }),
          list,
        );
        await duka.expectBooks();
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

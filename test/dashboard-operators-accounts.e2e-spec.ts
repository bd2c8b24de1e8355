import { decodeId } from '../src/core/http/ids';
import { Client } from '../src/providers/client';
import { type Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { Shopper } from './support/shopper';

let duka: Duka;
let operator: Browser;
let owner: Browser;
let account: string;

beforeAll(async () => {
  duka = await Duka.start();
  operator = await newOwner(duka);
  await duka.setOperator(operator.email, true);
  await operator.stepUp();
  owner = await newOwner(duka);
  account = (await owner.get('/me')).body.account.id;
});
afterAll(() => duka.stop());

const list = async (query: string) => (await operator.get(`/operators/accounts${query}`)).body;
const idsOf = ({ data }: any): string[] => data.map(({ id }: any) => id);

describe('accounts', () => {
  it('are found by name, id and the address of somebody in their team', async () => {
    await duka.asOwner('UPDATE accounts SET name = $1 WHERE id = $2', ['Mama Nkechi', decodeId('acct', account)]);
    for (const q of ['nkechi', account, owner.email.toUpperCase()])
      expect(idsOf(await list(`?q=${encodeURIComponent(q)}`))).toEqual([account]);
    expect(idsOf(await list('?q=%25'))).toEqual([]);
    const first = await list('?limit=1');
    expect(first.data).toHaveLength(1);
    expect(idsOf(await list(`?limit=1&cursor=${first.next_cursor}`))).not.toEqual(idsOf(first));
  });

  it('are narrowed to those with live mode, and to frozen ones', async () => {
    expect(idsOf(await list('?state=live'))).not.toContain(account);
    await duka.enableLive(account);
    expect(idsOf(await list('?state=live'))).toContain(account);
    expect(idsOf(await list('?state=frozen'))).toEqual([]);
    await duka.asOwner(`UPDATE accounts SET freeze_direction = 'debit' WHERE id = $1`, [decodeId('acct', account)]);
    expect((await list('?state=frozen')).data).toEqual([
      expect.objectContaining({ id: account, freeze: 'debit', live_enabled: true, owner: owner.email }),
    ]);
  });

  it('show what they have and did', async () => {
    const shopper = await Shopper.in(duka);
    await shopper.steer('outcome=delivered');
    const { body } = await operator.get(`/operators/accounts/${shopper.account.id}`);
    const [wallet] = body.wallets.filter(({ livemode, currency }: any) => !livemode && currency === 'NGN');
    expect(wallet.count).toBeGreaterThan(0);
    expect(body.volume).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ livemode: false, currency: 'NGN', count: expect.any(Number) }),
      ]),
    );
    expect(body.keys).toEqual(expect.arrayContaining([expect.objectContaining({ livemode: false })]));
    expect((await operator.get('/operators/accounts/acct_01kabcdefghjkmnpqrstvwxyz0')).status).toBe(404);
  });

  it('count as done neither what was reversed nor its reversal', async () => {
    const shopper = await Shopper.in(duka);
    const { body: bought } = await shopper.steer('outcome=delivered');
    const done = async () => (await operator.get(`/operators/accounts/${shopper.account.id}`)).body.volume;
    expect(await done()).toMatchObject([{ livemode: false, currency: 'NGN', count: 2 }]);
    await shopper.account.api.post(`/v4/sandbox/transactions/${bought.id}/settle`, { status: 'reversed' });
    expect(await shopper.get(bought.id)).toMatchObject({ status: 'reversed' });
    expect(await done()).toMatchObject([{ livemode: false, currency: 'NGN', count: 1 }]);
  });

  it('let somebody be signed out, with a reason, after a fresh proof', async () => {
    const member = await newMember(duka, owner, 'developer');
    const people = async () => (await operator.get(`/operators/accounts/${account}`)).body.people;
    const shown = (await people()).find(({ email }: any) => email === member.email);
    expect(shown).toMatchObject({ role: 'developer', sessions: 1, operator: false });
    const path = `/operators/accounts/${account}/people/${shown.user_id}/end-sessions`;
    const again = operator.another();
    await again.logIn();
    expect((await again.post(path, { reason: 'lost phone' })).body.code).toBe('step_up_required');
    expect((await operator.post(path, {})).status).toBe(400);
    expect((await operator.post(path, { reason: 'lost phone' })).status).toBe(204);
    expect((await member.get('/me')).status).toBe(401);
    expect((await owner.get('/me')).status).toBe(200);
    expect((await owner.get('/audit-log')).body.data[0]).toMatchObject({
      action: 'sessions.ended',
      actor: `operator ${operator.email}`,
      target: shown.user_id,
      detail: { reason: 'lost phone', email: member.email },
    });
    const stranger = (await operator.get('/me')).body.user.id;
    const other = `/operators/accounts/${account}/people/${stranger}/end-sessions`;
    expect((await operator.post(other, { reason: 'x' })).status).toBe(404);
  });
});

describe('providers over time', () => {
  const of = 'product=airtime&provider=sandbox&livemode=false';

  it('show calls, what was delivered and how long it took, by the hour and by the day', async () => {
    const shopper = await Shopper.in(duka);
    await shopper.steer('outcome=delivered');
    await shopper.steer('outcome=failed');
    await duka.get<Client>(Client).flush();
    for (const [hours, period] of [
      ['24', 'hour'],
      ['720', 'day'],
    ]) {
      const { body } = await operator.get(`/operators/provider-history?${of}&hours=${hours}`);
      expect(body.period).toBe(period);
      const last = body.data.at(-1);
      expect(last.calls).toBeGreaterThanOrEqual(2);
      expect(last.ended).toBeGreaterThan(last.delivered);
      expect(last.p95_ms).toEqual(expect.any(Number));
    }
  });

  it('lead from a code to the orders that ended with it', async () => {
    const { codes } = (await operator.get(`/operators/provider-history?${of}`)).body;
    const [{ code, count }] = codes;
    expect(count).toBeGreaterThan(0);
    const { body } = await operator.get(`/operators/provider-history/attempts?${of}&code=${code}`);
    expect(body.data.length).toBeGreaterThan(0);
    expect(body.data[0]).toMatchObject({
      transaction_id: expect.stringMatching(/^txn_/),
      account_id: expect.stringMatching(/^acct_/),
    });
    const none = await operator.get(`/operators/provider-history/attempts?${of}&code=no_such_code`);
    expect(none.body.data).toEqual([]);
  });

  it('know no orders of what is not sold', async () => {
    const { status, body } = await operator.get(
      '/operators/provider-history?product=payment&provider=sandbox&livemode=false',
    );
    expect([status, body.codes]).toEqual([200, []]);
  });
});

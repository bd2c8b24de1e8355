import { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { CommandLine } from './support/command-line';
import type { Answer } from './support/contract';
import { Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const [HOUR, WEEK] = [3_600, 604_800];

let duka: Duka;
let twin: Duka;
let ada: Browser;
let accountId: string;

beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
  ada = await newOwner(duka);
  accountId = (await ada.get('/me')).body.account.id;
  await duka.enableLive(accountId);
});
afterAll(async () => {
  await twin.app.close();
  await duka.stop();
});

const create = async (more: object = {}): Promise<Answer['body']> =>
  (await ada.post('/keys', { name: 'Shop', livemode: false, ...more })).body;
const roll = (id: string, seconds: number, by = ada): Promise<Answer> =>
  by.post(`/keys/${id}/roll`, { overlap_seconds: seconds });
const listed = async (livemode = false): Promise<Answer['body'][]> =>
  (await ada.get(`/keys?livemode=${livemode}&limit=100`)).body.data;
const found = async (id: string, livemode = false) => (await listed(livemode)).find((key) => key.id === id);
const reads = async (secret: string): Promise<number> => (await duka.api(secret).get('/v4/account')).status;
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

/** Requests that are sent while `statement` holds what they need, and go on once it is committed. */
async function behind(statement: string, values: unknown[], requests: () => Promise<Answer>[]): Promise<Answer[]> {
  const holder = new Client({ connectionString: duka.env.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement, values);
    const sent = requests();
    await until(async () => (await duka.waiting()) === sent.length);
    await holder.query('COMMIT');
    return await Promise.all(sent);
  } finally {
    await holder.end();
  }
}

const uuidOf = (key: { id: string }) => decodeId('key', key.id);

describe('a key that is rolled', () => {
  it('has the name, scopes, addresses and expiry of the old one, which ends at the earlier of both', async () => {
    const restricted = {
      name: 'Till 4',
      scopes: ['account:read'],
      allowed_ips: ['127.0.0.0/8'],
      expires_at: inSeconds(30 * 24 * HOUR),
    };
    const { key: old, secret } = await create(restricted);
    const before = Date.now();
    const { status, body } = await roll(old.id, WEEK);
    expect([status, body.key]).toEqual([201, expect.objectContaining({ ...restricted, livemode: false })]);
    const { expires_at: end, rolled_to: successor } = await found(old.id);
    expect(successor).toBe(body.key.id);
    expect(Date.parse(end)).toBeGreaterThanOrEqual(before + WEEK * 1_000);
    expect(Date.parse(end)).toBeLessThanOrEqual(Date.now() + WEEK * 1_000);
    expect([await reads(secret), await reads(body.secret)]).toEqual([200, 200]);
    expect((await duka.api(body.secret).get('/v4/wallets')).body.code).toBe('insufficient_scope');
  });

  it('in its last hour ends then, with seven days of overlap, too; so does the new one', async () => {
    const expiresAt = inSeconds(HOUR);
    const { key: old } = await create({ expires_at: expiresAt });
    const { body } = await roll(old.id, WEEK);
    expect([(await found(old.id)).expires_at, body.key.expires_at]).toEqual([expiresAt, expiresAt]);
  });

  it('without an expiry gives one without, whatever the overlap', async () => {
    const { key: old } = await create();
    expect((await roll(old.id, HOUR)).body.key.expires_at).toBeNull();
    expect((await found(old.id)).expires_at).not.toBeNull();
  });

  it('is not rolled again, which says to which one it was: that can be', async () => {
    const { key: old } = await create();
    const { key: second } = (await roll(old.id, HOUR)).body;
    const again = await roll(old.id, WEEK);
    expect([again.status, again.body.code]).toEqual([409, 'invalid_state_transition']);
    expect(again.body.detail).toContain(second.id);
    const { key: third } = (await roll(second.id, 0)).body;
    expect((await roll(second.id, 0)).body.detail).toContain(third.id);
    expect(third.expires_at).toBeNull();
  });

  it('is one of the same mode, and tied to the old one in the audit log', async () => {
    await ada.stepUp();
    const { key: old } = await create({ livemode: true });
    const { key: made, secret } = (await roll(old.id, HOUR)).body;
    expect([made.livemode, secret]).toEqual([true, expect.stringMatching(/^sk_live_/)]);
    const [entry] = (await ada.get('/audit-log?limit=1')).body.data;
    expect(entry).toMatchObject({
      action: 'key.rolled',
      target: old.id,
      detail: { new_key: made.id, new_last4: made.last4, ends_at: (await found(old.id, true)).expires_at },
    });
  });

  it.each(['revoked', 'expired'])('is none that is %s', async (state) => {
    const { key } = await create();
    if (state === 'revoked') await ada.post(`/keys/${key.id}/revoke`);
    else await duka.asOwner(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [uuidOf(key)]);
    const before = (await listed()).length;
    const { status, body } = await roll(key.id, HOUR);
    expect([status, body.code, body.detail]).toEqual([409, 'invalid_state_transition', expect.stringContaining(state)]);
    expect((await listed()).length).toBe(before);
  });

  it.each([-1, WEEK + 1, 1.5, '60', null, undefined])('does not overlap for %j seconds', async (seconds) => {
    const { key } = await create();
    const { status, body } = await ada.post(`/keys/${key.id}/roll`, { overlap_seconds: seconds });
    expect([status, body.param, (await found(key.id)).rolled_to]).toEqual([400, '/overlap_seconds', null]);
  });

  it('shows its secret once: a repetition under the same key has none, and none is kept', async () => {
    const { key } = await create();
    const send = () => ada.post(`/keys/${key.id}/roll`, { overlap_seconds: HOUR }, { 'idempotency-key': 'roll-1' });
    const { secret } = (await send()).body;
    expect((await send()).body).toMatchObject({ status: 409 });
    const tables = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
    for (const { relname } of await duka.asOwner(tables)) {
      const kept = await duka.asOwner(`SELECT 1 FROM ${relname as string} t WHERE strpos(t::text, $1) > 0`, [secret]);
      expect([relname, kept]).toEqual([relname, []]);
    }
  });
});

describe('of what happens at once', () => {
  it('two who roll a key in two processes get one new key', async () => {
    const { key } = await create();
    const phone = new Browser(twin, ada.email);
    phone.token = ada.token;
    const before = (await listed()).length;
    const answers = await behind('SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE', [uuidOf(key)], () => [
      roll(key.id, HOUR),
      roll(key.id, WEEK, phone),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect((await listed()).length).toBe(before + 1);
    const made = answers.find(({ status }) => status === 201)!.body;
    expect([(await found(key.id)).rolled_to, made.key.expires_at]).toEqual([made.key.id, null]);
  });

  it('a key that is revoked meanwhile leaves nothing behind that works', async () => {
    const { key } = await create();
    const before = (await listed()).length;
    const [answer] = await behind('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [uuidOf(key)], () => [
      roll(key.id, HOUR),
    ]);
    expect([answer!.status, answer!.body.detail]).toEqual([409, expect.stringContaining('revoked')]);
    expect((await listed()).length).toBe(before);
  });

  it.each(['made', 'rolled'])('a live key that is %s while live mode closes is none', async (how) => {
    const bob = await newOwner(duka);
    const account = (await bob.get('/me')).body.account.id;
    await duka.enableLive(account);
    await bob.stepUp();
    const wanted = { name: 'Till', livemode: true };
    const { key } = (await bob.post('/keys', wanted)).body;
    const close = `UPDATE accounts SET live_enabled = false WHERE id = (SELECT account_id FROM api_keys WHERE id = $1)`;
    const [answer] = await behind(close, [uuidOf(key)], () => [
      how === 'made' ? bob.post('/keys', wanted) : roll(key.id, HOUR, bob),
    ]);
    expect([answer!.status, answer!.body.code]).toEqual([403, 'live_mode_not_enabled']);
    expect((await bob.get('/keys?livemode=true')).body.data).toHaveLength(1);
  });
});

describe('who may', () => {
  it('is nobody without the right to make such a key', async () => {
    const support = await newMember(duka, ada, 'support');
    const { key } = await create();
    expect((await roll(key.id, 0, support)).body.code).toBe('insufficient_role');
    expect(await found(key.id)).toMatchObject({ rolled_to: null, expires_at: null });
  });

  it('is an operator at the command line, for live money with a reason', async () => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    await ada.stepUp();
    const { key } = await create({ livemode: true, expires_at: inSeconds(HOUR) });
    const order = ['key:roll', '--key', key.id, '--overlap', String(WEEK)];
    expect(await line.duka(...order)).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect(await line.duka(...order.slice(0, 4), String(WEEK + 1))).toMatchObject({ status: 2 });
    const by = await line.person('olu@example.com', true);
    const { status, json } = await line.duka(...order, ...by);
    expect([status, json]).toEqual([
      0,
      expect.objectContaining({
        secret: expect.stringMatching(/^sk_live_/),
        account_id: accountId,
        expires_at: key.expires_at,
        old: { id: key.id, expires_at: key.expires_at },
      }),
    ]);
    expect((await ada.get('/audit-log?limit=1')).body.data[0]).toMatchObject({
      action: 'key.rolled',
      actor: 'operator olu@example.com',
      target: key.id,
      detail: { new_key: json.id },
    });
    expect(await line.duka(...order, ...by)).toMatchObject({
      status: 1,
      json: { error: { code: 'invalid_state_transition' } },
    });
  });
});

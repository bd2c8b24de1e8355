import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { decodeId, newId, newIdOf } from '../src/core/http/ids';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { EndpointMails } from '../src/modules/dashboard-api/live/endpoint-mails.service';
import { topUps } from './support/batches';
import { Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const BANK = { code: '058', account_number: '0123456789' };

let duka: Duka;
beforeAll(async () => void (duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, WORKER_IN_API: true })));
afterAll(() => duka.stop());

const query = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
  duka.get<DataSource>(DataSource).query(sql, values);

const noticesOf = async (browser: Browser): Promise<any[]> => (await browser.get('/notices')).body.data;
const kindsOf = async (browser: Browser): Promise<string[]> =>
  (await noticesOf(browser)).map(({ kind }) => kind as string).sort();

const accountOf = async (browser: Browser): Promise<string> => (await browser.get('/me')).body.account.id;

async function newEndpoint(owner: Browser, path = '/hooks'): Promise<string> {
  const { body } = await owner.post('/test/v4/webhooks', { url: `http://127.0.0.1:9${path}`, events: ['*'] });
  return body.id;
}

/** As the deliveries record it. */
async function happened(owner: Browser, endpoint: string, what: 'failing' | 'disabled' | 'recovered'): Promise<void> {
  const [account, id] = [decodeId('acct', await accountOf(owner)), decodeId('whk', endpoint)];
  const state = {
    failing: `failing_since = now() - interval '3 days', warned_percent = 50`,
    disabled: `status = 'disabled', disabled_reason = 'failing', disabled_at = now()`,
    recovered: `status = 'enabled', disabled_reason = NULL, disabled_at = NULL, failing_since = NULL`,
  }[what];
  await query(`UPDATE webhook_endpoints SET ${state}, version = version + 1 WHERE account_id = $1 AND id = $2`, [
    account,
    id,
  ]);
  await query(
    `INSERT INTO events (account_id, livemode, id, type, object_type, object_id, snapshot)
     VALUES ($1, false, $2, $3, 'whk', $4, '{}')`,
    [account, newIdOf(account!), `webhook_endpoint.${what}`, id],
  );
}

describe('notices', () => {
  it('are none of a new account', async () => {
    expect((await (await newOwner(duka)).get('/notices')).body).toEqual({ data: [], unread: 0 });
  });

  it('tell of an endpoint what was last told of it, as long as it is so', async () => {
    const ada = await newOwner(duka);
    const endpoint = await newEndpoint(ada);
    for (const what of ['failing', 'disabled', 'recovered'] as const) {
      await happened(ada, endpoint, what);
      expect(await noticesOf(ada)).toMatchObject([
        { kind: `endpoint_${what}`, object: endpoint, name: 'http://127.0.0.1:9/hooks', unread: true },
      ]);
    }
    await happened(ada, endpoint, 'disabled');
    await ada.post(`/test/v4/webhooks/${endpoint}/enable`);
    expect(await kindsOf(ada)).toEqual([]);
  });

  it('tell of a wallet below its threshold until it is filled', async () => {
    const ada = await newOwner(duka);
    const { id } = (await ada.get('/test/v4/wallets')).body.data[0];
    await ada.call('PATCH', `/test/v4/wallets/${id}`, { low_balance_threshold: 1_000 });
    expect(await noticesOf(ada)).toMatchObject([{ kind: 'wallet_low', object: id, count: 1 }]);
    await ada.post(`/test/v4/sandbox/wallets/${id}/credit`, { amount: 5_000 });
    expect(await kindsOf(ada)).toEqual([]);
  });

  it('tell of keys that end soon or that nobody uses', async () => {
    const ada = await newOwner(duka);
    const expires_at = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
    for (const [name, until_] of [
      ['Till', expires_at],
      ['Old', null],
      ['Good', null],
    ] as const)
      await ada.post('/keys', { name, livemode: false, scopes: null, expires_at: until_, allowed_ips: null });
    await query(`UPDATE api_keys SET created_at = now() - interval '100 days' WHERE name = 'Old'`);
    const notices = await noticesOf(ada);
    expect(notices).toMatchObject(
      [
        { kind: 'key_unused', name: expect.stringMatching(/^Old …/) },
        { kind: 'key_expires', name: expect.stringMatching(/^Till …/) },
      ].toSorted(
        (a, b) => notices.findIndex(({ kind }) => kind === a.kind) - notices.findIndex(({ kind }) => kind === b.kind),
      ),
    );
    expect(notices).toHaveLength(2);
    expect(await kindsOf(await newMember(duka, ada, 'finance'))).toEqual([]);
  });

  it('tell of what waits for a person', async () => {
    const ada = await newOwner(duka);
    const account = decodeId('acct', await accountOf(ada));
    const { id: wallet } = (await ada.get('/test/v4/wallets')).body.data[0];
    await ada.post(`/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 500_000 });
    await query('UPDATE transactions SET needs_review = true WHERE account_id = $1', [account]);
    const [{ count }] = (await query<{ count: number }>(
      'SELECT count(*)::int AS count FROM transactions WHERE account_id = $1 AND NOT livemode AND needs_review',
      [account],
    )) as [{ count: number }];
    const expected = count > 0 ? [{ kind: 'transactions_in_review', object: null, count }] : [];
    expect(await noticesOf(ada)).toMatchObject(expected);
    expect(count).toBeGreaterThan(0);
  });

  it('tell of payouts that wait for the second person, who is not the first', async () => {
    const ada = await newOwner(duka);
    const bola = await newMember(duka, ada, 'admin');
    const { id: wallet } = (await ada.get('/test/v4/wallets')).body.data[0];
    await ada.post(`/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 500_000 });
    await duka.asOwner(
      `INSERT INTO payout_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
      [decodeId('acct', await accountOf(ada))],
    );
    const { body } = await ada.post('/test/v4/payouts', { wallet_id: wallet, amount: 200_000, bank: BANK });
    expect(await kindsOf(ada)).toEqual([]);
    expect(await noticesOf(bola)).toMatchObject([{ kind: 'payout_awaits_approval', object: body.id }]);
    expect(await kindsOf(await newMember(duka, ada, 'developer'))).toEqual([]);
    await bola.stepUp();
    expect((await bola.post(`/approvals/${body.id}/decide`, { decision: 'declined' })).status).toBe(200);
    expect(await kindsOf(bola)).toEqual([]);
  });

  it('tell of batches that ended', async () => {
    const ada = await newOwner(duka);
    const { id: wallet } = (await ada.get('/test/v4/wallets')).body.data[0];
    await ada.post(`/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 500_000 });
    const { status, body } = await ada.post(
      '/test/v4/batches',
      { kind: 'airtime', wallet_id: wallet, items: topUps('one', 1) },
      { 'idempotency-key': randomUUID() },
    );
    expect(status).toBeLessThan(300);
    await until(async () => (await kindsOf(ada)).includes('batch_ended'));
    expect(await noticesOf(ada)).toMatchObject([{ kind: 'batch_ended', object: body.id, name: 'completed' }]);
  });

  it('are read by a person, not by the team, and what is newer stays unread', async () => {
    const ada = await newOwner(duka);
    const bola = await newMember(duka, ada, 'support');
    const endpoint = await newEndpoint(ada);
    await happened(ada, endpoint, 'failing');
    const [{ at }] = await noticesOf(ada);
    expect((await ada.post('/notices/read', { until: at })).status).toBe(204);
    expect([(await ada.get('/notices')).body.unread, (await bola.get('/notices')).body.unread]).toEqual([0, 1]);
    await happened(ada, endpoint, 'disabled');
    expect((await ada.get('/notices')).body).toMatchObject({ unread: 1, data: [{ kind: 'endpoint_disabled' }] });
    // An older mark takes nothing back.
    await ada.post('/notices/read', { until: new Date().toISOString() });
    await ada.post('/notices/read', { until: '2020-01-01T00:00:00Z' });
    expect((await ada.get('/notices')).body.unread).toBe(0);
    expect((await ada.post('/notices/read', { until: 'soon' })).status).toBe(400);
  });

  it('are of the account and the mode alone', async () => {
    const [ada, bola] = [await newOwner(duka), await newOwner(duka)];
    await happened(ada, await newEndpoint(ada), 'disabled');
    expect(await kindsOf(bola)).toEqual([]);
    expect((await ada.get('/notices?livemode=true')).status).toBe(403);
    expect((await new Browser(duka).get('/notices')).status).toBe(401);
  });
});

describe('mail of an endpoint', () => {
  const mailsTo = async (email: string): Promise<any[]> =>
    (await new Browser(duka).get('/mailbox')).body.data.filter(({ to }: { to: string }) => to === email);
  const write = (): Promise<void> => duka.get<RecurringJobs>(RecurringJobs).run('endpoint_mails.write');

  it('goes to every owner and nobody else, once for each change, however many processes write it', async () => {
    const ada = await newOwner(duka);
    const [bola, chi] = [await newMember(duka, ada, 'owner'), await newMember(duka, ada, 'admin')];
    const endpoint = await newEndpoint(ada, '/secret-path');
    const before = (await mailsTo(ada.email)).length;
    const { length } = await mailsTo(bola.email);
    for (const what of ['failing', 'disabled', 'recovered'] as const) await happened(ada, endpoint, what);
    const mails = duka.get<EndpointMails>(EndpointMails);
    await until(async () => {
      await Promise.all([write(), mails.write(), mails.write()]);
      return (await mailsTo(ada.email)).length >= before + 3;
    });
    await write();
    const told = (await mailsTo(ada.email)).slice(0, -before || undefined);
    expect(told.map(({ subject }) => subject)).toEqual([
      'A webhook endpoint works again (test mode)',
      'A webhook endpoint was disabled (test mode)',
      'A webhook endpoint does not answer well (test mode)',
    ]);
    expect(told[0].text).toContain(`/dashboard/test/webhooks/${endpoint}`);
    expect(told[0].text).toContain('127.0.0.1:9');
    expect(told[0].text).not.toContain('secret-path');
    expect([
      (await mailsTo(bola.email)).length - length,
      (await mailsTo(chi.email)).filter(({ subject }) => /endpoint/.test(subject)),
    ]).toEqual([3, []]);
  });

  it('is of no account without an owner at the dashboard', async () => {
    const account = await duka.account();
    await query(
      `INSERT INTO events (account_id, livemode, id, type, object_type, object_id, snapshot)
       VALUES ($1, false, $2, 'webhook_endpoint.disabled', 'whk', $3, '{}')`,
      [decodeId('acct', account.id), newIdOf(decodeId('acct', account.id)!), newId()],
    );
    const [before] = await query<{ count: string }>('SELECT count(*) FROM mails');
    await write();
    expect(await query('SELECT count(*) FROM mails')).toEqual([before]);
  });
});

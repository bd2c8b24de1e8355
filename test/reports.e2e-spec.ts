import { createHash, randomUUID } from 'node:crypto';
import { decodeId } from '../src/core/http/ids';
import { DaysService } from '../src/modules/statements/days.service';
import { ReportFiles } from '../src/modules/statements/report-files';
import { StatementsService } from '../src/modules/statements/statements.service';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { setRate } from './support/rates';

const DAY_MS = 86_400_000;
const WEEK_SECONDS = 7 * 24 * 3_600;
const TODAY = new Date().toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
const TO_DATE = { from: TODAY, to: TODAY };

let duka: Duka;
let payer: Payer;
let dollars: string;

const api = () => payer.api;
const wallet = () => payer.wallet;

const settle = (id: string, status: string) => api().post(`/v4/sandbox/transactions/${id}/settle`, { status });

const buy = async (phone: string, amount: number): Promise<string> =>
  (await api().post('/v4/airtime/purchase', { phone, amount, network: 'mtn', wallet_id: wallet() })).body.id;

const payout = async (account: string): Promise<string> =>
  (
    await api().post('/v4/payouts', {
      wallet_id: wallet(),
      amount: 100_000,
      bank: { code: '058', account_number: account },
    })
  ).body.id;

/** Fees and commissions that were charged, and some that were given back in whole or in part. */
async function liveThrough(): Promise<void> {
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '1500' });
  dollars = await api().wallet(100_000, 'USD');
  await api().credit(wallet(), 3_000_000);
  const other = await api().wallet();
  await api().transfer(wallet(), other, 1_000, { narration: '=rent' });
  await buy('+2348031234567', 20_000);
  await buy('+2348000000114', 50_000);
  await settle(await buy('+2348031234568', 40_000), 'reversed');
  const { body: quote } = await api().post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 100 });
  await api().post('/v4/conversions', { quote_id: quote.id, from_wallet: dollars, to_wallet: wallet() });
  await payout('0123456789');
  await settle(await payout('0123456780'), 'reversed');
  const payment = await payer.asked();
  await payer.start(payment);
  const said = { gatewayReference: 'g', amount: 100_000n, currency: 'NGN' } as const;
  payer.answering(() => ({ outcome: 'successful', ...said }));
  await payer.call(payer.signed(payment.id));
  const reversals = [{ gatewayReference: 'r1', amount: 40_000n }];
  payer.answering(() => ({ outcome: 'reversed', code: 'refunded', message: 'Given back.', ...said, reversals }));
  await payer.call(payer.signed(payment.id, 'reversed'));
}

beforeAll(async () => {
  duka = await Duka.start();
  payer = await Payer.of(duka);
  await liveThrough();
});
afterAll(() => duka.stop());
afterEach(() => jest.restoreAllMocks());

const advance = (seconds: number) => api().post('/v4/sandbox/clock/advance', { seconds });
const get = async (id: string): Promise<any> => (await api().get(`/v4/reports/${id}`)).body;
const ask = (body: object, options?: object) => api().post('/v4/reports', { ...TO_DATE, ...body }, options);
const keyOf = (id: string) => ({
  accountId: decodeId('acct', payer.account.id)!,
  livemode: false,
  id: decodeId('rpt', id)!,
});
const piecesOf = (id: string): Promise<any[]> =>
  duka.asOwner('SELECT attempt, number FROM report_pieces WHERE report_id = $1', [decodeId('rpt', id)]);

async function linkOf(id: string): Promise<string> {
  const { status, body } = await api().post(`/v4/reports/${id}/link`);
  expect(status).toBe(201);
  return duka.url + new URL(body.url).pathname;
}

/** Makes a report, and gives it with its file. */
async function made(body: object): Promise<{ report: any; text: string; rows: any[] }> {
  const { status, body: asked } = await ask(body);
  expect([status, asked.status, asked.rows, asked.sha256]).toEqual([202, 'pending', null, null]);
  await duka.get<ReportFiles>(ReportFiles).look(keyOf(asked.id), new Date());
  const report = await get(asked.id);
  const response = await fetch(await linkOf(asked.id));
  const bytes = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(report).toMatchObject({ status: 'ready', bytes: bytes.length, sha256 });
  expect(response.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="${report.kind}-.*[.]${report.format}"$`),
  );
  const text = bytes.toString();
  const rows = report.format === 'json' ? JSON.parse(text) : [];
  if (report.format === 'json') expect(report.rows).toBe(rows.length);
  return { report, text, rows };
}

const jsonOf = async (kind: string, filters: object = {}): Promise<any[]> =>
  (await made({ kind, format: 'json', filters })).rows;

const sum = (rows: any[], name: string): number => rows.reduce((all, row) => all + row[name], 0);

const booked = async (name: string, currency = 'NGN'): Promise<number> => {
  const [row] = await duka.asOwner(
    'SELECT coalesce(sum(available), 0) AS sum FROM ledger_accounts WHERE name = $1 AND currency = $2',
    [name, currency],
  );
  return Number(row!.sum);
};

describe('a report', () => {
  it('of transactions has the lines of all statements', async () => {
    const rows = await jsonOf('transactions');
    const wallets = await api().all('/v4/wallets?limit=100');
    const lines = await Promise.all(
      wallets.map(async ({ id }) => (await api().get(`/v4/wallets/${id}/statement?from=${TODAY}&to=${TODAY}`)).body),
    );
    expect(rows.length).toBeGreaterThan(12);
    expect(rows.map((row) => [row.wallet_id, row.transaction_id, row.in, row.out, row.balance, row.time])).toEqual(
      lines.flatMap(({ wallet_id, data }) =>
        data.map((line: any) => [wallet_id, line.transaction_id, line.in, line.out, line.balance, line.at]),
      ),
    );
  });

  it('of fees and of commissions comes to what the books say, also of what was given back', async () => {
    const fees = await jsonOf('fees', { currency: 'NGN' });
    expect(sum(fees, 'fee')).toBe(await booked('fees'));
    expect(fees.filter(({ fee }) => fee < 0).length).toBeGreaterThan(0);
    const commissions = await jsonOf('commissions', { currency: 'NGN' });
    expect(sum(commissions, 'commission')).toBe(-(await booked('commissions')));
    expect(commissions.map(({ commission }) => Math.sign(commission))).toEqual(expect.arrayContaining([1, -1]));
  });

  it('of settlements has what was collected, and what of it went back, with its part of the fee', async () => {
    const rows = await jsonOf('settlements');
    expect(rows.map(({ type, gross, fee, net }) => [type, gross, fee, net])).toEqual(
      expect.arrayContaining([
        ['payment', 100_000, 1_500, 98_500],
        ['reversal', -40_000, -600, -39_400],
      ]),
    );
    const [payment, reversal] = ['payment', 'reversal'].map((type) => rows.find((row) => row.type === type));
    expect(reversal).toMatchObject({ reverses: payment.transaction_id, payment_id: payment.payment_id });
    expect(payment.payment_id).toMatch(/^pay_/);
  });

  it('of payouts has what went to banks, and what came back', async () => {
    const rows = await jsonOf('payouts');
    expect(rows.map(({ type, amount, fee, total }) => [type, amount, fee, total])).toEqual([
      ['payout', -100_000, 5_000, -105_000],
      ['payout', -100_000, 5_000, -105_000],
      ['reversal', 100_000, -5_000, 105_000],
    ]);
    expect(rows[2]).toMatchObject({ reverses: rows[1].transaction_id, bank: rows[1].bank });
    expect(rows[0].account_number_masked).not.toContain('0123456789');
  });

  it('has what was given back also where other hosts, of other clocks, posted to the platform before', async () => {
    const bought = await buy('+2348031234569', 30_000);
    const paid = await payout('0123456781');
    await duka.asOwner(
      `UPDATE ledger_accounts SET updated_at = now() + CASE name WHEN 'fees' THEN interval '2 hours' ELSE '5 seconds' END
        WHERE name IN ('fees', 'commissions') AND currency = 'NGN'`,
    );
    await settle(bought, 'reversed');
    await settle(paid, 'reversed');
    const [fees, commissions] = [
      await jsonOf('fees', { currency: 'NGN' }),
      await jsonOf('commissions', { currency: 'NGN' }),
    ];
    expect(fees.find(({ reverses }) => reverses === paid)).toMatchObject({ amount: 100_000, fee: -5_000 });
    expect(sum(fees, 'fee')).toBe(await booked('fees'));
    expect(commissions.find(({ reverses }) => reverses === bought)?.commission).toBeLessThan(0);
    expect(sum(commissions, 'commission')).toBe(-(await booked('commissions')));
  });

  it('is filtered by wallet, currency and type', async () => {
    const all = await jsonOf('transactions');
    const only = (isIn: (row: any) => boolean) => all.filter(isIn).map(({ transaction_id }) => transaction_id);
    for (const [filters, isIn] of [
      [{ wallet_id: dollars }, (row: any) => row.wallet_id === dollars],
      [{ currency: 'USD' }, (row: any) => row.currency === 'USD'],
      [{ currency: 'NGN', type: 'reversal' }, (row: any) => row.type === 'reversal'],
      [{ wallet_id: dollars, currency: 'NGN' }, () => false],
    ] as const) {
      const rows = await jsonOf('transactions', filters);
      expect(rows.map(({ transaction_id }) => transaction_id)).toEqual(only(isIn));
    }
  });

  it('as CSV has decimals, and no cell that a spreadsheet would compute', async () => {
    const { text, report } = await made({ kind: 'transactions', filters: { wallet_id: wallet() } });
    const [header, ...rows] = text.trim().split('\n');
    expect(header).toContain(
      'time,wallet_id,transaction_id,type,reverses,description,reference,counterparty,recipient',
    );
    expect(rows).toHaveLength(report.rows);
    expect(text).toContain(',30000.00,');
    expect(text).toContain('"Transfer sent, =rent"');
  });

  it('over closed days has the same bytes again, whatever happens later', async () => {
    await duka.get<DaysService>(DaysService).close(new Date(Date.now() + 2 * DAY_MS));
    const first = await made({ kind: 'transactions', format: 'json' });
    expect(first.report.closed).toBe(true);
    await api().credit(wallet(), 5_000);
    await api().transfer(wallet(), first.rows[0].wallet_id, 100);
    const second = await made({ kind: 'transactions', format: 'json' });
    expect(second.report).toMatchObject({ closed: true, sha256: first.report.sha256, rows: first.report.rows });
    const open = new Date(Date.now() + 3 * DAY_MS).toISOString();
    const third = await made({ kind: 'transactions', to: open, format: 'json' });
    expect([third.report.closed, third.rows.length]).toEqual([false, first.rows.length + 3]);
  });
});

describe('whoever asks', () => {
  it('is answered alike for one key, and told by an event when it is there', async () => {
    const [first, again] = [
      await ask({ kind: 'fees' }, { key: 'fees-1' }),
      await ask({ kind: 'fees' }, { key: 'fees-1' }),
    ];
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    await advance(60);
    const report = await get(first.body.id);
    expect(report.status).toBe('ready');
    const { body: events } = await api().get('/v4/events?type=report.ready&limit=1');
    expect(events.data[0].data.object).toMatchObject({ id: first.body.id, sha256: report.sha256, rows: report.rows });
  });

  it.each([
    [{ kind: 'taxes' }, 400, 'validation_failed', '/kind'],
    [{ kind: 'fees', to: undefined }, 400, 'validation_failed', '/to'],
    [{ kind: 'fees', from: 'yesterday' }, 400, 'validation_failed', '/from'],
    [{ kind: 'fees', from: '2026-02-01', to: '2026-01-31' }, 400, 'validation_failed', '/to'],
    [
      { kind: 'fees', filters: { wallet_id: 'wal_01kabcdefghjkmnpqrstvwxyz0' } },
      404,
      'not_found',
      '/filters/wallet_id',
    ],
    [{ kind: 'fees', filters: { colour: 'red' } }, 400, 'unknown_field', '/filters/colour'],
  ])('for %j is refused', async (body, status, code, param) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.code, answer.body.param]).toEqual([status, code, param]);
  });

  it('may have twenty made at a time', async () => {
    const shop = await duka.account();
    const one = () => shop.api.post('/v4/reports', { kind: 'fees', ...TO_DATE });
    const answers = await Promise.all(Array.from({ length: 22 }, one));
    expect(Object.groupBy(answers, ({ status }) => `${status}`)).toMatchObject({
      202: { length: 20 },
      402: { length: 2 },
    });
  });

  it('gets no link before there is a file', async () => {
    const { body } = await ask({ kind: 'fees' });
    const { status, body: refused } = await api().post(`/v4/reports/${body.id}/link`);
    expect([status, refused.code]).toEqual([409, 'invalid_state_transition']);
  });
});

describe('a link', () => {
  const codeAt = async (url: string) => {
    const response = await fetch(url);
    return [response.status, response.ok ? null : ((await response.json()) as any).code];
  };

  it('is good for a quarter of an hour, and nobody makes one up', async () => {
    const { report } = await made({ kind: 'fees' });
    const link = await linkOf(report.id);
    const [, content, seal] = /\/([^/.]+)\.([^/.]+)$/.exec(link)!;
    const [account, mode, id] = JSON.parse(Buffer.from(content!, 'base64url').toString());
    const later = Buffer.from(JSON.stringify([account, mode, id, Date.now() + DAY_MS])).toString('base64url');
    for (const forged of [`${later}.${seal}`, content!, 'nonsense', `${content}.${seal}x`])
      expect(await codeAt(`${duka.url}/reports/download/${forged}`)).toEqual([410, 'report_link_gone']);
    await advance(14 * 60);
    expect((await fetch(link)).status).toBe(200);
    await advance(61);
    expect(await codeAt(link)).toEqual([410, 'report_link_gone']);
  });

  it('leads nowhere once the file was removed, a week later', async () => {
    const { report } = await made({ kind: 'fees' });
    await advance(WEEK_SECONDS - 60);
    const link = await linkOf(report.id);
    expect((await fetch(link)).status).toBe(200);
    expect(await piecesOf(report.id)).toHaveLength(1);
    await advance(61);
    expect(await codeAt(link)).toEqual([410, 'report_link_gone']);
    expect(await get(report.id)).toMatchObject({ status: 'expired', sha256: report.sha256 });
    expect(await piecesOf(report.id)).toEqual([]);
  });
});

describe('whoever makes one', () => {
  it('is overtaken by who begins later, and leaves nothing behind', async () => {
    const { body } = await ask({ kind: 'transactions', format: 'json' });
    const run = duka.get<ReportFiles>(ReportFiles);
    const statements = duka.get<StatementsService>(StatementsService);
    const slow = jest.spyOn(statements, 'of');
    slow.mockImplementationOnce(async (...args) => {
      slow.mockRestore();
      await run.look(keyOf(body.id), new Date());
      return statements.of(...args);
    });
    await run.look(keyOf(body.id), new Date());
    expect((await get(body.id)).status).toBe('ready');
    expect(await piecesOf(body.id)).toEqual([{ attempt: 2, number: 0 }]);
    expect((await (await fetch(await linkOf(body.id))).json()) as any[]).toHaveLength((await get(body.id)).rows);
  });

  it('gives up after five attempts, and says so', async () => {
    const { body } = await ask({ kind: 'fees' });
    jest.spyOn(duka.get<StatementsService>(StatementsService), 'of').mockRejectedValue(new Error('the disk is full'));
    const run = duka.get<ReportFiles>(ReportFiles);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(run.look(keyOf(body.id), new Date())).rejects.toThrow('the disk is full');
      expect((await get(body.id)).status).toBe('pending');
    }
    await run.look(keyOf(body.id), new Date());
    expect(await get(body.id)).toMatchObject({ status: 'failed', rows: null, expires_at: null });
    const { body: events } = await api().get('/v4/events?type=report.failed');
    expect(events.data).toHaveLength(1);
  });
});

it('a large file is kept in pieces, and read as one', async () => {
  const [from, to] = [wallet(), await api().wallet()];
  const items = Array.from({ length: 500 }, (_, i) => ({
    from_wallet: from,
    to_wallet: to,
    amount: 1 + i,
    reference: randomUUID(),
  }));
  const { status, body } = await api().post('/v4/batches', { kind: 'transfer', on_error: 'all_or_nothing', items });
  expect([status, body.counts.successful]).toEqual([201, 500]);
  duka.get<ReportFiles>(ReportFiles).pieceBytes = 1;
  // The clock of the account is far ahead.
  const { report, rows } = await made({
    kind: 'transactions',
    to: '2099-12-31',
    format: 'json',
    filters: { wallet_id: to },
  });
  expect(rows.map(({ transaction_id: id }) => id)).toHaveLength(500);
  expect(sum(rows, 'in')).toBe((500 * 501) / 2);
  expect((await piecesOf(report.id)).length).toBeGreaterThan(1);
});

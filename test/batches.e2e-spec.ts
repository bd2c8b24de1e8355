import { randomUUID } from 'node:crypto';
import type { Api } from './support/api';
import { carriedOut, ended, itemsOf, timesOf, topUps } from './support/batches';
import { sendBytes } from './support/raw-http';
import { Duka } from './support/duka';

let duka: Duka;
let api: Api;
let wallet: string;

beforeAll(async () => (duka = await Duka.start({ WORKER_IN_API: true })));
afterAll(() => duka.stop());

beforeEach(async () => {
  ({ api } = await duka.account());
  wallet = (await api.get('/v4/wallets')).body.data[0].id;
  await api.credit(wallet, 100_000_000);
});

const BANK = { code: '058', account_number: '0123456789' };

describe('a batch', () => {
  it('carries each row out as its own route would', async () => {
    const batch = await carriedOut(api, { kind: 'airtime', items: topUps('top', 30), reference: 'run-1' });
    expect(batch).toMatchObject({
      object: 'batch',
      kind: 'airtime',
      status: 'completed',
      reference: 'run-1',
      currency: 'NGN',
      counts: { pending: 0, valid: 0, invalid: 0, processing: 0, successful: 30, failed: 0, cancelled: 0 },
      shortfalls: [],
      failure: null,
    });
    const made = await api.all('/v4/transactions?type=airtime_purchase&limit=100');
    expect(await timesOf(api, 'airtime_purchase')).toEqual(
      Object.fromEntries(topUps('top', 30).map(({ reference }) => [reference, 1])),
    );
    const totals = { amount: 0, fee: 0, total: 0 };
    for (const { amount, fee, total } of made) {
      totals.amount += amount;
      totals.fee += fee;
      totals.total += total;
    }
    expect(batch.totals).toEqual(totals);
    expect((await api.balance(wallet)).available).toBe(100_000_000 - totals.total);
    const items = await itemsOf(api, batch.id);
    expect(items.map(({ number, reference, resource_id }) => [number, reference, resource_id])).toEqual(
      topUps('top', 30).map(({ reference }, i) => [i, reference, made.find((one) => one.reference === reference).id]),
    );
    expect(items[3].input).toEqual(topUps('top', 30)[3]);
  });

  it('is of transfers, data, bills or payouts, too', async () => {
    const to = await api.wallet();
    const meter = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };
    const { body: known } = await api.post('/v4/bills/validate', { ...meter, service_type: 'prepaid' });
    const all = {
      transfer: { from_wallet: wallet, to_wallet: to, amount: 500 },
      data: { phone: '+2348031234567', plan_code: 'mtn-sme-1gb-1m' },
      bill: { ...meter, amount: 500_000, validation_id: known.id },
      payout: { amount: 10_000, bank: BANK },
    };
    for (const [kind, row] of Object.entries(all)) {
      const batch = await carriedOut(api, { kind, items: [{ ...row, reference: `one-${kind}` }] });
      const [item] = await itemsOf(api, batch.id);
      expect([kind, batch.status, item.status]).toEqual([kind, 'completed', 'successful']);
      const path = kind === 'transfer' ? '/v4/wallets/transfers' : '/v4/transactions';
      expect((await api.get(`${path}/${item.resource_id}`)).body.reference).toBe(`one-${kind}`);
    }
    expect((await api.balance(to)).available).toBe(500);
  });

  it('pays with its wallet where a row names none', async () => {
    const other = await api.wallet(1_000_000);
    const rows = topUps('own', 2);
    await carriedOut(api, { kind: 'airtime', wallet_id: other, items: [rows[0], { ...rows[1], wallet_id: wallet }] });
    const to = await api.wallet();
    await carriedOut(api, {
      kind: 'transfer',
      wallet_id: other,
      items: [{ to_wallet: to, amount: 7, reference: 'own-t' }],
    });
    const paid = await api.all('/v4/transactions?direction=debit&limit=100');
    expect(Object.fromEntries(paid.map((one) => [one.reference, one.wallet_id]))).toEqual({
      'own-0': other,
      'own-1': wallet,
      'own-t': other,
    });
  });

  it('comes to no more than an amount may be: the rows beyond that are not valid', async () => {
    const to = await api.wallet();
    const most = Number.MAX_SAFE_INTEGER;
    const row = (amount: number, i: number) => ({ from_wallet: wallet, to_wallet: to, amount, reference: `most-${i}` });
    const items = [most, most, 1].map(row);
    const batch = await carriedOut(api, { kind: 'transfer', dry_run: true, items });
    expect(batch).toMatchObject({
      status: 'completed',
      counts: { valid: 1, invalid: 2 },
      totals: { total: most },
      shortfalls: [{ needed: most }],
    });
    expect((await itemsOf(api, batch.id)).map(({ failure }) => failure?.code)).toEqual([
      undefined,
      'amount_out_of_range',
      'amount_out_of_range',
    ]);
    expect((await api.get('/v4/batches')).status).toBe(200);
    const { status, body } = await api.post('/v4/batches', { kind: 'transfer', on_error: 'all_or_nothing', items });
    expect([status, body.code]).toEqual([400, 'amount_out_of_range']);
  });

  it('is placed once for a key or a reference, and once without either', async () => {
    const body = { kind: 'airtime', items: topUps('once', 2) };
    const [first, again] = [
      await api.post('/v4/batches', body, { key: 'batch-1' }),
      await api.post('/v4/batches', body, { key: 'batch-1' }),
    ];
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    const other = await api.post('/v4/batches', { ...body, skip_invalid: true }, { key: 'batch-1' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    await ended(api, first.body.id);
    // The same rows once more: their references were used.
    const twin = await carriedOut(api, body);
    expect(twin).toMatchObject({ status: 'invalid', counts: { invalid: 2 }, failure: { code: 'duplicate_reference' } });
    expect(await timesOf(api, 'airtime_purchase')).toEqual({ 'once-0': 1, 'once-1': 1 });
    const keyless = { kind: 'airtime', items: topUps('keyless', 1) };
    expect((await api.post('/v4/batches', keyless)).status).toBe(202);
    expect((await api.post('/v4/batches', keyless)).body.code).toBe('likely_duplicate');
  });

  it('needs the scope of its kind', async () => {
    const { id } = await duka.account();
    const limited = duka.api(await duka.key({ accountId: id, scopes: ['batches:write', 'purchases:write'] }));
    const items = [{ amount: 1, bank: BANK, reference: 'p' }];
    expect((await limited.post('/v4/batches', { kind: 'payout', items })).body.code).toBe('insufficient_scope');
    expect((await limited.post('/v4/batches', { kind: 'airtime', items: topUps('s', 1) })).status).toBe(202);
  });

  it('tells of each state, and of progress at most once a second', async () => {
    const { id } = await carriedOut(api, { kind: 'airtime', items: topUps('told', 200) });
    const events = (await api.all('/v4/events?limit=100')).filter(({ data }) => data.object.id === id).reverse();
    const states = events.filter(({ type }) => type !== 'batch.progressed');
    expect(states.map(({ type, data }) => [type, data.object.status, data.object.previous_status])).toEqual([
      ['batch.validating', 'validating', null],
      ['batch.running', 'running', 'validating'],
      ['batch.completed', 'completed', 'running'],
    ]);
    expect(states.at(-1)!.data.object.counts.successful).toBe(200);
    const times = events.map(({ created_at }) => Date.parse(created_at));
    for (const [i, event] of events.entries())
      if (event.type === 'batch.progressed') expect(times[i]! - times[i - 1]!).toBeGreaterThanOrEqual(900);
    const versions = events.map(({ data }) => data.object.version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe('validation', () => {
  it('names every bad row, and starts none', async () => {
    const rows = topUps('bad', 8);
    const items = [
      rows[0],
      { ...rows[1], amount: 1.5 },
      { ...rows[2], phone: 'nobody' },
      { ...rows[3], colour: 'red' },
      { ...rows[4], amount: 1 },
      { ...rows[5], reference: undefined },
      { ...rows[6], reference: 'bad-0' },
      { ...rows[7], dry_run: true },
    ];
    const batch = await carriedOut(api, { kind: 'airtime', items });
    expect(batch).toMatchObject({
      status: 'invalid',
      counts: { valid: 1, invalid: 7 },
      failure: { code: 'amount_not_integer', param: '/items/1/amount' },
    });
    const bad = await itemsOf(api, batch.id, '&status=invalid');
    expect(bad.map(({ number, failure }) => [number, failure.code, failure.param])).toEqual([
      [1, 'amount_not_integer', '/items/1/amount'],
      [2, 'invalid_phone_number', '/items/2/phone'],
      [3, 'unknown_field', '/items/3/colour'],
      [4, 'amount_out_of_range', '/items/4/amount'],
      [5, 'validation_failed', '/items/5/reference'],
      [6, 'duplicate_reference', '/items/6/reference'],
      [7, 'validation_failed', '/items/7/dry_run'],
    ]);
    expect(await timesOf(api, 'airtime_purchase')).toEqual({});
  });

  it('leaves bad rows out where that is asked for', async () => {
    const rows = topUps('skip', 3);
    const items = [rows[0], { ...rows[1], amount: 0 }, rows[2]];
    const batch = await carriedOut(api, { kind: 'airtime', skip_invalid: true, items });
    expect(batch).toMatchObject({ status: 'completed', counts: { invalid: 1, successful: 2 } });
    expect(await timesOf(api, 'airtime_purchase')).toEqual({ 'skip-0': 1, 'skip-2': 1 });
  });

  it('takes rows of one currency', async () => {
    const [dollars, more, to] = [await api.wallet(1_000, 'USD'), await api.wallet(0, 'USD'), await api.wallet()];
    const items = [
      { from_wallet: wallet, to_wallet: to, amount: 1, reference: 'c-0' },
      { from_wallet: dollars, to_wallet: more, amount: 1, reference: 'c-1' },
    ];
    const batch = await carriedOut(api, { kind: 'transfer', items });
    expect(batch).toMatchObject({ status: 'invalid', failure: { code: 'currency_mismatch', param: '/items/1' } });
  });

  it.each([
    [{ kind: 'airtime' }, 400, 'validation_failed', '/items'],
    [{ kind: 'airtime', items: [] }, 400, 'validation_failed', '/items'],
    [{ kind: 'airtime', items: ['x'] }, 400, 'validation_failed', '/items'],
    [{ kind: 'card', items: [{}] }, 400, 'validation_failed', '/kind'],
    [{ kind: 'airtime', items: [{}], csv: 'a\n1' }, 400, 'validation_failed', '/items'],
    [{ kind: 'airtime', items: [{}], on_error: 'all_or_nothing' }, 400, 'validation_failed', '/on_error'],
    [{ kind: 'airtime', items: [{}], wallet_id: 'wal_x' }, 404, 'not_found', '/wallet_id'],
    [{ kind: 'airtime', csv: 'a,a\n1,2' }, 400, 'invalid_csv', '/csv'],
    [{ kind: 'airtime', csv: 'a,b\n1' }, 400, 'invalid_csv', '/csv'],
    [{ kind: 'airtime', csv: '__proto__\n1' }, 400, 'invalid_csv', '/csv'],
    [{ kind: 'airtime', csv: 'phone' }, 400, 'validation_failed', '/csv'],
  ])('of %j answers %i %s at %s', async (body, status, code, param) => {
    const answer = await api.post('/v4/batches', body, { key: randomUUID() });
    expect([answer.status, answer.body.code, answer.body.param]).toEqual([status, code, param]);
  });

  it('takes 10,000 rows of a large body, and no other route takes one', async () => {
    const rows = topUps('many', 10_001, { metadata: { note: 'n'.repeat(300) } });
    const over = await api.post('/v4/batches', { kind: 'airtime', items: rows }, { key: randomUUID() });
    expect([over.status, over.body.code, over.body.param]).toEqual([422, 'too_many_rows', '/items']);
    const start_at = '2090-01-01';
    const items = rows.slice(0, 10_000);
    const { status, body } = await api.post('/v4/batches', { kind: 'airtime', items, start_at }, { key: randomUUID() });
    expect([status, body.counts.pending]).toEqual([202, 10_000]);
    await api.post(`/v4/batches/${body.id}/cancel`);
    const large = { phone: '+2348031234567', amount: 1, metadata: { note: 'n'.repeat(70_000) } };
    expect((await api.post('/v4/airtime/purchase', large)).status).toBe(413);
  });
});

it.each([
  ['/v4/batches', '', 'missing_api_key'],
  ['/v4/batches', `Authorization: Bearer sk_test_${'0'.repeat(32)}\r\n`, 'invalid_api_key'],
  ['/dashboard/api/test/v4/batches', '', 'not_signed_in'],
])('%s with a large body of nobody (%j) is answered before the body is there', async (path, key, code) => {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n`;
  const answer = await sendBytes(Number(new URL(duka.url).port), `${head}${key}\r\n{"kind":`);
  expect(answer).toMatch(/^HTTP\/1\.1 401 .*^connection: close\r$/ims);
  expect(answer).toContain(`"code":"${code}"`);
});

describe('a dry run', () => {
  it('prices all rows, says what would lack, and does nothing', async () => {
    const { api: poor } = await duka.account();
    const own = (await poor.get('/v4/wallets')).body.data[0].id;
    await poor.credit(own, 15_000);
    const batch = await carriedOut(poor, { kind: 'airtime', dry_run: true, items: topUps('dry', 3) });
    expect(batch).toMatchObject({
      status: 'completed',
      dry_run: true,
      counts: { valid: 3 },
      totals: { amount: 30_000 },
    });
    const { needed } = batch.shortfalls[0];
    expect(needed).toBe(batch.totals.total);
    expect(batch.shortfalls).toEqual([
      { wallet_id: own, currency: 'NGN', available: 15_000, needed, lacking: needed - 15_000 },
    ]);
    expect(await timesOf(poor, 'airtime_purchase')).toEqual({});
    expect((await poor.get('/v4/references/dry-0')).body.status).toBe('not_seen');
    const single = await poor.post('/v4/airtime/purchase', { ...topUps('dry', 1)[0], dry_run: true });
    const [{ amount, fee, total }] = await itemsOf(poor, batch.id);
    expect([amount, fee, total]).toEqual([single.body.amount, single.body.fee, single.body.total]);
  });
});

describe('CSV', () => {
  const post = (text: string, query: string) =>
    api.post(`/v4/batches?${query}`, text, { headers: { 'content-type': 'text/csv' }, key: randomUUID() });

  it('comes in as text/csv, and goes out with the outcome beside it', async () => {
    const csv = [
      'reference,phone,network,amount,metadata.branch',
      'csv-0,08031234567,mtn,10000,"Yaba, Lagos"',
      'csv-1,+2348031234568,mtn,oops,',
      "csv-2,'+2348031234569,mtn,20000,",
    ].join('\r\n');
    const { status, body } = await post(csv, 'kind=airtime&skip_invalid=true');
    expect(status).toBe(202);
    const batch = await ended(api, body.id);
    expect(batch).toMatchObject({ skip_invalid: true, counts: { successful: 2, invalid: 1 } });
    const made = await api.all('/v4/transactions?type=airtime_purchase&limit=100');
    expect(made.find(({ reference }) => reference === 'csv-0').metadata).toEqual({ branch: 'Yaba, Lagos' });
    const answer = await api.get(`/v4/batches/${batch.id}/items?format=csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, first, second, third] = (answer.body as string).trim().split('\n');
    expect(header).toBe(
      'reference,phone,network,amount,metadata.branch,batch_status,batch_resource_id,batch_amount,batch_fee,' +
        'batch_total,batch_currency,batch_failure_code,batch_failure_param,batch_failure_detail',
    );
    expect(first).toMatch(/^csv-0,08031234567,mtn,10000,"Yaba, Lagos",successful,txn_\w+,10000,0,\d+,NGN,,,$/);
    expect(second).toMatch(/^csv-1,'\+2348031234568,mtn,oops,,invalid,,,,,,amount_not_integer,\/items\/1\/amount,/);
    expect(third).toMatch(/^csv-2,'\+2348031234569,mtn,20000,,successful,/);
    const bad = (await api.get(`/v4/batches/${batch.id}/items?format=csv&status=invalid`)).body as string;
    expect(bad.trim().split('\n')).toHaveLength(2);
  });

  it('goes by its query string, too: another one is another request, and JSON has none', async () => {
    const csv = 'reference,phone,amount,network\nq-0,+2348031234567,10000,mtn\n';
    const send = (query: string) =>
      api.post(`/v4/batches?${query}`, csv, { headers: { 'content-type': 'text/csv' }, key: 'csv-key' });
    expect((await send('kind=airtime&dry_run=true')).status).toBe(202);
    expect((await send('kind=airtime&dry_run=false')).body.code).toBe('idempotency_key_reused');
    const json = await api.post('/v4/batches?dry_run=true', { kind: 'airtime', items: topUps('q', 1) });
    expect([json.status, json.body.code, json.body.param]).toEqual([400, 'unknown_field', '/dry_run']);
    const elsewhere = await api.post('/v4/wallets', csv, { headers: { 'content-type': 'text/csv' } });
    expect(elsewhere.status).toBe(415);
  });

  it('may say that a row converts, which it does at the rate of its moment', async () => {
    const dollars = await api.wallet(10_000, 'USD');
    const csv = 'reference,phone,amount,network,convert\nfx-0,+2348031234567,500000,mtn,true\n';
    const batch = await ended(api, (await post(csv, `kind=airtime&wallet_id=${dollars}`)).body.id);
    expect(batch).toMatchObject({ counts: { successful: 1 }, totals: { amount: 317 }, currency: 'USD' });
    const [{ details }] = (await api.get('/v4/transactions?reference=fx-0')).body.data;
    expect(details.conversion).toMatchObject({ currency: 'NGN', amount: 500_000 });
  });

  it('of payouts names fields of an object by a dot', async () => {
    const csv = 'reference,amount,bank.code,bank.account_number\np-0,10000,058,0123456789\n';
    const batch = await ended(api, (await post(csv, 'kind=payout')).body.id);
    expect(batch.counts).toMatchObject({ successful: 1 });
  });
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Company as Vtpass } from './pretended/vtpass/company';
import { answerOf, command, CommandLine } from './support/command-line';

/** Against a VTpass that is pretended, with the commands of docs/going-live.md. */
describe('whoever goes live', () => {
  let line: CommandLine;
  let vtpass: Vtpass;
  let ada: string[];
  let account: string;

  beforeAll(async () => {
    line = await CommandLine.start();
    vtpass = await new Vtpass().listen();
    ada = await line.person('ada@example.com', true);
    account = (await line.duka('account:create', '--name', 'Corner Shop')).json.id;
  });
  afterAll(async () => {
    await line.drop();
    await vtpass.stop();
  });

  const duka = async (words: string[], more: Record<string, string> = {}) =>
    answerOf(
      await command([...words, '--json'], {
        DATABASE_URL: line.url,
        METRICS_TOKEN: 'a-token-of-metrics',
        ...vtpass.settings,
        ...more,
      }),
    );
  const items = async (...args: Parameters<typeof duka>) => {
    const { status, json } = await duka(...args);
    return { status, missing: json.items.filter(({ ready }: { ready: boolean }) => !ready) };
  };
  const enable = ['account:enable-live', '--account'];

  it('is told what is missing, all at once, and kept from it', async () => {
    const without = answerOf(await command(['live:check', '--json'], { DATABASE_URL: line.url }));
    expect(without.status).toBe(1);
    expect(without.json.items.map(({ item, ready }: { item: string; ready: boolean }) => [item, ready])).toEqual([
      ['providers', false],
      ['metrics', false],
    ]);
    const { status, missing } = await items(['live:check']);
    expect(status).toBe(1);
    expect(missing.map(({ item, about }: { item: string; about: string }) => [item, about])).toEqual(
      expect.arrayContaining([
        ['routes', 'airtime/vtpass'],
        ['routes', 'data/vtpass'],
        ['routes', 'bills/vtpass'],
      ]),
    );
    const refused = await duka([...enable, account, ...ada]);
    expect(refused).toMatchObject({ status: 1, json: { error: { code: 'not_ready_for_live' } } });
    expect(refused.json.error.detail).toContain('airtime/vtpass has no route');
  });

  it('hears of a wrong key in words, and not the key', async () => {
    const wrong = await duka(['provider:check', '--name', 'vtpass'], { VTPASS_API_KEY: 'wrong-key-of-ours' });
    expect(wrong).toMatchObject({ status: 1, json: { provider: 'vtpass', ok: false } });
    expect(wrong.json.says).not.toContain('wrong-key-of-ours');
    expect(await duka(['provider:check', '--name', 'vtpass'])).toMatchObject({ status: 0, json: { ok: true } });
    expect(await duka(['provider:check', '--name', 'nobody'])).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found' } },
    });
    const without = answerOf(
      await command(['provider:check', '--name', 'vtpass', '--json'], { DATABASE_URL: line.url }),
    );
    expect(without).toMatchObject({ status: 1, json: { ok: false, says: expect.stringContaining('VTPASS_API_KEY') } });
  });

  it('sees every provider, with what it lacks', async () => {
    const { json } = await duka(['provider:list']);
    const of = (name: string) => json.providers.filter((one: { name: string }) => one.name === name);
    expect(of('vtpass').map(({ product, registered }: any) => [product, registered])).toEqual([
      ['airtime', true],
      ['bills', true],
      ['data', true],
    ]);
    expect(of('monnify').every(({ registered }: any) => !registered)).toBe(true);
    expect(JSON.stringify(json)).not.toContain(vtpass.settings.VTPASS_SECRET_KEY);
  });

  it('goes live once all of it is there', async () => {
    await line.query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position)
       SELECT unnest(ARRAY['airtime', 'data', 'bills']), '*', true, 'vtpass', 1`,
    );
    const topUp = [
      'provider:top-up',
      '--name',
      'vtpass',
      '--currency',
      'NGN',
      '--amount',
      '5000000',
      '--reference',
      'f-1',
    ];
    expect(await duka(topUp)).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect(await duka([...topUp, ...ada])).toMatchObject({ status: 0, json: { replayed: false, in_books: '5000000' } });
    expect(await duka([...topUp, ...ada])).toMatchObject({ status: 0, json: { replayed: true, in_books: '5000000' } });
    await duka(['provider:floor', '--name', 'vtpass', '--currency', 'NGN', '--floor', '1000']);
    expect(await items(['live:check'])).toEqual({ status: 0, missing: [] });
    expect(await duka([...enable, account, ...ada])).toMatchObject({ status: 0, json: { live_enabled: true } });
  });

  it('compares a statement, and explains what does not agree', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'statement-')), 'statement.csv');
    const period = ['--currency', 'NGN', '--from', '2026-01-01', '--to', '2100-01-01'];
    const reconcile = ['provider:reconcile', '--name', 'vtpass', '--file', file, ...period];
    writeFileSync(file, 'reference,amount\nf-1,-50000.00\nunknown-1,12.34\n');
    const { status, json } = await duka(reconcile);
    expect([status, json.agreed]).toEqual([1, 1]);
    expect(json.differences).toMatchObject([{ kind: 'not_in_books', reference: 'unknown-1', theirs: '1234' }]);
    const [{ id }] = (await duka(['provider:differences'])).json.differences;
    expect(await duka(['provider:explain', '--difference', id, ...ada])).toMatchObject({ status: 0 });
    expect((await duka(['provider:differences'])).json.differences).toEqual([]);
    writeFileSync(file, 'reference,amount\nf-1,-50.000,00\n');
    expect((await duka(reconcile)).status).not.toBe(0);
  });

  it('takes over what a provider lists, and no price that moves too far', async () => {
    const sync = ['catalogue:sync', '--name', 'vtpass'];
    const seen = await duka([...sync, '--dry-run']);
    expect(seen).toMatchObject({ status: 0, json: { dry_run: true, changed: 0 } });
    expect(seen.json.added).toBeGreaterThan(0);
    const plans = () =>
      line.query(`SELECT plan_code, price FROM data_plans WHERE plan_code LIKE 'mtn-data.%' ORDER BY 1`);
    expect(await plans()).toEqual([]);
    expect(await duka(sync)).toMatchObject({ status: 0, json: { added: seen.json.added } });
    const [first] = await plans();
    expect(await duka(sync)).toMatchObject({ json: { added: 0, changed: 0, unchanged: seen.json.added } });
    // Since then the price has doubled here: theirs is half of it.
    await line.query('UPDATE data_plans SET price = 2 * price WHERE plan_code = $1', [first.plan_code]);
    const refused = await duka([...sync, '--max-move', '4000']);
    expect(refused).toMatchObject({ status: 1, json: { error: { code: 'price_moves_too_far' } } });
    expect(refused.json.error.detail).toContain(first.plan_code);
    expect((await plans())[0].price).not.toBe(first.price);
    expect(await duka([...sync, '--max-move', '6000'])).toMatchObject({ status: 0, json: { changed: 1 } });
    expect((await plans())[0]).toEqual(first);
    expect(await duka(['catalogue:sync', '--name', 'nobody'])).toMatchObject({
      json: { error: { code: 'not_found' } },
    });
  });

  it('reads what was said', async () => {
    const { json } = await duka(['provider:journal', '--company', 'vtpass', '--last', '50']);
    expect(json.exchanges.length).toBeGreaterThan(2);
    expect(JSON.stringify(json)).not.toContain(vtpass.settings.VTPASS_API_KEY);
    expect(JSON.stringify(json)).not.toContain('wrong-key-of-ours');
  });
});

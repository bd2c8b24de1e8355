import { decodeId } from '../src/core/http/ids';
import { Retired } from '../src/core/http/route-markers';
import { describeApi } from '../src/core/openapi/document';
import { RequestLog } from '../src/core/request-log/request-log';
import { RetiredCalls } from '../src/core/request-log/retired-calls';
import { TransfersController } from '../src/modules/wallets/transfers.controller';
import { Duka, type TestAccount } from './support/duka';

const SINCE = '2026-11-01';
const SUNSET = '2027-05-01';
const LINK = '/docs/errors';

/** As a line above the method would do. */
function retire(method: 'get' | 'transfer', field?: string): void {
  const handler = Object.getOwnPropertyDescriptor(TransfersController.prototype, method)!;
  Retired({ since: SINCE, sunset: SUNSET, link: LINK, ...(field && { field }) })(
    TransfersController.prototype,
    method,
    handler,
  );
}

describe('what is retired', () => {
  let duka: Duka;
  let shop: TestAccount;
  let wallets: string[];
  let amount = 100;

  beforeAll(async () => {
    retire('get');
    retire('transfer', 'narration');
    duka = await Duka.start();
    shop = await duka.account();
    wallets = await Promise.all(
      [0, 1].map(async () => (await shop.api.post('/v4/wallets', { currency: 'NGN' })).body.id),
    );
    await shop.api.post(`/v4/sandbox/wallets/${wallets[0]}/credit`, { amount: 10_000 });
  });
  afterAll(() => duka.stop());

  const headersOf = ({ headers }: { headers: Headers }) =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  const TOLD = [`@${Date.parse(SINCE) / 1_000}`, 'Sat, 01 May 2027 00:00:00 GMT', `<${LINK}>; rel="deprecation"`];
  const transfer = (more: object = {}) =>
    shop.api.post('/v4/wallets/transfer', {
      from_wallet: wallets[0],
      to_wallet: wallets[1],
      amount: ++amount,
      ...more,
    });

  it('is told by the answers of the route, refusals too, and of no other', async () => {
    const { body } = await transfer();
    expect(headersOf(await shop.api.get(`/v4/wallets/transfers/${body.id}`))).toEqual(TOLD);
    const refused = await shop.api.get('/v4/wallets/transfers/trf_01k00000000000000000000000');
    expect([refused.status, headersOf(refused)]).toEqual([404, TOLD]);
    expect(headersOf(await shop.api.get('/v4/wallets/transfers'))).toEqual([null, null, null]);
  });

  it('of a field is told to those who send it', async () => {
    expect(headersOf(await transfer())).toEqual([null, null, null]);
    const told = await transfer({ narration: 'Rent' });
    expect([told.status, headersOf(told)]).toEqual([201, TOLD]);
  });

  it('is marked in the document, where the day stands, too', async () => {
    const { paths, components } = describeApi(duka.app);
    expect(paths['/v4/wallets/transfers/{id}']!.get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(`ends on ${SUNSET}`),
    });
    expect(paths['/v4/wallets/transfers']!.get!.deprecated).toBeUndefined();
    expect(paths['/v4/wallets/transfer']!.post!.deprecated).toBeUndefined();
    expect(components.schemas.CreateTransfer!.properties!.narration!.deprecated).toBe(true);
    expect(JSON.stringify(paths)).not.toContain('x-retired');
  });

  it('is reported with those who still call it', async () => {
    await duka.get<RequestLog>(RequestLog).flush();
    const report = await duka.get<RetiredCalls>(RetiredCalls).list(1);
    const caller = {
      accountId: decodeId('acct', shop.id),
      livemode: false,
      keyId: expect.any(String),
      lastAt: expect.any(Date),
    };
    expect(report).toEqual(
      expect.arrayContaining([
        {
          method: 'GET',
          route: '/v4/wallets/transfers/:id',
          since: SINCE,
          sunset: SUNSET,
          link: LINK,
          callers: [{ ...caller, calls: 2 }],
        },
        {
          method: 'POST',
          route: '/v4/wallets/transfer',
          field: 'narration',
          since: SINCE,
          sunset: SUNSET,
          link: LINK,
          callers: [{ ...caller, calls: 1 }],
        },
      ]),
    );
    expect(report).toHaveLength(2);
  });
});

import { DataSource } from 'typeorm';
import { hashApiKey, makeApiKey } from '../../src/core/http/api-key';
import { decodeId, newIdOf } from '../../src/core/http/ids';
import { ApiKeysService, InvalidKeySettings } from '../../src/modules/accounts/api-keys.service';
import { AllowLists1763000000030 } from '../../src/migrations/0030-allow-lists';
import { Duka } from '../support/duka';

let duka: Duka;
let accountId: string;

beforeAll(async () => {
  duka = await Duka.start({ TRUST_PROXY: '127.0.0.1' });
  accountId = (await duka.account()).id;
});
afterAll(() => duka.stop());

const reads = async (key: string, from?: string) =>
  (await duka.api(key).get('/v4/wallets', from === undefined ? {} : { headers: { 'x-forwarded-for': from } })).status;

/** Spellings that other readers take for /0, or for something else than they say. */
const SPELLINGS = [
  '203.0.113.7/',
  '203.0.113.7/1e1',
  '203.0.113.7/0x8',
  '203.0.113.7/ 8',
  '203.0.113.7/8 ',
  ' 203.0.113.7/8',
  '203.0.113.7 /8',
  '203.0.113.7/+8',
  '203.0.113.7/-0',
  '203.0.113.7/08',
  '203.0.113.7/8.0',
  '203.0.113.7/33',
  '203.0.113.7/8/8',
  '203.0.113.7//',
  '203.0.113.7/\t',
  '203.0.113.7/\u0660',
  '203.0.113.7/null',
  '203.0.113.7/255.0.0.0',
  '203.0.113.007',
  '203.0.113',
  '203.0.113.7.',
  '0xcb.0.113.7',
  '3405803783',
  '2001:db8::/',
  '2001:db8::/129',
  '2001:db8::/1e1',
  '2001:db8::/0x8',
  '2001:db8::/ 8',
  'fe80::1%eth0',
  'fe80::1%eth0/64',
  '::ffff:203.0.113.7',
  '::ffff:203.0.113.7/8',
  '[2001:db8::1]',
  'localhost',
  '*',
  '',
  '/',
  '/0',
];

it.each(SPELLINGS)('%j is refused', async (range) => {
  await expect(duka.key({ accountId, allowedIps: [range] })).rejects.toThrow(InvalidKeySettings);
  await expect(duka.key({ accountId, allowedIps: ['10.0.0.0/8', range] })).rejects.toThrow(InvalidKeySettings);
});

it('what is accepted is stored as it is understood', async () => {
  const wanted = [
    '203.0.113.7',
    '203.0.113.7/32',
    '203.0.113.7/24',
    '10.255.255.255/9',
    '0.0.0.0/0',
    '2001:DB8:0::1',
    '2001:db8:ffff:ffff::1/33',
    '::/0',
  ];
  const { key } = await duka
    .get<ApiKeysService>(ApiKeysService)
    .create({
      accountId: decodeId('acct', accountId)!,
      livemode: false,
      name: 'k',
      scopes: null,
      allowedIps: wanted,
      expiresAt: null,
    });
  expect(key.allowedIps).toEqual([
    '203.0.113.7',
    '203.0.113.0/24',
    '10.128.0.0/9',
    '0.0.0.0/0',
    '2001:db8::1',
    '2001:db8:8000::/33',
    '::/0',
  ]);
});

it.each([
  [
    ['203.0.113.7/31'],
    ['203.0.113.6', '203.0.113.7', '::ffff:203.0.113.7'],
    ['203.0.113.5', '203.0.113.8', '2001:db8::1'],
  ],
  [['203.0.113.7'], ['203.0.113.7'], ['203.0.113.6', '::1']],
  [['10.128.0.0/9'], ['10.128.0.0', '10.255.255.255'], ['10.127.255.255', '11.0.0.0']],
  [['2001:db8:8000::/33'], ['2001:db8:8000::', '2001:db8:ffff::1'], ['2001:db8:7fff::1', '203.0.113.7']],
])('%j lets in whom it names and nobody else', async (allowedIps, inside, outside) => {
  const key = await duka.key({ accountId, allowedIps });
  for (const address of inside) expect([address, await reads(key, address)]).toEqual([address, 200]);
  for (const address of outside) expect([address, await reads(key, address)]).toEqual([address, 401]);
});

describe('keys that were stored before', () => {
  const store = async (allowedIps: string[]) => {
    const secret = makeApiKey('test', decodeId('acct', accountId)!);
    const [id, database] = [newIdOf(decodeId('acct', accountId)!), duka.get<DataSource>(DataSource)];
    await database.query(
      'INSERT INTO api_keys (account_id, id, livemode, name, last4, hash, allowed_ips) VALUES ($1, $2, false, $3, $4, $5, $6)',
      [decodeId('acct', accountId), id, 'old', secret.slice(-4), hashApiKey(secret), allowedIps],
    );
    return { id, secret };
  };

  it.each(['203.0.113.7/', '203.0.113.7/1e0', '203.0.113.7/0x0', '203.0.113.7/ '])(
    '%j opens nothing',
    async (range) => {
      expect(await reads((await store([range])).secret, '198.51.100.1')).toBe(401);
      expect(await reads((await store([range, '127.0.0.1'])).secret)).toBe(200);
    },
  );

  it('are put right once: what is malformed goes, and a list that is left empty lets in nobody', async () => {
    const [bad, mixed] = [
      await store(['203.0.113.7/', 'fe80::1%eth0/3']),
      await store(['203.0.113.7/', '203.0.113.7/24', '127.0.0.1', '2001:DB8::5/32', '2001:db8::/1e1']),
    ];
    const runner = duka.get<DataSource>(DataSource).createQueryRunner();
    await new AllowLists1763000000030().up(runner);
    await runner.release();
    const listOf = async (id: string) =>
      (await duka.get<DataSource>(DataSource).query('SELECT allowed_ips FROM api_keys WHERE id = $1', [id]))[0]
        .allowed_ips;
    expect([await listOf(bad.id), await listOf(mixed.id)]).toEqual([
      [],
      ['203.0.113.0/24', '127.0.0.1', '2001:db8::/32'],
    ]);
    expect([await reads(bad.secret), await reads(mixed.secret), await reads(mixed.secret, '203.0.113.200')]).toEqual([
      401, 200, 200,
    ]);
  });
});

it('no cache holds a key as it is sent', async () => {
  const key = await duka.key({ accountId });
  expect(await reads(key)).toBe(200);
  const { usable } = duka.get<any>(ApiKeysService);
  expect(usable.size).toBeGreaterThan(0);
  expect([...usable.keys()].filter((name: string) => name.includes('sk_'))).toEqual([]);
});

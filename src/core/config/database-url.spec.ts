import { changeDatabaseUrl, splitDatabaseUrl } from './database-url';
import { InvalidEnvironment, loadEnv } from './env';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

describe('DATABASE_URL', () => {
  it.each([
    'postgres://db/duka',
    'postgresql://user:p%40ss@db.example.com:5433/duka?sslmode=verify-full',
    'postgres://one,two/duka',
    'postgres://user:p%40ss@one:5432,two:5433,[::1]/duka?target_session_attrs=read-write',
    'postgres://one,two/duka?target_session_attrs=primary',
  ])('may be %s', (url) => {
    expect(loadEnv({}, { SECRETS_KEY, DATABASE_URL: url }).DATABASE_URL).toBe(url);
    expect(loadEnv({}, { SECRETS_KEY, DATABASE_APP_URL: url }).DATABASE_APP_URL).toBe(url);
  });

  it.each([
    'db:5432/duka',
    'mysql://one,two/duka',
    'postgres://one,,two/duka',
    'postgres://one,/duka',
    'postgres://one:port,two/duka',
    'postgres://one,two:70000/duka',
    'postgres://one,two/duka?target_session_attrs=any',
    'postgres://one,two/duka?target_session_attrs=standby',
  ])('may not be %s', (url) => {
    for (const name of ['DATABASE_URL', 'DATABASE_APP_URL'])
      expect(() => loadEnv({}, { SECRETS_KEY, [name]: url })).toThrow(InvalidEnvironment);
  });
});

it('an address of several hosts is taken apart, and its first host stands for all', () => {
  expect(splitDatabaseUrl('postgres://us:p@ss@one,two:5433,[::1]:5434/duka?a=b')).toEqual({
    address: 'postgres://us:p@ss@one/duka?a=b',
    hosts: [
      { host: 'one', port: 5432 },
      { host: 'two', port: 5433 },
      { host: '::1', port: 5434 },
    ],
  });
  expect(splitDatabaseUrl('postgres://us@one/duka,more?a=b,c')).toEqual({
    address: 'postgres://us@one/duka,more?a=b,c',
    hosts: [],
  });
});

it('something of an address is changed, and its hosts stay', () => {
  const change = (address: string) =>
    changeDatabaseUrl(address, (url) => {
      url.username = 'hosts';
      url.searchParams.set('a', 'hosts');
    });
  expect(change('postgres://us:pw@one,two:5433/duka')).toBe('postgres://hosts:pw@one,two:5433/duka?a=hosts');
  expect(change('postgres://one,$&/duka?a=b')).toBe('postgres://hosts@one,$&/duka?a=hosts');
  expect(change('postgres://us:pw@one:5433/duka')).toBe('postgres://hosts:pw@one:5433/duka?a=hosts');
});

import { ThingsQuery, TransferBody } from '../../../test/support/http-probe.dto';
import { DomainError, type ErrorDetails } from '../errors/domain-error';
import { Label, Nested, NestedList } from './fields';
import { ValidationPipe } from './validation.pipe';

class Shop {
  @Label()
  name: string;
}

class Order {
  @Nested(() => Shop)
  shop: Shop;

  @NestedList(() => Shop, { max: 3 })
  others: Shop[];
}

const pipe = new ValidationPipe();
const GOOD = { from_wallet: 'wal_1', to_wallet: 'wal_2', amount: 105_000 };

const body = (value: unknown) => pipe.transform(value, { type: 'body', metatype: TransferBody }) as TransferBody;
const query = (value: unknown) => pipe.transform(value, { type: 'query', metatype: ThingsQuery }) as ThingsQuery;

function refusalOf(read: () => unknown): ErrorDetails {
  try {
    read();
  } catch (error) {
    if (error instanceof DomainError) return error.details;
    throw error;
  }
  throw new Error('was accepted');
}

describe('a request body', () => {
  it('becomes its DTO', () => {
    const dto = body({
      ...GOOD,
      currency: 'NGN',
      reference: 'order-1',
      label: null,
      metadata: { a: '' },
      dry_run: true,
    });
    expect(dto).toBeInstanceOf(TransferBody);
    expect(dto).toMatchObject({ amount: 105_000, metadata: { a: '' }, label: null });
  });

  it('names all faults; the most telling one speaks for all', () => {
    const { code, param, errors } = refusalOf(() => body({ amount: 1.5, currency: 'XXX', x: 1 }));
    expect({ code, param }).toEqual({ code: 'unknown_field', param: '/x' });
    expect(errors!.map((fault) => [fault.param, fault.code])).toEqual([
      ['/x', 'unknown_field'],
      ['/amount', 'amount_not_integer'],
      ['/from_wallet', 'validation_failed'],
      ['/to_wallet', 'validation_failed'],
      ['/currency', 'validation_failed'],
    ]);
  });

  it('that is missing lacks its fields', () => expect(refusalOf(() => body(undefined)).errors).toHaveLength(3));

  it.each([['100'], [1.5], [true], [[1]], [{}]])('refuses amount %j as no whole number', (amount) =>
    expect(refusalOf(() => body({ ...GOOD, amount })).code).toBe('amount_not_integer'),
  );

  it.each([0, -0, -1, 2 ** 53, 1e21, Infinity, NaN])('refuses amount %d as out of range', (amount) =>
    expect(refusalOf(() => body({ ...GOOD, amount })).code).toBe('amount_out_of_range'),
  );

  it.each([1, Number.MAX_SAFE_INTEGER])('takes amount %d', (amount) =>
    expect(body({ ...GOOD, amount }).amount).toBe(amount),
  );

  it.each([undefined, null])('calls amount %s required', (amount) =>
    expect(refusalOf(() => body({ ...GOOD, amount }))).toMatchObject({
      code: 'validation_failed',
      param: '/amount',
      detail: 'amount is required.',
    }),
  );

  it.each([
    { from_wallet: '' },
    { from_wallet: 'w'.repeat(65) },
    { from_wallet: ['wal_1'] },
    { currency: 'ngn' },
    { currency: 'toString' },
    { reference: 'a b' },
    { reference: 'r'.repeat(129) },
    { reference: '' },
    { reference: 'a\n' },
    { dry_run: 'true' },
    { label: 'l'.repeat(101) },
    { metadata: [] },
    { metadata: { a: 1 } },
    { metadata: { ['k'.repeat(41)]: '' } },
    { metadata: { a: 'v'.repeat(501) } },
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, ''])) },
  ])('refuses %j', (fields) =>
    expect(refusalOf(() => body({ ...GOOD, ...fields })).param).toBe(`/${Object.keys(fields)[0]}`),
  );

  it.each(['constructor', 'toString', '__proto__', 'a/b'])('refuses a field called %s', (name) => {
    const given = JSON.parse(JSON.stringify(GOOD).replace('{', `{"${name}":{"x":1},`)) as unknown;
    expect(refusalOf(() => body(given))).toMatchObject({ code: 'unknown_field', param: `/${name.replace('/', '~1')}` });
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('an object within a request', () => {
  const order = (shop: unknown, others: unknown = []) =>
    pipe.transform({ shop, others }, { type: 'body', metatype: Order }) as Order;

  it('becomes its DTO', () => expect(order({ name: 'a' }).shop).toBeInstanceOf(Shop));

  it.each(['null', '1', '"a"', '{}', '[]'])('refuses a field called constructor that is %s', (value) => {
    const strange = JSON.parse(`{"name":"a","constructor":${value}}`) as unknown;
    expect(refusalOf(() => order(strange))).toMatchObject({ code: 'unknown_field', param: '/shop/constructor' });
    expect(refusalOf(() => order({ name: 'a' }, [strange]))).toMatchObject({
      code: 'unknown_field',
      param: '/others/0/constructor',
    });
  });

  it.each([
    ['/shop', [{ constructor: null }], []],
    ['/shop', [[{ constructor: null }]], []],
    ['/others', { name: 'a' }, { constructor: null }],
    ['/others', { name: 'a' }, [[{ constructor: null }]]],
    ['/others', { name: 'a' }, { length: 1, 0: { constructor: null } }],
  ])('refuses a list or an object in place of the other: %s', (param, shop, others) => {
    const refusal = refusalOf(() => order(shop, others));
    expect(refusal.errors).toEqual([expect.objectContaining({ code: 'validation_failed', param })]);
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf', 'then'])('refuses a field called %s', (name) =>
    expect(refusalOf(() => order({ name: 'a', [name]: null })).param).toBe(`/shop/${name}`),
  );
});

describe('a query string', () => {
  it('becomes its DTO, with numbers and times', () => {
    expect(query({})).toEqual(Object.assign(new ThingsQuery(), { limit: 20 }));
    expect(query({ limit: '7', amount_gte: '0', created_gte: '2026-02-28T23:59:59.5Z' })).toMatchObject({
      limit: 7,
      amount_gte: 0,
      created_gte: new Date('2026-02-28T23:59:59.500Z'),
    });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1e1' },
    { limit: '' },
    { limit: ['1', '2'] },
    { limit: ' 1' },
    { reference: ['a', 'b'] },
    { amount_gte: '1.5' },
    { amount_gte: '-1' },
    { amount_gte: '-0' },
    { amount_gte: '9007199254740993' },
    { amount_gte: ['1'] },
    { cursor: ['a'] },
    { created_gte: '2026-02-30T00:00:00Z' },
    { created_gte: '2026-02-30' },
    { created_gte: '2026-02-28T24:00:00Z' },
    { created_gte: '2026-13-01T00:00:00Z' },
    { created_gte: '2026-02-28T00:00:00' },
    { created_gte: '2026-02-28T00:00:00+25:00' },
    { created_gte: '0000-01-01T00:00:00Z' },
    { created_gte: '1' },
    { created_gte: '' },
  ])('refuses %j', (fields) => expect(refusalOf(() => query(fields)).param).toBe(`/${Object.keys(fields)[0]}`));
});

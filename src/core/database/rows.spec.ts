import { Column, Entity, PrimaryColumn } from 'typeorm';
import { combineWrites } from './bulk';
import { MinorColumn, rows } from './rows';

const WORDS = { transformer: { to: (words: string[]) => words.join(' '), from: (text: string) => text.split(' ') } };

@Entity('parcels')
class Parcel {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  status: 'sent' | 'lost';

  @Column('text', WORDS)
  stops: string[];

  @MinorColumn({ name: 'paid_fee' })
  paidFee: bigint;

  @Column('integer')
  version: number;
}

@Entity('letters')
class Letter {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  @PrimaryColumn('uuid', { name: 'letter_id' })
  id: string;

  @Column('text', WORDS)
  stops: string[];

  @MinorColumn({ name: 'paid_fee', nullable: true })
  paidFee: bigint | null;
}

@Entity('odd_ones')
class Odd {
  @PrimaryColumn('uuid')
  id: string;

  @Column('point')
  place: string;
}

const parcel: Parcel = {
  accountId: '00000000-0000-7000-8000-000000000001',
  id: '00000000-0000-7000-8000-000000000002',
  status: 'sent',
  stops: ['Kano', 'Jos'],
  paidFee: 900n,
  version: 1,
};
const written = rows(Parcel);
const insertParcel = written.insert({ except: ['version'] });
const updateParcel = written.update({
  name: 'update_parcels',
  change: ['status', 'paidFee'],
  was: ['status'],
  set: { version: 't.version + 1' },
  where: 't.version < 9',
});

const textOf = (...writes: Parameters<typeof combineWrites>[0]) =>
  combineWrites(writes).query.text.replace(/\s+/g, ' ');

it('adds a row by the columns of its entity, but for those that keep their defaults', () => {
  expect(textOf(insertParcel(parcel))).toBe(
    'WITH insert_parcels AS (INSERT INTO parcels (account_id, id, status, stops, paid_fee) ' +
      'SELECT account_id, id, status, stops, paid_fee FROM (SELECT unnest($1::uuid[]) AS account_id, ' +
      'unnest($2::uuid[]) AS id, unnest($3::text[]) AS status, unnest($4::text[]) AS stops, ' +
      'unnest($5::bigint[]) AS paid_fee) AS v) SELECT 1',
  );
});

it('writes what a column stores: text of a list, minor units as they are', () => {
  const { params } = combineWrites([insertParcel(parcel)]);
  expect(params[3]!.toString()).toContain('Kano Jos');
  expect(params[4]!.readBigInt64BE(params[4]!.length - 8)).toBe(900n);
});

it('changes a row that is as it was', () => {
  const lost = { ...parcel, status: 'lost' } as const;
  expect(textOf(updateParcel(lost, parcel))).toBe(
    'WITH update_parcels AS (UPDATE parcels t SET status = v.status, paid_fee = v.paid_fee, version = t.version + 1 ' +
      'FROM (SELECT unnest($1::uuid[]) AS account_id, unnest($2::uuid[]) AS id, unnest($3::text[]) AS status_before, ' +
      'unnest($4::text[]) AS status, unnest($5::bigint[]) AS paid_fee) AS v ' +
      'WHERE t.account_id = v.account_id AND t.id = v.id AND t.status = v.status_before AND t.version < 9 RETURNING 1) ' +
      'SELECT assert_row_count((SELECT count(*) FROM update_parcels), cardinality($1))',
  );
  const { params } = combineWrites([updateParcel(lost, parcel)]);
  expect([params[2]!, params[3]!].map((param) => param.toString().slice(-4))).toEqual(['sent', 'lost']);
});

it('finds rows by their keys, and reads them as the entity has its fields', () => {
  const { byKeys, page, read } = rows(Letter).lookUp();
  const select =
    'SELECT r.account_id AS "accountId", r.livemode AS "livemode", r.letter_id AS "id", r.stops AS "stops", ' +
    'r.paid_fee AS "paidFee" FROM letters r WHERE r.account_id';
  expect(byKeys.text.replace(/\s+/g, ' ').trim()).toBe(
    'SELECT r.* FROM unnest($1::uuid[], $2::boolean[], $3::uuid[]) AS k (account_id, livemode, id) CROSS JOIN LATERAL ( ' +
      `${select} = k.account_id AND r.livemode = k.livemode AND r.letter_id = k.id LIMIT 1) r`,
  );
  expect(page.text).toBe(`${select} = $1 AND r.livemode = $2 AND r.letter_id < $3 ORDER BY r.letter_id DESC LIMIT $4`);
  expect(read({ id: '1', stops: 'Kano Jos', paidFee: '900' })).toEqual({
    id: '1',
    stops: ['Kano', 'Jos'],
    paidFee: 900n,
  });
  expect(read({ id: '1', stops: 'Jos', paidFee: null })).toEqual({ id: '1', stops: ['Jos'], paidFee: null });
});

it('refuses fields without a column, types without a codec and entities without a table', () => {
  expect(() => written.insert({ except: ['colour' as 'version'], name: 'other' })).toThrow('no column for "colour"');
  expect(() => rows(Odd)).toThrow('Odd.place: columns of type point cannot be written in bulk');
  expect(() => rows(class Unknown {})).toThrow('Unknown names no table');
});

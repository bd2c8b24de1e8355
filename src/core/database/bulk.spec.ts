import { bulkCheck, bulkInsert, combineWrites } from './bulk';

test('two bulk statements cannot share a name', () => {
  bulkInsert('things', { id: 'uuid' });
  expect(() => bulkInsert('things', { id: 'uuid', label: 'text' })).toThrow('insert_things');
});

test('checks lock their rows in a statement of their own, in front of all that changes', () => {
  const check = bulkCheck('parts', { id: 'uuid', state: 'text' }, { name: 'check_parts', key: ['id'], where: 'true' });
  const insert = bulkInsert('pieces', { id: 'uuid' });
  const id = '00000000-0000-7000-8000-000000000000';
  const statements = combineWrites([insert.row({ id }), check.row({ id, state: 'new' }), insert.row({ id })]);
  expect(statements.map(({ query, params }) => [query.text.match(/INSERT|FOR SHARE/g), params.length])).toEqual([
    [['FOR SHARE'], 2],
    [['INSERT'], 1],
  ]);
});

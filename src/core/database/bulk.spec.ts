import { bulkInsert } from './bulk';

test('two bulk statements cannot share a name', () => {
  bulkInsert('things', { id: 'uuid' });
  expect(() => bulkInsert('things', { id: 'uuid', label: 'text' })).toThrow('insert_things');
});

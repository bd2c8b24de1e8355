import { BODY_BYTES_MAX, type EventDto, fitBody } from './event.dto';

const eventOf = (object: object): EventDto =>
  ({
    id: 'evt_1',
    object: 'event',
    type: 'transfer.successful',
    account_id: 'acct_1',
    data: { object },
  }) as unknown as EventDto;
const fitted = (object: object) => {
  const body = fitBody(eventOf(object));
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(BODY_BYTES_MAX);
  return JSON.parse(body).data;
};
const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, 'ọ'.repeat(500)]));

it('is whole where it fits', () => {
  const event = eventOf({ id: 'trf_1', narration: 'rent' });
  expect(fitBody(event)).toBe(JSON.stringify(event));
});

it('leaves out what is largest, and only as much as it must', () => {
  expect(fitted({ id: 'trf_1', amount: 5, narration: 'rent', metadata, lines: ['a'] })).toEqual({
    object: { id: 'trf_1', amount: 5, narration: 'rent', metadata: {}, lines: ['a'] },
    omitted: ['metadata'],
  });
  expect(
    fitted({
      id: 'trf_1',
      details: metadata,
      metadata: { a: 'b' },
      text: 'x'.repeat(19_950),
      list: Array(9_000).fill('é'),
    }),
  ).toEqual({
    object: { id: 'trf_1', details: {}, metadata: { a: 'b' }, text: '', list: [] },
    omitted: ['details', 'list', 'text'],
  });
});

it('ends even with an object of which nothing can be emptied', () => {
  const names = Array.from({ length: 3_000 }, (_, i) => `number_${i}`);
  expect(fitted(Object.fromEntries(names.map((name) => [name, 1]))).object).toEqual({});
});

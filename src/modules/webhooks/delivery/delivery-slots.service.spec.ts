import { DeliverySlots } from './delivery-slots.service';
import type { Attempted } from './webhook-sender.service';

const NOW = 1_000_000;

const attempted = (code: Attempted['code'], durationMs = 100): Attempted => ({
  code,
  httpStatus: null,
  durationMs,
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null,
  retryAfterSeconds: null,
  control: null,
});

let slots: DeliverySlots;
beforeEach(() => (slots = new DeliverySlots()));

const to = (endpointId: string, accountId = 'acct') => ({ endpointId, accountId, livemode: false });
const takeMany = (count: number, endpoint = 'a', now = NOW): number[] =>
  Array.from({ length: count }, () => slots.take(to(endpoint), now));

it('gives each endpoint eight places until it is known to have others', () => {
  expect(takeMany(9).map((waitMs) => waitMs === 0)).toEqual([...Array(8).fill(true), false]);
  expect(slots.take(to('b'), NOW)).toBe(0);
  slots.learn('a', { inFlightMax: 10, perSecondMax: null });
  expect(takeMany(3).map((waitMs) => waitMs === 0)).toEqual([true, true, false]);
});

it('has a place again when one is given back', () => {
  takeMany(8);
  slots.release(to('a'), attempted('ok'));
  expect(slots.take(to('a'), NOW)).toBe(0);
});

it('sends those who wait away for longer and longer, but not for ever', () => {
  slots.release(to('a'), attempted('ok', 40_000));
  takeMany(8);
  const waits = takeMany(40);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[1]! - waits[0]!).toBe(1_000);
  expect(waits.at(-1)).toBe(30_000);
});

it('spaces messages where an endpoint has a limit per second', () => {
  slots.learn('a', { inFlightMax: 8, perSecondMax: 2 });
  expect([slots.take(to('a'), NOW), slots.take(to('a'), NOW + 499) > 0, slots.take(to('a'), NOW + 500)]).toEqual([
    0,
    true,
    0,
  ]);
});

it('gives few places to an endpoint that does not answer, until it does', () => {
  for (let i = 0; i < 3; i++) slots.release(to('a'), attempted('timeout'));
  expect(takeMany(3).map((waitMs) => waitMs === 0)).toEqual([true, true, false]);
  slots.release(to('a'), attempted('http_error'));
  expect(slots.take(to('a'), NOW)).toBe(0);
});

it('leaves room for other accounts, however many endpoints one has', () => {
  const storm = Array.from({ length: 10 }, (_, i) => takeMany(8, `endpoint ${i}`)).flat();
  expect(storm.filter((waitMs) => waitMs === 0)).toHaveLength(32);
  expect(slots.take(to('other', 'neighbour'), NOW)).toBe(0);
  slots.release(to('endpoint 0'), attempted('ok'));
  expect(slots.take(to('endpoint 9'), NOW)).toBe(0);
  expect(slots.take(to('endpoint 9'), NOW)).toBeGreaterThan(0);
});

it('gives all places to an account whose endpoints answer at once, and takes them back when they no longer do', () => {
  for (let i = 0; i < 10; i++) slots.release(to('a'), attempted('ok', 5));
  const storm = () => Array.from({ length: 8 }, (_, i) => takeMany(8, `endpoint ${i}`)).flat();
  expect(storm().filter((waitMs) => waitMs === 0)).toHaveLength(64);
  slots.release(to('endpoint 0'), attempted('timeout', 10_000));
  expect(slots.take(to('endpoint 0'), NOW)).toBeGreaterThan(0);
  expect(slots.take(to('other', 'neighbour'), NOW)).toBe(0);
});

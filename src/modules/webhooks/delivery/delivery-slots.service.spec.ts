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
const take = (endpoint = 'a', now = NOW) => slots.take(to(endpoint), 100, now);
const learn = (perSecondMax: number | null = null, inFlightMax = 8, endpoint = 'a') =>
  slots.learn(endpoint, { inFlightMax, perSecondMax });
const end: DeliverySlots['release'] = (job, attempt) => {
  slots.release(job, attempt);
  slots.written();
};
/** What an endpoint takes to answer. */
const seem = (durationMs: number, endpoint = 'a', account = 'acct') => {
  for (let i = 0; i < 20; i++) end(to(endpoint, account), attempted('ok', durationMs));
};

it('gives an endpoint one place until it is known how many it has', () => {
  expect(take()).toEqual({ places: 1, waitMs: 0 });
  expect(take()).toEqual({ places: 0, waitMs: expect.any(Number) });
  expect(take('b').places).toBe(1);
  learn();
  expect(take().places).toBe(7);
  expect(take().places).toBe(0);
});

it('takes no more than are wanted', () => {
  learn();
  expect([2, 4, 8].map((wanted) => slots.take(to('a'), wanted, NOW).places)).toEqual([2, 4, 2]);
});

it('has a place again when one is given back', () => {
  learn();
  take();
  end(to('a'), attempted('ok'));
  expect(take().places).toBe(1);
  slots.giveBack(to('a'), 3);
  expect(take().places).toBe(3);
});

it('says when a quarter of the places of an endpoint are free', async () => {
  learn();
  const told: string[] = [];
  slots.take(to('a'), 6, NOW);
  await slots.room(to('a')).then(() => told.push('has room'));
  take();
  const room = slots.room(to('a')).then(() => told.push('has room again'));
  for (const place of ['first', 'second']) {
    await new Promise(setImmediate);
    told.push(place);
    end(to('a'), attempted('ok'));
  }
  await room;
  expect(told).toEqual(['has room', 'first', 'second', 'has room again']);
});

it('begins no more when too much is not written yet', () => {
  learn();
  for (let i = 0; i < 500; i++) slots.release(to('b'), attempted('ok', 5));
  expect(take().places).toBe(0);
  slots.written();
  expect(take().places).toBe(1);
});

it('sends those who wait away for longer and longer, but not for ever', () => {
  learn();
  seem(8_000);
  take();
  const waits = Array.from({ length: 40 }, () => take().waitMs);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[1]! - waits[0]!).toBeGreaterThan(900);
  expect(waits.at(-1)).toBe(30_000);
});

it('spaces messages where an endpoint has a limit per second', () => {
  learn(2);
  const after = [0, 440, 450, 940, 950, 1_440];
  expect(after.map((ms) => take('a', NOW + ms).places)).toEqual([1, 0, 1, 0, 1, 0]);
});

it('lets an endpoint catch up on a few messages of its limit, and on those that there were none for', () => {
  learn(100);
  expect([NOW, NOW, NOW + 30].map((now) => take('a', now).places)).toEqual([6, 0, 2]);
  slots.giveBack(to('a'), 2);
  expect(take('a', NOW + 30).places).toBe(2);
});

it('gives few places to an endpoint that does not answer, until it does', () => {
  learn();
  for (let i = 0; i < 3; i++) end(to('a'), attempted('timeout'));
  expect([take().places, take().places]).toEqual([2, 0]);
  end(to('a'), attempted('http_error'));
  expect(take().places).toBe(7);
});

/** As many places as ten endpoints of an account get. */
function storm(): number {
  const names = Array.from({ length: 10 }, (_, i) => `endpoint ${i}`);
  for (const name of names) learn(null, 8, name);
  return names.reduce((sum, name) => sum + take(name).places, 0);
}

it('leaves room for other accounts, however many endpoints one has', () => {
  expect(storm()).toBe(32);
  seem(5, 'other', 'neighbour');
  expect(slots.take(to('other', 'neighbour'), 100, NOW).places).toBe(1);
  end(to('endpoint 0'), attempted('ok', 1_000));
  expect([take('endpoint 9').places, take('endpoint 9').places]).toEqual([1, 0]);
});

it('leaves half of all places to those who answer at once', () => {
  seem(5, 'quick', 'neighbour');
  learn(null, 50, 'quick');
  for (let i = 0; i < 60; i++) seem(1_000, `slow ${i}`, `account ${i}`);
  const slow = Array.from({ length: 60 }, (_, i) => slots.take(to(`slow ${i}`, `account ${i}`), 100, NOW).places);
  expect(slow.filter((places) => places === 1)).toHaveLength(32);
  expect(slots.take(to('quick', 'neighbour'), 100, NOW).places).toBe(32);
});

it('gives all places to an account whose endpoints answer at once, and takes them back when they no longer do', () => {
  for (let i = 0; i < 10; i++) seem(5, `endpoint ${i}`);
  seem(5, 'other', 'neighbour');
  expect(storm()).toBe(64);
  end(to('endpoint 0'), attempted('timeout', 10_000));
  expect(take('endpoint 0').places).toBe(0);
  expect(slots.take(to('other', 'neighbour'), 100, NOW).places).toBe(1);
});

import { ATTEMPT_DELAYS_MS, retryDelayMs } from './outcome';
import { plannedDelayMs } from './delivery-queue.service';
import type { Attempted } from './webhook-sender.service';

const HOUR_MS = 3_600_000;

const attempted = (more: Partial<Attempted> = {}): Attempted => ({
  code: 'http_error',
  httpStatus: 500,
  durationMs: 1,
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null,
  retryAfterSeconds: null,
  control: null,
  ...more,
});

it('is ten attempts in about 75 hours', () => {
  expect(ATTEMPT_DELAYS_MS).toHaveLength(10);
  expect(ATTEMPT_DELAYS_MS.reduce((sum, ms) => sum + ms)).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
  expect(retryDelayMs(10, attempted())).toBeNull();
});

it('adds up to a fifth by chance', () => {
  expect([retryDelayMs(2, attempted(), 0), retryDelayMs(2, attempted(), 1)]).toEqual([300_000, 360_000]);
});

it.each([
  ['no less than planned', 2, 1, 300_000],
  ['what was asked for', 2, 7_200, 7_200_000],
  ['ten hours at most', 2, 90_000, 10 * HOUR_MS],
  ['the planned delay where that is longer', 8, 36_000, 20 * HOUR_MS],
])('waits after Retry-After: %s', (_, attempts, retryAfterSeconds, expected) => {
  expect(retryDelayMs(attempts, attempted({ code: 'rate_limited', retryAfterSeconds }), 0)).toBe(expected);
});

it.each(['timeout', 'rate_limited'] as const)('lets a receiver rest for a minute after %s', (code) => {
  expect(retryDelayMs(1, attempted({ code }), 0)).toBe(60_000);
  expect(retryDelayMs(1, attempted(), 0)).toBe(5_000);
});

it('holds first attempts back where a test endpoint asked for it', () => {
  expect([
    plannedDelayMs(null, 1),
    plannedDelayMs('bad_signature', 1),
    plannedDelayMs('delayed', 1),
    plannedDelayMs('out_of_order', 0.5),
  ]).toEqual([0, 0, 60_000, 5_000]);
});

import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Browser, newEmail } from '../support/dashboard';
import { Duka } from '../support/duka';

const STORM = 40;
/** What one network may begin in a quarter of an hour. */
const SIGN_UPS_MAX = 60;
const ESTIMATED_MAX = 24;
/** What zxcvbn takes longest for: everything in it is a word, a date, a number and a pattern at once. */
const SLOW = [
  '12'.repeat(128),
  'p4$$w0rd'.repeat(32),
  '4@3$1!0'.repeat(36),
  '01011990'.repeat(32),
  '@4$5!1|(<{[0+7'.repeat(18),
];

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => duka.stop());

const signUp = (nth: number, ip: string) =>
  new Browser(duka, newEmail()).post(
    '/auth/sign-up',
    { name: 'A', email: newEmail(), account_name: 'B', password: SLOW[nth % SLOW.length] },
    { 'x-forwarded-for': ip },
  );

it('a storm of sign-ups lets transfers pass, whatever their passwords are', async () => {
  const { api } = await duka.account();
  const [from, to] = [await api.wallet(100_000), await api.wallet()];
  const estimates = jest.spyOn(ZxcvbnFactory.prototype, 'check');
  const storm = Array.from({ length: STORM }, (_, nth) => signUp(nth, `198.51.100.${nth}`));
  // The first is at work: the others stand behind it.
  while (estimates.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await api.transfer(from, to, 100)).status).toBe(201);
  const before = estimates.mock.calls.length;
  await Promise.all(storm);
  expect(estimates.mock.calls.length).toBe(STORM);
  expect(before).toBeLessThan(STORM);
  expect(Math.max(...estimates.mock.calls.map(([password]) => password.length))).toBeLessThanOrEqual(ESTIMATED_MAX);
  estimates.mockRestore();
});

it('one network begins a bounded number of sign-ups', async () => {
  const statuses: number[] = [];
  for (let nth = 0; nth <= SIGN_UPS_MAX; nth++) statuses.push((await signUp(nth, '203.0.113.9')).status);
  expect(statuses.slice(0, -1)).not.toContain(429);
  expect(statuses.at(-1)).toBe(429);
  expect((await signUp(0, '203.0.113.10')).status).not.toBe(429);
});

import { waitSeconds } from './prefer';

it.each([
  [undefined, 10], ['wait=0', 0], ['wait=7', 7], ['WAIT = 7', 7], ['respond-async, wait=7', 7], ['wait="7"; x', 7], ['wait=300', 30],
  ['wait=-1', 10], ['wait=1.5', 10], ['wait', 10], ['await=7', 10], ['wait=x', 10],
])('Prefer: %s waits %d s', (header, seconds) => expect(waitSeconds(header)).toBe(seconds));

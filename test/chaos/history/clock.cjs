// `node --require`: the process' clock is off by the milliseconds in the file that CLOCK_FILE names, and jumps when they change. Timers go
// by another clock that nobody sets, as on a machine whose time is set.
const { readFileSync, watchFile } = require('node:fs');

const LOOK_MS = 100;
const { CLOCK_FILE } = process.env;
const { now } = Date;
let offset = 0;
const read = () => (offset = Number(readFileSync(CLOCK_FILE, 'utf8')));

if (CLOCK_FILE !== undefined) {
  read();
  watchFile(CLOCK_FILE, { interval: LOOK_MS, persistent: false }, read);
  Date.now = () => now() + offset;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, newTarget),
    apply: (target) => new target(target.now()).toString(),
  });
}

import fs from 'node:fs';
import { createLog, NestLog } from './log';

function capture(level = 'info') {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(
    { LOG_LEVEL: level },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return { lines, log: new NestLog(log) };
}

describe('the log', () => {
  it('carries what Nest and services say, with their context', () => {
    const { lines, log } = capture();
    log.log('ready', 'Boot');
    log.warn({ msg: 'slow', ms: 7 }, 'Ledger');
    log.warn({ message: 'slow too', ms: 7 }, 'Ledger');
    log.error('broken', 'the stack', 'Boot');
    expect(lines).toEqual([
      { level: 'info', time: expect.any(String), context: 'Boot', msg: 'ready' },
      { level: 'warn', time: expect.any(String), context: 'Ledger', msg: 'slow', ms: 7 },
      { level: 'warn', time: expect.any(String), context: 'Ledger', msg: 'slow too', ms: 7 },
      { level: 'error', time: expect.any(String), context: 'Boot', msg: 'broken', stack: 'the stack' },
    ]);
  });

  it('shows where an error is, not the customer data that it carries', () => {
    const { lines, log } = capture();
    const error = Object.assign(new Error('no such table', { cause: new Error('deeper') }), {
      code: '42P01',
      query: 'SELECT',
      parameters: ['+2348000000000'],
    });
    log.error({ msg: 'request failed', err: error }, 'http');
    expect(lines[0]).toMatchObject({
      msg: 'request failed',
      err: { type: 'Error', code: '42P01', stack: expect.stringContaining('log.spec'), cause: { message: 'deeper' } },
    });
    expect(JSON.stringify(lines)).not.toMatch(/234800|SELECT/);
  });

  it('hides keys', () => {
    const { lines, log } = capture();
    const headers = { authorization: 'Bearer sk_live_1', cookie: 'sid=1', host: 'a' };
    log.log({ headers, request: { headers }, authorization: 'Bearer sk_live_1' }, 'x');
    expect(JSON.stringify(lines)).not.toMatch(/sk_live|sid=/);
    expect(lines[0]).toMatchObject({ headers: { host: 'a' } });
  });

  it('keeps what Nest says of every route for those who debug', () => {
    const quiet = capture();
    quiet.log.log('Mapped {/, GET} route', 'RouterExplorer');
    quiet.log.log('started', 'NestApplication');
    expect(quiet.lines.map(({ msg }) => msg)).toEqual(['started']);
    const verbose = capture('debug');
    verbose.log.log('Mapped {/, GET} route', 'RouterExplorer');
    expect(verbose.lines).toHaveLength(1);
  });
});

describe('standard output', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('gets a line within a quarter of a second; a log that has nothing to write rests', () => {
    const write = jest.spyOn(fs, 'write').mockReturnValue(undefined as never);
    const log = createLog({ LOG_LEVEL: 'info' });
    expect(jest.getTimerCount()).toBe(0);
    log.info('one');
    log.info('two');
    expect([jest.getTimerCount(), write.mock.calls.length]).toEqual([1, 0]);
    jest.advanceTimersByTime(250);
    expect([jest.getTimerCount(), write.mock.calls.length]).toEqual([0, 1]);
  });
});

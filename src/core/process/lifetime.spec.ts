import { Logger } from '@nestjs/common';
import { Lifetime } from './lifetime';

it('ends what it brought up in reverse order; what hangs is told of, and leaves the others their time', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const [ended, codes] = [[] as string[], [] as number[]];
  const lifetime = new Lifetime((code) => codes.push(code));
  lifetime.graceSeconds = 0.2;
  for (const name of ['database', 'worker', 'api'])
    await lifetime.own(Promise.resolve(name), async (stopped) => {
      ended.push(stopped);
      if (stopped === 'worker') await new Promise(() => undefined);
    });
  await lifetime.end(0);
  expect([ended, codes]).toEqual([['api', 'worker', 'database'], [1]]);
  expect(warn.mock.calls).toEqual([[{ msg: expect.stringContaining('took too long'), open: expect.any(Array) }]]);
});

it.each([
  [true, 0],
  [false, 143],
])('ends with what a signal means to a service (%s): its work is done, or it is not', async (isService, code) => {
  const [before, codes] = [process.listeners('SIGTERM'), [] as number[]];
  const lifetime = new Lifetime((each) => codes.push(each));
  lifetime.isService = isService;
  lifetime.endOnSignals();
  const [tell] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, tell!);
  tell!('SIGTERM');
  await lifetime.end(1);
  expect(codes).toEqual([code]);
});

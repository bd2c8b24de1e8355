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

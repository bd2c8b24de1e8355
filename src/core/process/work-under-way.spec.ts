import { WorkUnderWay } from './work-under-way';

describe('WorkUnderWay', () => {
  it('ends when everything has ended, with what was begun meanwhile', async () => {
    const work = new WorkUnderWay();
    await work.end();
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    let hasEnded = false;
    const added = work.add(first.promise);
    const end = Promise.all([work.end(), work.end()]).then(() => (hasEnded = true));
    void work.add(second.promise);
    expect(work.size).toBe(2);
    first.resolve('first');
    await expect(added).resolves.toBe('first');
    expect([work.size, hasEnded]).toEqual([1, false]);
    second.resolve();
    await end;
    expect(work.size).toBe(0);
  });
});

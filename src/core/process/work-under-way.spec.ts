import { waitUpTo, within, WorkUnderWay } from './work-under-way';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const never = () => new Promise<never>(() => undefined);

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

describe('within', () => {
  it('answers what is answered, and throws what is thrown', async () => {
    await expect(within(60_000, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(within(60_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('does not wait for one that does not heed its signal, and tells one that does', async () => {
    let told: unknown;
    const asked = within(1, (signal) => {
      signal.addEventListener('abort', () => (told = signal.reason));
      return never();
    });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(told).toMatchObject({ name: 'TimeoutError' });
  });

  it('leaves no timer behind, whatever the answer', async () => {
    const before = timers();
    await within(60_000, () => Promise.resolve());
    await within(60_000, () => Promise.reject(new Error('refused'))).catch(() => undefined);
    const asked = within(60_000, () => {
      throw new Error('at once');
    });
    await expect(asked).rejects.toThrow('at once');
    expect(timers()).toBe(before);
  });
});

describe('waitUpTo', () => {
  it('ends with the work, with its fault, or when the time is over', async () => {
    await waitUpTo(60_000, Promise.resolve());
    await expect(waitUpTo(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await waitUpTo(1, never());
  });

  it('leaves no timer behind', async () => {
    const before = timers();
    await waitUpTo(60_000, Promise.resolve());
    await waitUpTo(60_000, Promise.reject(new Error('broken'))).catch(() => undefined);
    expect(timers()).toBe(before);
  });
});

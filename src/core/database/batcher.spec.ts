import { Batcher } from './batcher';

const limits = { batchMax: 10, parallel: 1, queueMax: 100, overflow: () => new Error('full') };

/** A batcher whose batches end when they are told to, in order. */
function started(more: Partial<ConstructorParameters<typeof Batcher<string, string>>[1]> = {}) {
  const batches: { readonly items: string[]; readonly end: () => Promise<void> }[] = [];
  const batcher = new Batcher<string, string>(
    (items) =>
      new Promise((resolve) => {
        batches.push({ items, end: () => turn(() => resolve(items.map((item) => item.toUpperCase()))) });
      }),
    { ...limits, ...more },
  );
  return { batcher, batches };
}

const turn = async (work: () => void = () => undefined): Promise<void> => {
  work();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
};

describe('Batcher', () => {
  it('starts the next batch with those who wait, before it answers', async () => {
    const { batcher, batches } = started();
    const again = batcher.add('a').then((a) => batcher.add(`${a} again`));
    await turn();
    const b = batcher.add('b');
    await batches[0]!.end();
    expect(batches.map(({ items }) => items)).toEqual([['a'], ['b']]);
    await batches[1]!.end();
    await batches[2]!.end();
    await expect(Promise.all([again, b])).resolves.toEqual(['A AGAIN', 'B']);
  });

  it('answers first who calls again at once, unless many wait', async () => {
    const { batcher, batches } = started({ goesOn: (item) => item === 'a', handOverMin: 2 });
    const twice = () => batcher.add('a').then((a) => batcher.add(`${a} again`));
    const all = [twice()];
    await turn();
    all.push(batcher.add('b'));
    await batches[0]!.end();
    all.push(twice());
    await batches[1]!.end();
    all.push(batcher.add('c'), batcher.add('d'));
    await batches[2]!.end();
    await batches[3]!.end();
    await batches[4]!.end();
    await batcher.drain();
    expect(batches.map(({ items }) => items)).toEqual([['a'], ['b', 'A again'], ['a'], ['c', 'd'], ['A again']]);
    await expect(Promise.all(all)).resolves.toEqual(['A AGAIN', 'B', 'A AGAIN', 'C', 'D']);
  });
});

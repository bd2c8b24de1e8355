import { registry, sample, sampledCounter, sampledGauge, sampledGauges, showService } from './metrics';

it('asks a source of several figures once for each scrape', async () => {
  let asked = 0;
  sampledGauges({ of_one_look: { help: 'One.' }, of_the_same_look: { help: 'Other.' } })(async () => {
    asked++;
    return { of_one_look: sample(asked), of_the_same_look: sample(10 * asked) };
  });
  expect(await registry.metrics()).toMatch(/^of_one_look 1\n[^]*^of_the_same_look 10$/m);
  expect(await registry.metrics()).toMatch(/^of_one_look 2\n[^]*^of_the_same_look 20$/m);
});

it('adds up what a source says was added', async () => {
  sampledCounter('added_total', 'What came.', ['kind'])(async () => [{ labels: { kind: 'x' }, value: 3 }]);
  await registry.metrics();
  expect(await registry.metrics()).toContain('added_total{kind="x"} 6');
});

it('asks nobody what is of the whole service where that is not shown', async () => {
  let asked = 0;
  sampledGauge('of_the_service', 'Of all.')(async () => sample(++asked));
  showService(false);
  const shown = await registry.metrics();
  showService(true);
  expect([asked, /^of_the_service /m.test(shown)]).toEqual([0, false]);
  expect(await registry.metrics()).toContain('of_the_service 1');
});

// Last: one that hangs slows down every look that follows.
it.each([
  ['is away', () => Promise.reject(new Error('away'))],
  [
    'throws',
    () => {
      throw new Error('away');
    },
  ],
  ['hangs', () => new Promise<never>(() => undefined)],
])('a source that %s takes no other metric with it', async (how, source) => {
  sampledGauge(`away_${how.replace(' ', '_')}`, 'Never there.')(source);
  sampledGauge(`there_beside_${how.replace(' ', '_')}`, 'Always there.')(async () => [{ labels: {}, value: 7 }]);
  const shown = await registry.metrics();
  expect(shown).toContain(`there_beside_${how.replace(' ', '_')} 7`);
  expect(shown).not.toMatch(new RegExp(`^away_${how.replace(' ', '_')} `, 'm'));
});

import { registry, sampledGauge } from './metrics';

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

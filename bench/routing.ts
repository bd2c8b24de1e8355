import { Health, type Watched } from '../src/providers/health';
import { drawnByLot } from '../src/providers/routes';

// `npm run bench:routing`: what callers see while one of two providers fails more than half of its calls for ten minutes.
// A simulation with a clock of its own: the shares are those that the service would take, the providers are made up.

const [SECONDS, CALLS_PER_SECOND] = [30 * 60, 20];
const [DEGRADED_FROM, DEGRADED_UNTIL] = [10 * 60, 20 * 60];
const [WELL, DEGRADED] = [0.985, 0.4];
/** Of failures: after which nobody else may be asked, since nobody can say what became of the order. */
const UNKNOWN_SHARE = 0.5;
const [QUICK_MS, DEGRADED_MS] = [300, 4_000];
const NAMES = ['first', 'second'] as const;

type Way = 'fixed order' | 'weight' | 'by health';

interface Counts {
  calls: number;
  delivered: number;
  unknown: number;
  toFirst: number;
}

const watched = (provider: string): Watched => ({ product: 'airtime', provider, network: 'mtn', livemode: true });

function simulate(way: Way): Record<'before' | 'meanwhile' | 'after', Counts> {
  const health = new Health();
  const empty = (): Counts => ({ calls: 0, delivered: 0, unknown: 0, toFirst: 0 });
  const counts = { before: empty(), meanwhile: empty(), after: empty() };
  for (let call = 0; call < SECONDS * CALLS_PER_SECOND; call++) {
    const second = call / CALLS_PER_SECOND;
    const now = second * 1_000;
    const isDegraded = second >= DEGRADED_FROM && second < DEGRADED_UNTIL;
    const part = counts[isDegraded ? 'meanwhile' : second < DEGRADED_FROM ? 'before' : 'after'];
    const order = orderOf(way, health, now);
    part.calls++;
    if (order[0] === 'first') part.toFirst++;
    for (const name of order) {
      const isBad = isDegraded && name === 'first';
      const isDelivered = Math.random() < (isBad ? DEGRADED : WELL);
      health.note(watched(name), isDelivered, isBad ? DEGRADED_MS : QUICK_MS, now);
      if (isDelivered) part.delivered++;
      const isUnknown = !isDelivered && Math.random() < UNKNOWN_SHARE;
      if (isUnknown) part.unknown++;
      if (isDelivered || isUnknown) break;
    }
  }
  return counts;
}

function orderOf(way: Way, health: Health, now: number): readonly string[] {
  if (way === 'fixed order') return NAMES;
  const equals = NAMES.map((provider) => ({ provider }));
  return drawnByLot(equals, way === 'weight' ? [1, 1] : health.factors(NAMES.map(watched), now));
}

const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`;

console.log(`| Two providers, one of them at ${DEGRADED * 100} % for ten minutes | Delivered before | meanwhile | after | Nobody can say, meanwhile | Asked the bad one first, meanwhile | after |
|---|--:|--:|--:|--:|--:|--:|`);
for (const way of ['fixed order', 'weight', 'by health'] as const) {
  const { before, meanwhile, after } = simulate(way);
  const cells = [
    percent(before.delivered, before.calls),
    percent(meanwhile.delivered, meanwhile.calls),
    percent(after.delivered, after.calls),
    percent(meanwhile.unknown, meanwhile.calls),
    percent(meanwhile.toFirst, meanwhile.calls),
    percent(after.toFirst, after.calls),
  ];
  console.log(`| ${way} | ${cells.join(' | ')} |`);
}

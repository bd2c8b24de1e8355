import { Health, SHARE_MIN, type Watched } from './health';

const [A, B]: Watched[] = ['a', 'b'].map((provider) => ({
  product: 'airtime',
  provider,
  network: 'mtn',
  livemode: true,
})) as [Watched, Watched];
const MINUTE = 60_000;

describe('how well providers do', () => {
  let health: Health;
  let now: number;
  beforeEach(() => {
    health = new Health();
    now = 1_000 * MINUTE;
  });
  const calls = (watched: Watched, count: number, failures: number, ms = 50) => {
    for (let i = 0; i < count; i++) health.note(watched, i >= failures, ms, now);
  };
  const factors = () => health.factors([A!, B!], now);

  it('is not known before there are calls: nobody loses anything', () => expect(factors()).toEqual([1, 1]));

  it('is not known by one call that failed', () => {
    calls(A!, 1, 1);
    expect(factors()[0]).toBeGreaterThan(0.6);
  });

  it('costs share, steeply, and never all of it', () => {
    calls(A!, 200, 120);
    calls(B!, 200, 4);
    const [a, b] = factors();
    expect(b).toBe(1);
    expect(a).toBeLessThan(0.06);
    calls(A!, 2_000, 2_000);
    now += MINUTE / 2;
    expect(factors()[0]).toBe(SHARE_MIN);
  });

  it('costs nobody anything when all do badly alike', () => {
    calls(A!, 200, 120);
    calls(B!, 200, 120);
    expect(factors()).toEqual([1, 1]);
  });

  it('is of the last five minutes', () => {
    calls(A!, 200, 120);
    calls(B!, 200, 0);
    now += 6 * MINUTE;
    expect(health.of(A!, now)).toEqual({ successRate: 1, p95Ms: null, calls: 0 });
    expect(factors()).toEqual([1, 1]);
  });

  it('is decided every ten seconds at most, and does not change for little', () => {
    calls(A!, 1_000, 100);
    calls(B!, 1_000, 0);
    const [first] = factors();
    calls(A!, 1_000, 900);
    now += 5_000;
    expect(factors()[0]).toBe(first);
    now += 6_000;
    expect(factors()[0]).toBeLessThan(first! / 2);
    const [second] = factors();
    now += 11_000;
    calls(A!, 20, 10);
    expect(factors()[0]).toBe(second);
  });

  it('counts who is slow, and slower than twice the best', () => {
    calls(A!, 100, 0, 9_000);
    calls(B!, 100, 0, 200);
    expect(health.of(A!, now)).toMatchObject({ p95Ms: 16_384, successRate: 1 });
    expect(factors()).toEqual([expect.closeTo(256 / 16_384, 5), 1]);
  });

  it('keeps networks, products and modes apart', () => {
    calls(A!, 200, 200);
    expect(health.of({ ...A!, network: 'glo' }, now).calls).toBe(0);
    expect(health.of({ ...A!, livemode: false }, now).calls).toBe(0);
  });
});

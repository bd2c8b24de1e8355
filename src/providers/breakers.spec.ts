import { Breakers, type Line, ProviderOutage } from './breakers';

const LINE: Line = { product: 'airtime', provider: 'p', network: 'mtn', livemode: true, accountId: 'a' };
const answers = (outcome: string) => () => Promise.resolve({ outcome });
const UNKNOWN = answers('unknown');

let breakers: Breakers;
beforeEach(() => {
  breakers = new Breakers();
});

async function times(count: number, ask: () => Promise<{ outcome: string }>, line = LINE): Promise<void> {
  for (let i = 0; i < count; i++) await breakers.run(line, ask).catch(() => undefined);
}

describe('a breaker', () => {
  it('opens on unknown outcomes, and then asks nobody', async () => {
    await times(4, UNKNOWN);
    expect(breakers.isClosed(LINE)).toBe(true);
    await times(1, UNKNOWN);
    expect(breakers.isClosed(LINE)).toBe(false);
    let asked = 0;
    expect(await breakers.run(LINE, () => Promise.resolve({ outcome: `${asked++}` }))).toBeNull();
    expect(asked).toBe(0);
  });

  it('goes by the share of failures, and not by five in a row', async () => {
    await times(7, answers('delivered'));
    await times(5, UNKNOWN);
    expect(breakers.isClosed(LINE)).toBe(true);
    for (let i = 0; i < 5; i++) {
      await times(1, answers('delivered'));
      await times(4, UNKNOWN);
    }
    expect(breakers.isClosed(LINE)).toBe(false);
  });

  it('counts what is accepted and under way for the provider, not against it', async () => {
    await times(50, answers('accepted'));
    expect(breakers.isClosed(LINE)).toBe(true);
  });

  it('is of one network: the others are sold by the same provider', async () => {
    await times(5, UNKNOWN);
    expect([
      breakers.isClosed(LINE),
      breakers.isClosed({ ...LINE, network: 'airtel' }),
      breakers.isClosed({ ...LINE, provider: 'q' }),
    ]).toEqual([false, true, true]);
  });

  it("in test mode is one account's, and counts outages only", async () => {
    const test = { ...LINE, livemode: false };
    await times(20, UNKNOWN, test);
    await times(20, () => Promise.reject(new Error('as ordered')), test);
    expect(breakers.isClosed(test)).toBe(true);
    for (let i = 0; i < 41; i++)
      await times(1, () => Promise.reject(new ProviderOutage('down')), { ...test, accountId: 'b' });
    expect([breakers.isClosed(test), breakers.isClosed({ ...test, accountId: 'b' })]).toEqual([true, false]);
  });
});

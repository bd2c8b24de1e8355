import 'reflect-metadata';
import { Filter } from '../src/core/extension/decorators';
import type { FeeContext } from '../src/core/extension/points';
import { ExtensionKit, samplePayment } from '../src/core/extension/testing';
import type { Money } from '../src/core/money/money';
import { median } from './figures';

// `npm run bench:extensions`: what a call of svc_transaction_fee costs, with its context.

class Sync {
  @Filter('svc_transaction_fee', { id: 'bench.sync' })
  fee({ amount, currency }: Money, { draft }: FeeContext): Money {
    return { amount: draft.metadata.order === '7' ? amount + 1n : amount, currency };
  }
}

class Async {
  @Filter('svc_transaction_fee', { id: 'bench.async' })
  async fee({ amount, currency }: Money, { draft }: FeeContext): Promise<Money> {
    return { amount: draft.metadata.order === '7' ? amount + 1n : amount, currency };
  }
}

const ROUNDS = 7;
const CALLS = 100_000;
const FEE: Money = { amount: 10_000n, currency: 'NGN' };
const CONTEXT = samplePayment({ draft: { metadata: { order: '7', shop: 'Lagos' } } });

/** CPU time of one call in the middle round, in nanoseconds: whatever else the machine does counts less than on a clock. */
async function nsPerCall(call: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const began = process.cpuUsage();
    for (let i = 0; i < CALLS; i++) {
      const result = call();
      if (result instanceof Promise) await result;
    }
    const { user, system } = process.cpuUsage(began);
    // The first one warms up.
    if (round > 0) rounds.push(((user + system) * 1_000) / CALLS);
  }
  return median(rounds);
}

async function main(): Promise<void> {
  const fee = (...extensions: object[]) => {
    const { points } = ExtensionKit.with(...extensions);
    return () => points.filter('svc_transaction_fee', FEE, CONTEXT);
  };
  const rows = [
    ['no call', () => FEE],
    ['no filter', fee()],
    ['one synchronous filter', fee(new Sync())],
    ['one asynchronous filter', fee(new Async())],
  ] as const;
  console.log(`| ${'svc_transaction_fee'.padEnd(24)} | CPU ns per call |\n|${'-'.repeat(26)}|----------------:|`);
  for (const [name, call] of rows)
    console.log(`| ${name.padEnd(24)} | ${(await nsPerCall(call)).toFixed(0).padStart(15)} |`);
}

void main();

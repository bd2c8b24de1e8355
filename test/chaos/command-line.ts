import type { Lifetime } from '../../src/core/process/lifetime';

/** How much of something happens in a run, by an environment variable. Throws for what is no number of at least 1. */
export function figure(name: string, otherwise: number): number {
  const value = parseInt(process.env[name] ?? `${otherwise}`, 10);
  if (!(value > 0)) throw new Error(`${name} is a number of at least 1.`);
  return value;
}

/** What stands behind `--name=` on the command line. */
export const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Whether a time is within `times` the one before, or no more than `noiseMs` above it: so little says nothing. */
export const isAsBefore = (beforeMs: number, ms: number, times: number, noiseMs: number): boolean =>
  ms <= Math.max(beforeMs * times, beforeMs + noiseMs);

/** Ends a run: says what is wrong, or `otherwise`. `seed`: how the same run is had again. */
export async function conclude(
  lifetime: Lifetime,
  wrong: readonly string[],
  otherwise: string,
  seed = '',
): Promise<void> {
  console.log(
    wrong.length > 0 ? `\nFAILED${seed}\n${wrong.map((line) => `  - ${line}`).join('\n')}` : `\n${otherwise}`,
  );
  await lifetime.end(wrong.length > 0 ? 1 : 0);
}

import { readFileSync } from 'node:fs';
import { median } from '../../../bench/figures';

interface Sample {
  readonly at: number;
  /** Bytes. */
  readonly kept: number;
  readonly resident: number;
}

interface Growth {
  readonly name: string;
  /** MiB an hour of what is kept, by least squares, and two standard errors of it. */
  readonly perHour: number;
  readonly error: number;
  /** MiB, medians of the first third and of the last. */
  readonly kept: readonly [number, number];
  readonly resident: readonly [number, number];
}

const HOUR_MS = 3_600_000;
const MIB = 1024 ** 2;
/** In its first part a process fills its caches and compiles what is hot. */
const WARM_UP = 0.2;

/** Of what `memory.cjs` noted in `file` since a moment. */
export function growthOf(name: string, file: string, since: number): Growth {
  const all = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
    .filter(({ at }) => at >= since);
  const samples = all.slice(Math.floor(all.length * WARM_UP));
  const { slope, error } = lineThrough(samples.map(({ at, kept }) => [at / HOUR_MS, kept / MIB]));
  const third = Math.ceil(samples.length / 3);
  const medians = (which: 'kept' | 'resident'): [number, number] => [
    median(samples.slice(0, third).map((sample) => sample[which] / MIB)),
    median(samples.slice(-third).map((sample) => sample[which] / MIB)),
  ];
  return { name, perHour: slope, error: 2 * error, kept: medians('kept'), resident: medians('resident') };
}

/** By least squares: its slope, and the standard error of that. */
function lineThrough(points: readonly (readonly [x: number, y: number])[]): { slope: number; error: number } {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const sum = (term: (dx: number, dy: number) => number): number =>
    points.reduce((total, [x, y]) => total + term(x - meanX, y - meanY), 0);
  const spread = sum((dx) => dx * dx);
  const slope = sum((dx, dy) => dx * dy) / spread;
  const rest = sum((dx, dy) => (dy - slope * dx) ** 2);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}

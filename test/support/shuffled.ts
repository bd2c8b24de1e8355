export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const lots = new Map(items.map((_, position) => [position, random()]));
  return [...lots.keys()].sort((a, b) => lots.get(a)! - lots.get(b)!).map((position) => items[position]!);
}

/** `length` places of a list of `size`, in any order: each of them at least once, also the newest before the oldest. */
export const shuffledWithRepeats = (size: number, length: number): number[] =>
  shuffled(
    Array.from({ length }, (_, i) => (i < size ? i : Math.floor(Math.random() * size))),
    Math.random,
  );

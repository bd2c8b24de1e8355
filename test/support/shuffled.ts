/** `length` places of a list of `size`, in any order: each of them at least once, also the newest before the oldest. */
export function shuffledWithRepeats(size: number, length: number): number[] {
  const places = Array.from({ length }, (_, i) => (i < size ? i : Math.floor(Math.random() * size)));
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [places[last], places[other]] = [places[other]!, places[last]!];
  }
  return places;
}

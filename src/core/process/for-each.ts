/** Does something with each of many, so many at a time. */
export async function forEach<T>(
  all: readonly T[],
  atATime: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += atATime) await Promise.all(all.slice(from, from + atATime).map(work));
}

/** Filters in the address, as plain words and not as JSON: `?status=failed&q=0801`. */
export const parseWords = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function stringifyWords(search: Record<string, unknown>): string {
  const set = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

type Search = Readonly<Record<string, string | undefined>>;

/** What of an address is words; the rest is nobody's. */
export const wordsIn = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

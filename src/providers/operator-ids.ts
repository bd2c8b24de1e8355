// Companies that sell for operators all over the world call each by an id and a name of their own.

/** Whether what they call `MTN Nigeria` is the network `mtn`. */
export const isNetwork = (name: string, slug: string): boolean => wordsOf(name).includes(wordsOf(slug));

const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ')} `;

const ENTRY = /^([A-Z]{2}\/[a-z0-9-]{1,40}|[a-z0-9][a-z0-9._-]{0,63})=([1-9]\d{0,8})$/;

/** `NG/mtn=341` and `mtn-1gb=345` of a setting. Throws at what is no such entry: the process does not start. */
export function operatorIds(setting: string, entries: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    entries.map((entry) => {
      const [, key, id] = ENTRY.exec(entry) ?? [];
      if (key === undefined) throw new Error(`${setting}: "${entry}" is neither NG/mtn=341 nor plan-code=345`);
      return [key, id!] as const;
    }),
  );
}

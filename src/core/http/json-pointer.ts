/** Longer than the name of any field: no more of a client's own words comes back to it. */
const NAME_MAX = 60;

/** A key as one step of a JSON pointer (RFC 6901), shortened and printable: `a/b` → `/a~1b`. */
export const pointer = (key: string | number): string =>
  '/' +
  String(key).slice(0, NAME_MAX).toWellFormed().replaceAll('\0', '\ufffd').replaceAll('~', '~0').replaceAll('/', '~1');

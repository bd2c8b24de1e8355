/** A key as one step of a JSON pointer (RFC 6901): `a/b` → `/a~1b`. */
export const pointer = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

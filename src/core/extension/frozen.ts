/**
 * A deeply frozen copy of plain data, made for handlers: whatever they try, the caller's own objects stay as they are and
 * stay changeable.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  // A date cannot be frozen.
  if (value instanceof Date) return new Date(value) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' && part !== null) copy[key] = frozenCopy(part);
  }
  return Object.freeze(copy) as T;
}

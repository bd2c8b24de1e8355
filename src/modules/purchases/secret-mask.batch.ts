/** Fields beside a secret that say what it is for and open nothing. Whatever is not listed is taken for a secret. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set(['kind', 'units', 'serial']);
const SHOWN_MAX = 4;

/** A copy of a delivery's secrets (meter tokens, PINs) that may be listed, sent and logged: only the last characters of each are left. */
export const maskSecrets = (secrets: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, PUBLIC_FIELDS.has(name) ? value : mask(value)]),
  );

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value === 'object' && value !== null) return maskSecrets(value as Record<string, unknown>);
  return typeof value === 'string' || typeof value === 'number' ? maskText(`${value}`) : value;
}

function maskText(text: string): string {
  // Never more than half: four characters of a five-digit PIN would be all but the PIN.
  const shown = Math.min(SHOWN_MAX, Math.floor(text.length / 2));
  return '*'.repeat(text.length - shown) + text.slice(text.length - shown);
}

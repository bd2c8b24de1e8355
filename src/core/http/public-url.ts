import type { Env } from '../config/env';

/** Base address for links, without a trailing slash. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Env): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return (PUBLIC_URL ?? `http://${host}:${PORT}`).replace(/\/+$/, '');
}

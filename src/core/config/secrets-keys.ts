import { hkdfSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Env } from './env';

export type SecretsSettings = Pick<Env, 'SECRETS_KEY' | 'SECRETS_KEYS'>;

/** The keys for one purpose, made of the master keys: the first is used for what is new, all for what there is. */
export const keysFor = (purpose: string, { SECRETS_KEY, SECRETS_KEYS }: SecretsSettings): Buffer[] =>
  (SECRETS_KEYS?.split(',') ?? [SECRETS_KEY]).map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)),
  );

/**
 * Returns what `file` holds; writes `candidate` there first when it does not exist. Only its owner may read the file.
 */
export function keepSecret(file: string, candidate: string): string {
  try {
    writeFileSync(file, `${candidate}\n`, { mode: 0o600, flag: 'wx' });
    return candidate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}

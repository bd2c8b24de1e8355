import { hkdfSync } from 'node:crypto';
import type { Env } from './env';

export type SecretsSettings = Pick<Env, 'SECRETS_KEY' | 'SECRETS_KEYS'>;

/** The keys for one purpose, made of the master keys: the first is used for what is new, all for what there is. */
export const keysFor = (purpose: string, { SECRETS_KEY, SECRETS_KEYS }: SecretsSettings): Buffer[] =>
  (SECRETS_KEYS?.split(',') ?? [SECRETS_KEY]).map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32)),
  );

import { hash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, 43 characters. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

export const isToken = (text: string): boolean => TOKEN.test(text);

/** What is stored instead of a token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 80 random bits as `ABCD-EFGH-IJKL-MNOP`: too many to be found from their hash. */
export const makeRecoveryCode = (): string =>
  [...randomBytes(16)].map((byte, at) => (at > 0 && at % 4 === 0 ? '-' : '') + BASE32[byte % 32]).join('');

/** However it was typed. */
export const hashRecoveryCode = (code: string): Buffer => hashToken(code.toUpperCase().replace(/[^A-Z2-7]/g, ''));

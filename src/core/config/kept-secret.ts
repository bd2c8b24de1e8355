import { readFileSync, writeFileSync } from 'node:fs';

/** Returns what `file` holds; writes `candidate` there first when it does not exist. Only its owner may read the file. */
export function keepSecret(file: string, candidate: string): string {
  try {
    writeFileSync(file, `${candidate}\n`, { mode: 0o600, flag: 'wx' });
    return candidate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** When a file, or anything in a folder, was last changed. A folder counts too: its time changes when a file in it is removed. */
export function newest(path) {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => newest(join(path, name))) : [];
  return Math.max(stats.mtimeMs, ...inside);
}

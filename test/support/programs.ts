import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program by one of these names in a folder of PATH; null: this machine has none. */
export function findOnPath(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

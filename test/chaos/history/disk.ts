import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from '../../../src/core/process/lifetime';

/** Memory is used only for what is on it. */
const BYTES = 4 * 1024 ** 3;

/** A disk of its own, in memory, that can be full. */
export class Disk {
  private constructor(readonly folder: string) {}

  /** Null where nobody may mount one. */
  static async mount(lifetime: Lifetime): Promise<Disk | null> {
    const disk = new Disk(mkdtempSync(join(tmpdir(), 'duka-disk-')));
    await lifetime.own(Promise.resolve(), async () => rmSync(disk.folder, { recursive: true, force: true }));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', disk.folder], { stdio: 'ignore' });
    } catch {
      return null;
    }
    await lifetime.own(Promise.resolve(), async () => void execFileSync('umount', ['--lazy', disk.folder]));
    // PostgreSQL runs as a user of its own.
    chmodSync(disk.folder, 0o711);
    return disk;
  }

  /** From here on it has room for what is there, and for nothing more. */
  fill(): void {
    const { blocks, bfree, bsize } = statfsSync(this.folder);
    // Something may have been written since: less than what is used is refused.
    this.resize((blocks - bfree) * bsize + SLACK);
  }

  free(): void {
    this.resize(BYTES);
  }

  private resize(bytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${bytes}`, this.folder]);
  }
}

const SLACK = 1024 ** 2;

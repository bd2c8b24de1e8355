import { execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const GUIDE = readFileSync('docs/sdk-typescript.md', 'utf8');
const [, INSTALLATION] = /^```sh run\n(.*?)^```$/ms.exec(GUIDE)!;

/** A folder of somebody who has nothing but the TypeScript client, packed and installed as its guide says. */
export class ClientPackage {
  private constructor(readonly folder: string) {}

  static async install(): Promise<ClientPackage> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-client-'));
    symlinkSync(process.cwd(), join(folder, 'duka'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const env = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false', npm_config_offline: 'true' };
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', INSTALLATION!], { cwd: folder, env });
    return new ClientPackage(folder);
  }

  load(): Promise<any> {
    return import(join(this.folder, 'node_modules/@duka/client/dist/index.js'));
  }

  /** A file of the guide, into the folder. */
  write(name: string): void {
    const [, code] = new RegExp(`^\\*\\*${name}\\*\\*\\n\\n\`\`\`ts\\n(.*?)^\`\`\`$`, 'ms').exec(GUIDE)!;
    writeFileSync(join(this.folder, name), code!);
  }

  /** What it prints. */
  async run(program: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const options = { cwd: this.folder, env: { PATH: process.env.PATH, ...env } };
    return (await promisify(execFile)(program, args, options)).stdout;
  }

  /** A program that goes on, and its lines. */
  start(name: string, env: Record<string, string>) {
    const options = { cwd: this.folder, env: { PATH: process.env.PATH, ...env } };
    const child = spawn(process.execPath, [name], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = on(createInterface(child.stdout), 'line');
    const next = async (): Promise<string> => String((await lines.next()).value);
    return { next, stop: () => child.kill('SIGKILL') };
  }
}

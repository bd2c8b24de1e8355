import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const GUIDE = readFileSync('docs/cli.md', 'utf8');
const [INSTALLATION, ...COMMANDS] = [...GUIDE.matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block]) => block!);

/** What a process has written so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string[];
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

/** A machine with `duka` on it, installed as its guide says, and a home of its own. */
export class PartnerCli {
  private readonly running: ChildProcess[] = [];

  private constructor(
    readonly folder: string,
    private readonly service: () => string,
  ) {}

  static async install(service: () => string): Promise<PartnerCli> {
    const cli = new PartnerCli(mkdtempSync(join(tmpdir(), 'duka-cli-')), service);
    // No link: npm would not find through it what the package brings along.
    const { code, stderr } = await cli.shell(INSTALLATION!.replaceAll('./duka/', `${process.cwd()}/`));
    if (code !== 0) throw new Error(stderr);
    return cli;
  }

  get config(): string {
    return join(this.folder, 'config/duka');
  }

  private get env(): Record<string, string | undefined> {
    return {
      PATH: `${join(this.folder, 'global/bin')}:${process.env.PATH}`,
      HOME: this.folder,
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      npm_config_prefix: join(this.folder, 'global'),
      npm_config_cache: join(this.folder, 'npm'),
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
  }

  /** The other commands of the guide, one block after the other. */
  async runGuide(key: string): Promise<string[]> {
    const outputs: string[] = [];
    writeFileSync(join(this.folder, 'sandbox.json'), JSON.stringify({ test_key: key }));
    for (const block of COMMANDS) {
      const here = block.replaceAll('http://127.0.0.1:3000', this.service()).replaceAll('./duka/.data/', './');
      const { code, stdout, stderr } = await this.shell(here);
      if (code !== 0) throw new Error(`${here}\n${stdout}${stderr}`);
      outputs.push(stdout);
    }
    return outputs;
  }

  shell(script: string, more: Record<string, string> = {}, input = '') {
    return this.execute('bash', ['--norc', '-euo', 'pipefail', '-c', script], more, input);
  }

  /** With a key in the environment. */
  as(key: string) {
    return (...words: string[]) => this.run(words, { DUKA_API_KEY: key, DUKA_BASE_URL: this.service() });
  }

  run(words: readonly string[], more: Record<string, string> = {}, input = '') {
    return this.execute(process.execPath, [this.program, ...words], more, input);
  }

  start(words: readonly string[], more: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [this.program, ...words], {
      cwd: this.folder,
      env: { ...this.env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.running.push(child);
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, out: () => said.out.split('\n').slice(0, -1), err: () => said.err, ended };
  }

  remove(): void {
    for (const child of this.running) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get program(): string {
    return join(this.folder, 'global/lib/node_modules/@duka/cli/dist/duka.js');
  }

  private async execute(program: string, args: string[], more: Record<string, string>, input: string) {
    const done = promisify(execFile)(program, args, { cwd: this.folder, env: { ...this.env, ...more } });
    done.child.stdin!.on('error', () => undefined).end(input);
    return done.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  }
}

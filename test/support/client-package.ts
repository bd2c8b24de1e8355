import { execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { messageOf } from './client-cases';
import type { Duka } from './duka';
import { createEndpoint } from './webhooks';

interface Wanted {
  /** Of `docs/sdk-typescript.md`: `typescript`. */
  readonly language: string;
  readonly files?: Record<string, string>;
  readonly env?: Record<string, string>;
}

/** A folder of somebody who has nothing but the client of a language, packed and installed as its guide says. */
export class ClientPackage {
  private constructor(
    readonly folder: string,
    private readonly guide: string,
    private readonly env: Record<string, string | undefined>,
  ) {}

  static async install({ language, files = {}, env: own }: Wanted): Promise<ClientPackage> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-client-'));
    symlinkSync(process.cwd(), join(folder, 'duka'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const guide = readFileSync(`docs/sdk-${language}.md`, 'utf8');
    const { PATH, HOME } = process.env;
    const installed = new ClientPackage(folder, guide, { PATH, HOME, ...own });
    const [, installation] = /^```sh run\n(.*?)^```$/ms.exec(guide)!;
    await installed.run('bash', ['-euo', 'pipefail', '-c', installation!]);
    return installed;
  }

  /** A file of the guide, into the folder. */
  write(name: string): void {
    const [, code] = new RegExp(`^\\*\\*${name}\\*\\*\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\`$`, 'ms').exec(this.guide)!;
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), code!);
  }

  /** What it prints. */
  async run(program: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.env, ...env } };
    return (await promisify(execFile)(program, args, options)).stdout;
  }

  /** A program that goes on, and its lines. */
  start(program: string, args: string[], env: Record<string, string>) {
    const options = { cwd: this.folder, env: { ...this.env, ...env } };
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = on(createInterface(child.stdout), 'line', { close: ['close'] });
    const next = async (): Promise<string> => String((await lines.next()).value);
    return { next, stop: () => child.kill('SIGKILL') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** How a program of a guide is run: `buy`, `wait`, `list`, `receive`. */
export type Command = (name: string) => [string, ...string[]];

/** What the programs of every guide do, against the running service, with each of the commands. */
export function expectGuide(
  installed: () => ClientPackage,
  duka: () => Duka,
  commands: () => Command[] | Promise<Command[]>,
): void {
  it('runs what its guide shows', async () => {
    for (const command of await commands()) {
      const account = await duka().account();
      await account.api.credit((await account.api.get('/v4/wallets')).body.data[0].id, 100_000);
      const env = { DUKA_KEY: account.key, DUKA_URL: duka().url };
      const run = (name: string): Promise<string> => {
        const [program, ...args] = command(name);
        return installed().run(program, args, env);
      };
      expect(await run('buy')).toBe('successful mtn\n');
      expect(await run('wait')).toMatch(/^(null|none|<nil>) true\nsuccessful\n$/i);
      const [spent, page] = (await run('list')).split('\n');
      expect(Number(spent)).toBeGreaterThan(60_000);
      expect(page).toMatch(/^1 false false$/i);
    }
  });

  it('receives as its guide shows', async () => {
    const { api } = await duka().account();
    await api.credit((await api.get('/v4/wallets')).body.data[0].id, 100_000);
    const { id, secret } = await createEndpoint(api, { events: ['transaction.*'] });
    const { headers: old } = messageOf({ at: 0, signed_by: ['ours'], known: [] });
    const [program, ...args] = (await commands())[0]!('receive');
    const receiver = installed().start(program, args, { PORT: '0', WEBHOOK_SECRET: secret });
    try {
      const url = `http://127.0.0.1:${(await receiver.next()).split(' ').at(-1)}/`;
      expect((await fetch(url, { method: 'POST', headers: old, body: '{}' })).status).toBe(400);
      await api.patch(`/v4/webhooks/${id}`, { url });
      await api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: 10_000 });
      expect(await receiver.next()).toBe('transaction.successful 10000');
    } finally {
      receiver.stop();
    }
  });
}

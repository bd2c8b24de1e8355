import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { Client } from 'pg';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { statOf } from '../process-table';
import { freePort } from '../../../src/core/process/ports';

const CONFIGURATION = join(__dirname, '../../../deploy/ha');
const DEBIAN = '/usr/lib/postgresql';
const POLL_MS = 50;
const GIVE_UP_MS = 120_000;
/** The way to the standbys is slow just before a primary dies: what does not get there must not be acknowledged. */
const SLOW_MS = 500;

interface Node {
  readonly name: string;
  readonly port: number;
  readonly patroni: number;
  readonly data: string;
}

/** As Patroni tells of it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** What is missing on this machine for a cluster of Debian's packages. */
export const missingPrograms = (): string[] =>
  ['patroni', 'etcd', 'haproxy'].filter(
    (name) => !['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name))),
  );

/** Three PostgreSQL that Patroni keeps, etcd and HAProxy, by the files of `deploy/ha`, all in a folder of their own. */
export class PatroniCluster {
  private readonly programs = new Map<string, ChildProcess>();
  private readonly postgres = {
    uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })),
    gid: Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' })),
  };

  private constructor(
    private readonly folder: string,
    private readonly nodes: readonly Node[],
    private readonly ports: { readonly etcd: number; readonly peers: number; readonly proxy: number },
  ) {}

  static async start(lifetime: Lifetime): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-ha-'));
    chmodSync(folder, 0o755);
    await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
    const nodes: Node[] = [];
    for (const name of ['one', 'two', 'three'])
      nodes.push({ name, port: await freePort(), patroni: await freePort(), data: join(folder, name, 'data') });
    const ports = { etcd: await freePort(), peers: await freePort(), proxy: await freePort() };
    const cluster = new PatroniCluster(folder, nodes, ports);
    await lifetime.own(Promise.resolve(), () => cluster.end());
    await cluster.launch();
    return cluster;
  }

  /** Through HAProxy. */
  get url(): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.ports.proxy}/duka`;
  }

  /** All servers, without a proxy. */
  get directUrl(): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join();
    return `postgres://postgres:${PASSWORD}@${hosts}/duka?target_session_attrs=read-write`;
  }

  /** Patroni's `synchronous_mode`. Resolves when it counts. */
  async setSynchronous(isOn: boolean): Promise<void> {
    await this.tell(await this.primary(), 'PATCH', '/config', { synchronous_mode: isOn });
    await this.until(async () => {
      const { rows } = await this.ask<{ on: boolean }>(
        `SELECT current_setting('synchronous_standby_names') <> '' AS on`,
      );
      return rows[0]!.on === isOn;
    });
  }

  /**
   * Ends the primary. `machine`: every process of it, at once; `server`: PostgreSQL only; `switchover`: as planned.
   * Resolves with its name.
   */
  async strike(how: 'machine' | 'server' | 'switchover'): Promise<string> {
    const node = await this.primary();
    if (how === 'switchover') await this.tell(node, 'POST', '/switchover', { leader: node.name });
    else {
      const { rows } = await this.ask<{ pid: number }>('SELECT pid FROM pg_stat_replication', node);
      for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
      await sleep(SLOW_MS);
      await this.kill(node, how === 'machine');
    }
    return node.name;
  }

  /** Whoever was primary comes back as a standby. Resolves when the cluster is whole. */
  async bringBack(name: string, isSynchronous: boolean): Promise<void> {
    const node = this.nodes.find((each) => each.name === name)!;
    if (statOf(this.programs.get(name)!.pid!) === null) this.launchPatroni(node);
    await this.untilWhole(isSynchronous);
  }

  private async tell({ patroni }: Node, method: string, path: string, body: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${patroni}${path}`, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`Patroni: ${response.status} ${await response.text()}`);
  }

  private async untilWhole(isSynchronous: boolean): Promise<void> {
    await this.until(async () => {
      const members = await this.members();
      const standbys = members.filter(({ role }) => role !== 'leader');
      return (
        members.length === this.nodes.length &&
        standbys.length === members.length - 1 &&
        members.every(({ state }) => state === 'running' || state === 'streaming') &&
        standbys.some(({ role }) => role === 'sync_standby') === isSynchronous &&
        (await this.ask<{ count: number }>('SELECT count(*)::int AS count FROM pg_stat_replication')).rows[0]!.count ===
          standbys.length
      );
    });
  }

  private async launch(): Promise<void> {
    const { etcd, peers, proxy } = this.ports;
    const [clients, members] = [etcd, peers].map((port) => `http://127.0.0.1:${port}`) as [string, string];
    const flags = {
      'data-dir': join(this.folder, 'etcd'),
      'listen-client-urls': clients,
      'advertise-client-urls': clients,
      'listen-peer-urls': members,
      'initial-advertise-peer-urls': members,
      'initial-cluster': `default=${members}`,
    };
    this.spawn(
      'etcd',
      'etcd',
      Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    );
    // The first makes the cluster that the others copy.
    for (const [index, node] of this.nodes.entries()) {
      mkdirSync(join(this.folder, node.name));
      chownSync(join(this.folder, node.name), this.postgres.uid, this.postgres.gid);
      this.launchPatroni(node);
      if (index === 0) await this.until(async () => (await this.members()).some(({ role }) => role === 'leader'));
    }
    const [one, two, three] = this.nodes as [Node, Node, Node];
    this.spawn('haproxy', 'haproxy', ['-db', '-f', join(CONFIGURATION, 'haproxy.cfg')], {
      DUKA_LISTEN: `127.0.0.1:${proxy}`,
      DUKA_ONE: `127.0.0.1:${one.port}`,
      DUKA_ONE_PATRONI: String(one.patroni),
      DUKA_TWO: `127.0.0.1:${two.port}`,
      DUKA_TWO_PATRONI: String(two.patroni),
      DUKA_THREE: `127.0.0.1:${three.port}`,
      DUKA_THREE_PATRONI: String(three.patroni),
    });
    await this.untilWhole(true);
    await this.ask('CREATE DATABASE duka');
  }

  private launchPatroni({ name, port, patroni, data }: Node): void {
    const [version] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    const env = {
      ...parseEnv(readFileSync(join(CONFIGURATION, 'patroni.env'), 'utf8')),
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${this.ports.etcd}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroni}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${patroni}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_BIN_DIR: join(DEBIAN, version!, 'bin'),
      PATRONI_POSTGRESQL_PGPASS: join(this.folder, name, 'pgpass'),
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
    };
    this.spawn(name, 'patroni', [join(CONFIGURATION, 'patroni.yml')], env, this.postgres);
  }

  private spawn(
    name: string,
    program: string,
    args: string[],
    env: NodeJS.ProcessEnv = {},
    user: { uid?: number; gid?: number } = {},
  ): void {
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const options = { ...user, env: { PATH: `/usr/sbin:${process.env.PATH}`, ...env }, cwd: this.folder };
    this.programs.set(name, spawn(program, args, { ...options, stdio: ['ignore', log, log] }));
  }

  private async primary(): Promise<Node> {
    let found: Node | undefined;
    await this.until(async () => {
      const leader = (await this.members()).find(({ role, state }) => role === 'leader' && state === 'running');
      found = this.nodes.find(({ name }) => name === leader?.name);
      return found !== undefined;
    });
    return found!;
  }

  /** What the first Patroni to answer says of all. */
  private async members(): Promise<Member[]> {
    for (const { patroni } of this.nodes) {
      try {
        const response = await fetch(`http://127.0.0.1:${patroni}/cluster`, { signal: AbortSignal.timeout(2_000) });
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // It is the one that was killed, or does not run yet.
      }
    }
    return [];
  }

  private async ask<Row extends object>(statement: string, node?: Node) {
    const { port } = node ?? (await this.primary());
    const client = new Client({ connectionString: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query<Row>(statement);
    } finally {
      await client.end();
    }
  }

  /** Patroni and PostgreSQL, which has a session of its own. */
  private async kill({ name, data }: Node, withPatroni = true): Promise<void> {
    const roots = [withPatroni ? this.programs.get(name)!.pid! : null, postmasterOf(data)];
    const pids = roots.flatMap((pid) => (pid === null ? [] : withDescendants(pid)));
    for (const pid of pids) if (statOf(pid) !== null) process.kill(pid, 'SIGKILL');
    while (pids.some((pid) => statOf(pid) !== null)) await sleep(POLL_MS);
  }

  private async end(): Promise<void> {
    for (const node of this.nodes) if (this.programs.has(node.name)) await this.kill(node);
    for (const name of ['haproxy', 'etcd']) {
      const child = this.programs.get(name);
      if (child === undefined || child.exitCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }

  private async until(isTrue: () => Promise<boolean>): Promise<void> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(POLL_MS))
      if (await isTrue().catch(() => false)) return;
    const words = [...this.programs.keys()].map(
      (name) =>
        `${name}: ${readFileSync(join(this.folder, `${name}.log`), 'utf8')
          .trimEnd()
          .split('\n')
          .slice(-8)
          .join('\n')}`,
    );
    throw new Error(`The cluster did not get there:\n${words.join('\n\n')}`);
  }
}

const PASSWORD = 'drill';

function postmasterOf(data: string): number | null {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return null;
  }
}

function withDescendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    const parent = statOf(pid)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const all = [root];
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  return all;
}

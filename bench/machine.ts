import { cpus, release, totalmem, type } from 'node:os';
import { Client } from 'pg';

/** Cores and memory. */
export function describeHardware(): string {
  const cores = cpus();
  return `${cores.length} × ${cores[0]?.model.trim()} · ${Math.round(totalmem() / 2 ** 30)} GB`;
}

/** A sentence about each thing that the figures depend on. */
export async function describeMachine(databaseUrl: string, pgbench = 'no pgbench'): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ postgres: string }>(`SELECT split_part(version(), ' on ', 1) AS postgres`);
  await client.end();
  const parts = [
    describeHardware(),
    `${type()} ${release()}`,
    `Node ${process.version}`,
    rows[0]!.postgres,
    pgbench,
    new Date().toISOString().slice(0, 10),
  ];
  return parts.join(' · ');
}

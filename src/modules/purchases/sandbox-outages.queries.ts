import type { DataSource } from 'typeorm';
import type { OutageMode } from './sandbox-scenarios.types';

const STALE_MS = 1_000;

interface OutageRow {
  readonly account_id: string;
  readonly provider: string;
  readonly mode: OutageMode;
}

type Modes = ReadonlyMap<string, OutageMode>;

/** Outages that testers ordered, by account and provider. Known by heart, so that a sale without one asks no database. */
export class SandboxOutages {
  /** Null: to be read again. */
  private known: { readonly modes: Promise<Modes>; readonly readAt: number } | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Null: none today. May lag one second behind what another process was told. */
  async of(accountId: string, provider: string): Promise<OutageMode | null> {
    if (this.known === null || performance.now() - this.known.readAt >= STALE_MS)
      this.known = { modes: this.load(), readAt: performance.now() };
    return (await this.known.modes).get(keyOf(accountId, provider)) ?? null;
  }

  async set(accountId: string, provider: string, mode: OutageMode): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO sandbox_outages (account_id, provider, mode) VALUES ($1, $2, $3)
        ON CONFLICT ON CONSTRAINT sandbox_outages_pkey DO UPDATE SET mode = excluded.mode, calls = 0, changed_at = now()`,
      [accountId, provider, mode],
    );
    this.known = null;
  }

  async clear(accountId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE sandbox_outages SET mode = 'none', changed_at = now() WHERE account_id = $1 AND mode <> 'none'`,
      [accountId],
    );
    this.known = null;
  }

  /** Counts a call of a provider; the first is 1. */
  async count(accountId: string, provider: string): Promise<number> {
    const [rows]: [{ calls: number }[]] = await this.dataSource.query(
      'UPDATE sandbox_outages SET calls = calls + 1 WHERE account_id = $1 AND provider = $2 RETURNING calls',
      [accountId, provider],
    );
    return rows[0]?.calls ?? 0;
  }

  /** Of a provider that was away, orders may have been lost: its outage is remembered for a day after its end. */
  private async load(): Promise<Modes> {
    try {
      const rows: OutageRow[] = await this.dataSource.query(
        `SELECT account_id, provider, mode FROM sandbox_outages WHERE mode <> 'none' OR changed_at > now() - interval '1 day'`,
      );
      return new Map(rows.map(({ account_id, provider, mode }) => [keyOf(account_id, provider), mode]));
    } catch (error) {
      this.known = null;
      throw error;
    }
  }
}

const keyOf = (accountId: string, provider: string): string => `${accountId}/${provider}`;

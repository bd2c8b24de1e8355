import { randomUUID } from 'node:crypto';
import { post } from './bank';
import type { Service } from './service';
import { peakMemoryMb } from './usage';

/** As many transfers as one request may carry. */
const TOGETHER = 500;
const AMOUNT = 100;
const FORMATS = ['json', 'csv', 'pdf'];

export interface StatementRun {
  /** The slowest of all formats. */
  readonly firstByteMs: number;
  /** Of a process that did nothing else. */
  readonly peakMemoryMb: number;
}

/** A wallet that paid, and was paid, so many times. */
export async function openBusyWallet(port: number, key: string, lines: number): Promise<string> {
  const [wallet, other] = await Promise.all([openWallet(port, key), openWallet(port, key)]);
  for (let sent = 1; sent < lines;) {
    const items = Array.from({ length: Math.min(TOGETHER, lines - sent) }, () => {
      const [from_wallet, to_wallet] = sent++ % 2 === 0 ? [other, wallet] : [wallet, other];
      return { from_wallet, to_wallet, amount: AMOUNT, reference: randomUUID() };
    });
    await post(port, key, '/v4/batches', { kind: 'transfer', on_error: 'all_or_nothing', items });
  }
  return wallet;
}

/** Reads the statement in each format, of a fresh process. */
export async function readStatements(
  service: Service,
  { key, wallet }: { readonly key: string; readonly wallet: string },
): Promise<StatementRun> {
  const api = await service.startApi();
  try {
    const path = `http://127.0.0.1:${api.port}/v4/wallets/${wallet}`;
    const headers = { authorization: `Bearer ${key}` };
    // The first request of a process finds nothing prepared.
    await fetch(path, { headers });
    let firstByteMs = 0;
    for (const format of FORMATS) {
      const since = performance.now();
      const { status, body } = await fetch(`${path}/statement?format=${format}`, { headers });
      const reader = body!.getReader();
      await reader.read();
      firstByteMs = Math.max(firstByteMs, performance.now() - since);
      if (status !== 200) throw new Error(`a statement was answered with ${status}`);
      while (!(await reader.read()).done);
    }
    return { firstByteMs, peakMemoryMb: peakMemoryMb(api.pid) };
  } finally {
    await service.processes.stopById(api.pid);
  }
}

async function openWallet(port: number, key: string): Promise<string> {
  const { id } = await post<{ id: string }>(port, key, '/v4/wallets', { currency: 'NGN' });
  await post(port, key, `/v4/sandbox/wallets/${id}/credit`, { amount: 1_000_000 });
  return id;
}

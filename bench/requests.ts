import { randomUUID } from 'node:crypto';

export interface Wanted {
  readonly port: number;
  readonly key: string;
}

/** Transfers between wallets drawn at random, each with a key of its own. `from` makes one wallet pay them all. */
export interface TransferRequests extends Wanted {
  readonly kind: 'transfer';
  readonly wallets: readonly string[];
  readonly from?: string;
}

/** Paths drawn at random. */
export interface ReadRequests extends Wanted {
  readonly kind: 'read';
  readonly paths: readonly string[];
}

export type Requests = TransferRequests | ReadRequests;

/** Makes the bytes of one request after the other. */
export function requestMaker(wanted: Requests): () => string {
  const head = `host: 127.0.0.1:${wanted.port}\r\nauthorization: Bearer ${wanted.key}\r\n`;
  if (wanted.kind === 'read') {
    const requests = wanted.paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`);
    return () => pick(requests);
  }
  const post = `POST /v4/wallets/transfer HTTP/1.1\r\n${head}content-type: application/json\r\n`;
  return () => {
    const body = transferBody(wanted);
    return `${post}idempotency-key: ${randomUUID()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
}

function transferBody({ wallets, from = pick(wallets) }: TransferRequests): string {
  let to = pick(wallets);
  while (to === from) to = pick(wallets);
  const amount = 1 + Math.floor(Math.random() * 999);
  return `{"from_wallet":"${from}","to_wallet":"${to}","amount":${amount},"currency":"NGN"}`;
}

const pick = <T>(things: readonly T[]): T => things[Math.floor(Math.random() * things.length)]!;

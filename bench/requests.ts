import { randomUUID } from 'node:crypto';

interface Wanted {
  readonly port: number;
  readonly key: string;
}

/**
 * Transfers between wallets drawn at random, each with a key of its own. `from` makes one wallet pay them all; `payees`
 * are paid in place of the wallets.
 */
interface TransferRequests extends Wanted {
  readonly kind: 'transfer';
  readonly wallets: readonly string[];
  readonly from?: string;
  readonly payees?: readonly string[];
}

/** Airtime for numbers drawn at random, paid by wallets drawn at random, each with a key of its own. */
interface PurchaseRequests extends Wanted {
  readonly kind: 'purchase';
  readonly wallets: readonly string[];
}

/** Payouts to some accounts of a bank, paid by wallets drawn at random, each with a key of its own. */
interface PayoutRequests extends Wanted {
  readonly kind: 'payout';
  readonly wallets: readonly string[];
}

/** Conversions from wallets drawn at random into one, each by a quote of its own, which are used in their order. */
interface ConversionRequests extends Wanted {
  readonly kind: 'conversion';
  readonly wallets: readonly string[];
  readonly to: string;
  readonly quotes: readonly string[];
}

/** A merchant asks for a cent on cards drawn at random. */
interface AuthorizationRequests extends Wanted {
  readonly kind: 'authorization';
  readonly cards: readonly string[];
}

/** An account that trades. */
export interface Shop {
  readonly lane: number;
  readonly key: string;
  readonly wallets: readonly string[];
}

/** Purchases, and as many credits, of accounts drawn at random. */
interface TradeRequests {
  readonly kind: 'trade';
  readonly port: number;
  readonly shops: readonly Shop[];
}

/** Paths drawn at random. */
interface ReadRequests extends Wanted {
  readonly kind: 'read';
  readonly paths: readonly string[];
}

export type Requests =
  | TransferRequests
  | PurchaseRequests
  | PayoutRequests
  | ConversionRequests
  | AuthorizationRequests
  | ReadRequests
  | TradeRequests;

/** Makes the bytes of one request after the other. */
export function requestMaker(wanted: Requests): () => string {
  if (wanted.kind === 'trade') return tradeMaker(wanted);
  const head = headOf(wanted);
  if (wanted.kind === 'read') {
    const requests = wanted.paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`);
    return () => pick(requests);
  }
  const next = wanted.kind === 'authorization' ? () => AUTHORIZATION : bodyMaker(wanted);
  const path =
    wanted.kind === 'authorization'
      ? () => `/v4/sandbox/cards/${pick(wanted.cards)}/simulate`
      : () => PATHS[wanted.kind];
  return () => postOf(path(), head, next());
}

const headOf = ({ port, key }: Wanted): string => `host: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n`;

const postOf = (path: string, head: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\n${head}content-type: application/json\r\nidempotency-key: ${randomUUID()}\r\n` +
  `content-length: ${body.length}\r\n\r\n${body}`;

const CREDIT = '{"amount":500}';
const AUTHORIZATION = '{"kind":"authorization","amount":1}';
const PATHS = {
  transfer: '/v4/wallets/transfer',
  purchase: '/v4/airtime/purchase',
  payout: '/v4/payouts',
  conversion: '/v4/conversions',
};
/** So many accounts are paid again and again: a bank is asked once in a while whose each is. */
const PAYEES = 1_000;

function tradeMaker({ port, shops }: TradeRequests): () => string {
  return () => {
    const { key, wallets } = pick(shops);
    const isPurchase = Math.random() < 0.5;
    const body = isPurchase ? purchaseBody({ wallets }) : CREDIT;
    const path = isPurchase ? PATHS.purchase : `/v4/sandbox/wallets/${pick(wallets)}/credit`;
    return postOf(path, headOf({ port, key }), body);
  };
}

function bodyMaker(wanted: Exclude<Requests, ReadRequests | AuthorizationRequests | TradeRequests>): () => string {
  if (wanted.kind === 'transfer') return () => transferBody(wanted);
  if (wanted.kind === 'purchase') return () => purchaseBody(wanted);
  if (wanted.kind === 'payout') return () => payoutBody(wanted);
  const { wallets, to, quotes } = wanted;
  let used = 0;
  return () => `{"quote_id":"${quotes[used++]}","from_wallet":"${pick(wallets)}","to_wallet":"${to}"}`;
}

function transferBody({ wallets, from = pick(wallets), payees = wallets }: TransferRequests): string {
  let to = pick(payees);
  while (to === from) to = pick(payees);
  const amount = 1 + Math.floor(Math.random() * 999);
  return `{"from_wallet":"${from}","to_wallet":"${to}","amount":${amount},"currency":"NGN"}`;
}

function purchaseBody({ wallets }: Pick<PurchaseRequests, 'wallets'>): string {
  const number = Math.floor(Math.random() * 10_000_000)
    .toString()
    .padStart(7, '0');
  const amount = 5_000 + Math.floor(Math.random() * 5_000);
  return `{"phone":"+234803${number}","amount":${amount},"wallet_id":"${pick(wallets)}"}`;
}

function payoutBody({ wallets }: PayoutRequests): string {
  const payee = String(Math.floor(Math.random() * PAYEES)).padStart(4, '0');
  const amount = 10_000 + Math.floor(Math.random() * 90_000);
  const bank = `{"code":"058","account_number":"012345${payee}"}`;
  return `{"amount":${amount},"bank":${bank},"wallet_id":"${pick(wallets)}"}`;
}

const pick = <T>(things: readonly T[]): T => things[Math.floor(Math.random() * things.length)]!;

/** What a history is made of: README.md tells it for people. Amounts are decimal strings of minor units. */
export const FORM = 1;

/** Orders change something, and go out under a key. */
const ORDERS = ['open', 'change', 'credit', 'transfer', 'purchase', 'settle'] as const;
const READS = [
  'wallet',
  'wallets',
  'entries',
  'transactions',
  'transaction',
  'statement',
  'holds',
  'lookup',
  'events',
] as const;

export type OrderKind = (typeof ORDERS)[number];
export type Kind = OrderKind | (typeof READS)[number];

export const KINDS: ReadonlySet<string> = new Set<string>([...ORDERS, ...READS]);

export const isOrder = (kind: Kind): kind is OrderKind => (ORDERS as readonly string[]).includes(kind);

export interface Ask {
  readonly wallet?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly from?: string;
  readonly to?: string;
  /** Of `settle` and `transaction`. */
  readonly transaction?: string;
  readonly status?: string;
  /** Of `purchase`: what is bought, as far as it tells two orders apart. */
  readonly what?: string;
  /** Of `lookup`: the key of an order. */
  readonly of?: string;
  /** Of `entries`: the page goes on below this number; absent: it begins with the newest. */
  readonly before?: number;
  /** Of `transactions` and `entries`: pages of one walk from the newest to the oldest have its name. */
  readonly walk?: string;
  /** Of `events`: whose walk through the feed this is a step of. */
  readonly reader?: string;
}

export interface WalletSeen {
  readonly id: string;
  readonly available: string;
  readonly held: string;
  readonly ledger: string;
  readonly version: number;
  /** How far `available` may be below zero; absent: not at all. */
  readonly limit?: string;
}

export interface TransactionSeen {
  readonly id: string;
  readonly wallet: string;
  /** `hold`: the money is held first, and leaves or comes back when it ends. */
  readonly moves: 'in' | 'out' | 'hold';
  readonly amount: string;
  /** What the wallet pays or gets. */
  readonly total: string;
  readonly status: string;
  readonly version: number;
  /** The key of its order; null: not told. */
  readonly reference: string | null;
  /** Available balance after it, null while that is not known. */
  readonly after: string | null;
  /** The transaction that it takes back. */
  readonly reverses?: string;
}

export interface TransferSeen {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly fee: string;
  readonly status: string;
  readonly debit: string;
  readonly credit: string;
  readonly reference: string | null;
}

export interface EntrySeen {
  readonly sequence: number;
  readonly bucket: 'available' | 'held';
  readonly amount: string;
  readonly after: string;
  readonly transaction: string;
}

/** A line of a statement. */
export interface StatementLine {
  readonly transaction: string;
  readonly in: string;
  readonly out: string;
  readonly balance: string;
}

export interface HoldSeen {
  readonly transaction: string;
  readonly amount: string;
}

export interface EventSeen {
  readonly id: string;
  readonly type: string;
  /** What it is about: one of these. */
  readonly transaction?: TransactionSeen;
  readonly transfer?: TransferSeen;
  /** `wallet.credited`: the wallet as it was then, by which transaction and how much. */
  readonly credited?: WalletSeen & { readonly transaction: string; readonly amount: string };
}

export interface Answer {
  readonly wallet?: WalletSeen;
  readonly transaction?: TransactionSeen;
  readonly transfer?: TransferSeen;
  readonly wallets?: readonly WalletSeen[];
  readonly entries?: readonly EntrySeen[];
  readonly transactions?: readonly TransactionSeen[];
  readonly held?: string;
  readonly holds?: readonly HoldSeen[];
  readonly opening?: string;
  readonly closing?: string;
  readonly lines?: readonly StatementLine[];
  readonly events?: readonly EventSeen[];
  /** Of `lookup`: the key has had an effect, which is shown. */
  readonly seen?: boolean;
  /** Of pages: there are older ones (of `events`: newer ones). */
  readonly more?: boolean;
}

/** The first line. */
interface Header {
  readonly history: typeof FORM;
}

export interface Sent {
  readonly at: number;
  /** Names the request within the history. */
  readonly op: string;
  readonly client: string;
  /** Whose key it was sent with. */
  readonly account: string;
  readonly sent: Kind;
  /** `Idempotency-Key` and, where the route takes one, `reference`. */
  readonly key?: string;
  readonly ask: Ask;
}

export interface Heard {
  readonly at: number;
  readonly op: string;
  /** HTTP status. */
  readonly heard: number;
  readonly answer?: Answer;
  /** Of refusals. */
  readonly code?: string;
}

/** No answer; why. `ECONNREFUSED`: it was never sent. */
export interface Lost {
  readonly at: number;
  readonly op: string;
  readonly lost: string;
}

/** A webhook, and which receiver got it. */
export interface Told {
  readonly at: number;
  readonly told: string;
  readonly account: string;
  readonly event: EventSeen;
}

/** The last line: what was waited for until it was whole, so that what is not in the history has not happened. */
export interface End {
  readonly at: number;
  readonly end: readonly ('feed' | 'webhooks')[];
}

export type Line = Header | Sent | Heard | Lost | Told | End;

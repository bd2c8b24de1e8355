import type { Write } from '../../core/database/bulk';
import { DomainError, type ErrorDetails, ServiceUnavailable } from '../../core/errors/domain-error';
import type { Claim, Replay } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/money';
import type { FreezeDirection } from '../../vocabulary/freezes';

/** Owner of the platform's own ledger accounts (`fees`, `sandbox_source`, …), which may be below zero. */
export const PLATFORM_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000';

/** The two sides of a ledger account: money that can be spent, and money that is promised. */
export type Bucket = 'available' | 'held';

/** A movement on one ledger account. */
export interface Line {
  readonly ledgerAccountId: string;
  readonly bucket: Bucket;
  /** Minor units; negative: money leaves. */
  readonly amount: bigint;
  /** The account's transaction that this line belongs to. */
  readonly transactionId: string | null;
  /** Of a posting in several currencies: that of its ledger account. */
  readonly currency?: Currency;
  /** Of a posting that several resources share: whose the line is. */
  readonly postingId?: string;
  /**
   * What no freeze keeps from happening: money that comes back to where it was paid from, and what the outside world
   * has done already.
   */
  readonly passesFreezes?: true;
}

/**
 * A hold moves money available → held; a capture moves it held → out (the posting's own lines say where to);
 * a release moves it back. Amounts in minor units, positive. Captures and releases may be partial.
 */
export interface HoldStep {
  readonly kind: 'open' | 'capture' | 'release';
  readonly holdId: string;
  readonly ledgerAccountId: string;
  readonly amount: bigint;
  readonly transactionId: string | null;
}

/**
 * Sees to it that a ledger account can pay: what it lacks comes from others of the same currency, in their order. How
 * much each gives is decided under the locks, so nothing can come between.
 */
export interface Cover {
  readonly ledgerAccountId: string;
  /** What it is to pay, in minor units. */
  readonly amount: bigint;
  /**
   * Each gives what it has available, none on credit; one that is frozen, closed, in another currency or somebody
   * else's gives nothing. The last one gives all that is still lacking, and the posting is refused where it cannot.
   */
  readonly by: readonly Pick<Line, 'ledgerAccountId' | 'transactionId'>[];
}

/** Rows and events of a module that go with a posting, and what they make: it comes back with the outcome. */
export interface Written<Made> {
  readonly rows: Write[];
  readonly made: Made;
}

/** What a module asks of the ledger: all of it happens, in one database transaction, or nothing does. */
export interface Posting {
  /** Uuid of what the posting belongs to; its entries carry it. */
  readonly id: string;
  /** Who asks: only this account's (and the platform's) ledger accounts may lose money. */
  readonly accountId: string;
  readonly livemode: boolean;
  /** Expected currency of lines that name none; without it the first ledger account's. */
  readonly currency?: Currency;
  /** What all of its ledger accounts must be: where ids come from outside, a card's must not pass for a wallet's. */
  readonly among?: 'wallet';
  /** With the lines of the holds they sum to zero, in each currency. */
  readonly lines: readonly Line[];
  readonly holds?: readonly HoldStep[];
  /** Its lines come before all others, and sum to zero whatever they are. */
  readonly cover?: Cover;
  readonly claim: Claim | null;
  /** Rows and events of the module, written with the posting. Called while the batch is decided: pure and quick. */
  writes?(posted: Posted): Write[] | Written<unknown>;
}

/** A posting whose module makes something of it. */
export interface Making<Made> extends Posting {
  writes(posted: Posted): Written<Made>;
}

/** Which way money does not move, and until when: null until somebody ends it. */
export interface Freeze {
  readonly direction: FreezeDirection;
  readonly until: Date | null;
}

export type FreezeOfAccount = Freeze & {
  /** Whose it is: an operator's holds whatever the owner does. */
  readonly by: 'owner' | 'operator';
  readonly reason: string | null;
};

/** Ended ones are over whether or not anybody was told yet. */
export const isInForce = ({ until }: Freeze, now: number): boolean => until === null || until.getTime() > now;

const stops = (freeze: Freeze, way: 'debit' | 'credit', now: number): boolean =>
  (freeze.direction === 'both' || freeze.direction === way) && isInForce(freeze, now);

/** Whether a freeze keeps money from leaving, or from arriving, in this moment (milliseconds since the epoch). */
export const isFrozen = (freezes: readonly Freeze[], way: 'debit' | 'credit', now: number): boolean =>
  freezes.some((freeze) => stops(freeze, way, now));

/** A ledger account as it stands inside a batch: read under lock, then changed posting by posting. */
export interface AccountState {
  readonly id: string;
  /** Owner; the platform's own accounts belong to `PLATFORM_ACCOUNT_ID`. */
  readonly accountId: string;
  /** What it is: `wallet`, `card`, or the platform's name for it. */
  readonly name: string;
  readonly currency: Currency;
  readonly livemode: boolean;
  /** As it is stored: `frozen` while its owner has frozen it, be it over by now or not. */
  readonly status: 'active' | 'frozen' | 'closed';
  /** Of its owner and of an operator, whether in force or over. */
  readonly freezes: readonly FreezeOfAccount[];
  readonly alertBelow: bigint | null;
  /** Minor units by which debits may take `available` below zero. */
  readonly creditLimit: bigint;
  available: bigint;
  held: bigint;
  /** Number of entries so far. */
  seq: bigint;
  /** Milliseconds since the epoch; never runs backwards, so entries in order of time are in order of `seq` too. */
  updatedAt: number;
  /** Where its row is, which stays so while it is locked. */
  readonly ctid: string;
  /** Grows as its row moves to other pages. */
  readonly place: bigint;
}

/** What is left of a credit line: money that can be spent beyond `available`. */
export function creditLeft({ available, creditLimit }: Pick<AccountState, 'available' | 'creditLimit'>): bigint {
  const left = available < 0n ? creditLimit + available : creditLimit;
  return left < 0n ? 0n : left;
}

export interface HoldState {
  readonly id: string;
  readonly accountId: string;
  readonly ledgerAccountId: string;
  readonly amount: bigint;
  captured: bigint;
  released: bigint;
}

/** All that a batch may touch. */
export interface Books {
  readonly accounts: Map<string, AccountState>;
  readonly holds: Map<string, HoldState>;
}

/** One line of a posting, carried out. */
export interface Entry extends Line {
  readonly postingId: string;
  /** Owner of the ledger account. */
  readonly accountId: string;
  readonly seq: bigint;
  readonly availableAfter: bigint;
  readonly heldAfter: bigint;
  /** Its account may be below zero. */
  readonly onCredit: boolean;
  readonly createdAt: number;
}

/** A posting that took place. */
export interface Posted {
  readonly status: 'posted';
  readonly at: Date;
  readonly entries: readonly Entry[];
  /** The posting's ledger accounts as they stand after it. */
  readonly account: (ledgerAccountId: string) => Readonly<AccountState>;
}

/** A posting that took place, with what its module made of it. */
export interface Done<Made = unknown> extends Posted {
  readonly made: Made;
}

/** The same request took place before. */
export interface Replayed extends Replay {
  readonly status: 'replayed';
}

/** Why a posting cannot take place. Nothing was written. */
export type Refusal =
  | {
      readonly reason: 'insufficient_funds';
      readonly ledgerAccountId: string;
      readonly available: bigint;
      readonly creditLeft: bigint;
      readonly needed: bigint;
    }
  | {
      readonly reason:
        | 'account_not_found'
        | 'account_frozen'
        | 'credit_frozen'
        | 'account_closed'
        | 'currency_mismatch'
        | 'balance_limit';
      readonly ledgerAccountId: string;
    }
  /** One of the platform's own accounts is full: whose it is, is nobody's business. */
  | { readonly reason: 'platform_limit' }
  | { readonly reason: 'hold_not_found' | 'hold_exceeded'; readonly holdId: string };

interface Refused {
  readonly status: 'refused';
  readonly refusal: Refusal;
}

export type Outcome<Made = unknown> = Done<Made> | Replayed | Refused;

/** The movements of a posting that are known before it: those of its holds, then its own. */
export function linesOf({ lines, holds }: Pick<Posting, 'lines' | 'holds'>): readonly Line[] {
  return holds ? [...holds.flatMap(holdLines), ...lines] : lines;
}

/** Ids of all ledger accounts that a posting can touch. */
export const accountsOf = (posting: Pick<Posting, 'lines' | 'holds' | 'cover'>): string[] =>
  [...linesOf(posting), ...(posting.cover?.by ?? [])].map(({ ledgerAccountId }) => ledgerAccountId);

function holdLines({ kind, ledgerAccountId, amount, transactionId }: HoldStep): Line[] {
  const line = (bucket: Bucket, sum: bigint): Line => ({ ledgerAccountId, bucket, amount: sum, transactionId });
  if (kind === 'open') return [line('available', -amount), line('held', amount)];
  if (kind === 'capture') return [line('held', -amount)];
  return [line('held', -amount), { ...line('available', amount), passesFreezes: true }];
}

/** A posting that does not balance is a fault of ours, found before it reaches the books. */
export function assertBalanced(posting: Posting): void {
  const lines = linesOf(posting);
  const sums = new Map<Currency | undefined, bigint>();
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  for (const [currency = '', sum] of sums)
    if (sum !== 0n) throw new Error(`posting ${posting.id} does not balance: ${currency} ${sum}`);
  if (lines.some(({ amount }) => amount === 0n)) throw new Error(`posting ${posting.id} has an empty line`);
  if (posting.holds?.some(({ amount }) => amount <= 0n))
    throw new Error(`posting ${posting.id} has a hold without amount`);
}

/** The ledger cannot take the posting now; whether it did is told by its key. */
export class LedgerUnavailable extends ServiceUnavailable {}

/** Gives a ledger account the public id and the request field by which the caller knows it. */
export type Describe = (ledgerAccountId: string) => { id: string; param: string | null };

/** The books refused a posting; `code` says why. */
export class PostingRefused extends DomainError {
  constructor(
    readonly refusal: Refusal,
    describe: Describe,
  ) {
    super(detailsOf(refusal, describe));
  }
}

type Template = Pick<ErrorDetails, 'code' | 'kind' | 'title' | 'recovery'> & { detail: (id: string) => string };

const REFUSALS: Record<Refusal['reason'], Template> = {
  insufficient_funds: {
    code: 'insufficient_funds',
    kind: 'payment_required',
    title: 'Insufficient funds',
    detail: (id) => id,
  },
  balance_limit: {
    code: 'limit_exceeded',
    kind: 'payment_required',
    title: 'Balance limit exceeded',
    detail: (id) => `${id} would hold more than a balance may be.`,
  },
  platform_limit: {
    code: 'limit_exceeded',
    kind: 'payment_required',
    title: 'Balance limit exceeded',
    detail: () => 'The platform cannot take part in a movement of this size.',
  },
  // In the words used for a malformed id: nobody can tell the two apart.
  account_not_found: {
    code: 'not_found',
    kind: 'not_found',
    title: 'Not found',
    detail: () => 'There is no such wallet.',
  },
  account_frozen: {
    code: 'wallet_frozen',
    kind: 'conflict',
    title: 'Wallet frozen',
    recovery: 'account_must_act',
    detail: (id) => `${id} is frozen: it does not pay.`,
  },
  credit_frozen: {
    code: 'wallet_frozen',
    kind: 'conflict',
    title: 'Wallet frozen',
    recovery: 'account_must_act',
    detail: (id) => `${id} is frozen: it takes no money.`,
  },
  account_closed: {
    code: 'wallet_closed',
    kind: 'conflict',
    title: 'Wallet closed',
    recovery: 'none',
    detail: (id) => `${id} is closed.`,
  },
  currency_mismatch: {
    code: 'currency_mismatch',
    kind: 'unprocessable',
    title: 'Currency mismatch',
    detail: (id) => `${id} is in another currency.`,
  },
  hold_not_found: { code: 'not_found', kind: 'not_found', title: 'Not found', detail: () => 'There is no such hold.' },
  hold_exceeded: {
    code: 'invalid_state_transition',
    kind: 'conflict',
    title: 'Hold exceeded',
    detail: () => 'The hold has less left than this takes.',
  },
};

function detailsOf(refusal: Refusal, describe: Describe): ErrorDetails {
  const { detail, ...template } = REFUSALS[refusal.reason];
  if (refusal.reason === 'platform_limit') return { ...template, detail: detail(''), param: null };
  if ('holdId' in refusal) return { ...template, detail: detail(refusal.holdId) };
  const { id, param } = describe(refusal.ledgerAccountId);
  if (refusal.reason !== 'insufficient_funds') return { ...template, detail: detail(id), param };
  const { available, creditLeft: left, needed } = refusal;
  const credit = left > 0n ? ` and ${left} of credit left` : '';
  return { ...template, param, detail: `${id} has ${available} available${credit}; this needs ${needed}.` };
}

import { createHash } from 'node:crypto';
import type { Write } from '../../core/database/bulk';
import { DomainError } from '../../core/errors/domain-error';
import type { StoredClaim } from '../../core/idempotency/claim';
import { claimId, claimWrites, matchClaim, storedClaims } from '../../core/idempotency/claims';
import { AMOUNT_MAX } from '../../core/money/money';
import { accountWrite, batchWrite, entryWrite, holdWrite } from './ledger-rows';
import {
  type AccountState,
  type Books,
  type Cover,
  creditLeft,
  isFrozen,
  type Done,
  type Entry,
  type Line,
  linesOf,
  type Outcome,
  PLATFORM_ACCOUNT_ID,
  type Posting,
  type Refusal,
} from './posting';

/** What a batch is decided on: read behind its locks. */
export interface Ground {
  readonly books: Books;
  /** Claims that are stored under the keys and references of the batch, by `claimId`. */
  readonly claims: Map<string, StoredClaim>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Plan {
  /** One per posting, in order. */
  readonly outcomes: (Outcome | DomainError)[];
  /** All rows of the batch; none when no posting passed. */
  readonly writes: Write[];
}

/** Decides all postings of a batch in the order of their arrival and lists the rows to write. Pure but for `ground`. */
export function planBatch(batchId: string, postings: readonly Posting[], ground: Ground): Plan {
  const { books, now } = ground;
  const before = {
    seq: new Map(Array.from(books.accounts.values(), ({ id, seq }) => [id, seq])),
    holds: new Set(books.holds.keys()),
  };
  const writes: Write[] = [];
  const outcomes = postings.map((posting) => planPosting(posting, ground, writes));
  const entries = outcomes.flatMap((outcome) => ('entries' in outcome ? outcome.entries : []));
  if (entries.length === 0) return { outcomes, writes };
  for (const account of books.accounts.values()) {
    const seqBefore = before.seq.get(account.id)!;
    if (account.seq !== seqBefore) writes.push(accountWrite(account, seqBefore));
  }
  const holdIds = new Set(
    postings.flatMap(({ holds = [] }, i) => ('entries' in outcomes[i]! ? holds.map(({ holdId }) => holdId) : [])),
  );
  for (const id of holdIds) writes.push(holdWrite(books.holds.get(id)!, !before.holds.has(id), new Date(now)));
  for (const entry of entries) writes.push(entryWrite(entry, batchId));
  writes.push(batchWrite(batchId, digestOf(entries)));
  return { outcomes, writes };
}

function planPosting(posting: Posting, { books, claims, now }: Ground, writes: Write[]): Outcome | DomainError {
  const match = posting.claim && matchClaim(posting.claim, (id) => claims.get(id));
  if (match instanceof DomainError) return match;
  if (match) return { status: 'replayed', ...match };
  const decision = decide(posting, books, now);
  if ('reason' in decision) return { status: 'refused', refusal: decision };
  const posted = toPosted(decision, books, now);
  const written = posting.writes?.(posted) ?? [];
  writes.push(...(Array.isArray(written) ? written : written.rows));
  if (posting.claim) {
    writes.push(...claimWrites(posting.claim));
    for (const claim of storedClaims(posting.claim)) claims.set(claimId(claim), claim);
  }
  return Array.isArray(written) ? posted : { ...posted, made: written.made };
}

function toPosted(entries: readonly Entry[], books: Books, now: number): Done {
  const after = new Map<string, AccountState>();
  for (const { ledgerAccountId } of entries) after.set(ledgerAccountId, { ...books.accounts.get(ledgerAccountId)! });
  return { status: 'posted', at: new Date(now), entries, account: (id) => after.get(id)!, made: undefined };
}

/** SHA-256 over a batch's entries; `verify:ledger` computes the same in SQL. */
function digestOf(entries: readonly Entry[]): Buffer {
  const lines = entries.map(
    (e) =>
      `${e.ledgerAccountId}|${e.seq.toString().padStart(20, '0')}|${e.accountId}|${e.postingId}|` +
      `${e.transactionId ?? ''}|${e.bucket}|${e.amount}|${e.availableAfter}|${e.heldAfter}|${e.createdAt}`,
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest();
}

const INT8_MAX = 2n ** 63n - 1n;

/**
 * Decides one posting on the books in memory: all of its lines are carried out, or none and the reason is returned.
 * Pure but for `books`, which afterwards stand as they will be stored. No I/O, no clock.
 */
export function decide(posting: Posting, books: Books, now: number): Entry[] | Refusal {
  const lines = posting.cover ? [...coverLines(posting.cover, books, now), ...linesOf(posting)] : linesOf(posting);
  const refusal =
    refuseHolds(posting, books) ?? refuseAccounts(posting, { lines, now }, books) ?? refuseBalances(lines, books);
  if (refusal) return refusal;
  for (const step of posting.holds ?? []) applyHold(posting, step, books);
  return lines.map((line) => applyLine(posting, line, books.accounts.get(line.ledgerAccountId)!, now));
}

/** What others give to the account that is covered. */
function coverLines({ ledgerAccountId, amount, by }: Cover, { accounts }: Books, now: number): Line[] {
  const covered = accounts.get(ledgerAccountId);
  if (!covered) return [];
  const lines: Line[] = [];
  let lacking = amount - covered.available;
  for (const [i, giver] of by.entries()) {
    const has = i === by.length - 1 ? lacking : spendable(accounts.get(giver.ledgerAccountId), covered, now);
    const share = has < lacking ? has : lacking;
    if (share <= 0n) continue;
    lines.push(
      { ...giver, bucket: 'available', amount: -share },
      { ledgerAccountId: covered.id, bucket: 'available', amount: share, transactionId: null, passesFreezes: true },
    );
    lacking -= share;
  }
  return lines;
}

/** What an account can give to another one of its owner: of its own, never on credit. */
function spendable(giver: AccountState | undefined, to: AccountState, now: number): bigint {
  if (!giver || giver.status === 'closed' || giver.accountId !== to.accountId) return 0n;
  if (isFrozen(giver.freezes, 'debit', now)) return 0n;
  return giver.currency === to.currency && giver.livemode === to.livemode ? giver.available : 0n;
}

function refuseHolds(posting: Posting, { holds }: Books): Refusal | null {
  const taken = new Map<string, bigint>();
  for (const step of posting.holds ?? []) {
    if (step.kind === 'open') continue;
    const hold = holds.get(step.holdId);
    if (!hold || hold.accountId !== posting.accountId || hold.ledgerAccountId !== step.ledgerAccountId) {
      return { reason: 'hold_not_found', holdId: step.holdId };
    }
    const sum = (taken.get(step.holdId) ?? 0n) + step.amount;
    taken.set(step.holdId, sum);
    if (hold.captured + hold.released + sum > hold.amount) return { reason: 'hold_exceeded', holdId: step.holdId };
  }
  return null;
}

function refuseAccounts(
  posting: Posting,
  { lines, now }: { lines: readonly Line[]; now: number },
  { accounts }: Books,
): Refusal | null {
  let currency = posting.currency;
  for (const line of lines) {
    const { ledgerAccountId, amount, currency: own } = line;
    const account = accounts.get(ledgerAccountId);
    const strange = account && account.accountId !== posting.accountId && account.accountId !== PLATFORM_ACCOUNT_ID;
    // Another account's wallet may only be paid into, and is otherwise as unknown as one that does not exist.
    const misplaced = posting.among !== undefined && account?.name !== posting.among;
    if (!account || misplaced || account.livemode !== posting.livemode || (strange && amount < 0n)) {
      return { reason: 'account_not_found', ledgerAccountId };
    }
    if (own === undefined) currency ??= account.currency;
    if (account.currency !== (own ?? currency)) return { reason: 'currency_mismatch', ledgerAccountId };
    if (account.status === 'closed') return { reason: 'account_closed', ledgerAccountId };
    const frozen = account.freezes.length > 0 && refuseFrozen(line, account, now);
    if (frozen) return { reason: frozen, ledgerAccountId };
  }
  return null;
}

/** What is held already goes its way. */
function refuseFrozen({ bucket, amount, passesFreezes }: Line, { freezes }: AccountState, now: number) {
  if (bucket === 'held' || passesFreezes === true) return null;
  if (amount < 0n) return isFrozen(freezes, 'debit', now) ? 'account_frozen' : null;
  return isFrozen(freezes, 'credit', now) ? 'credit_frozen' : null;
}

/** No balance may pass its bounds after any of the lines, taken in order. */
function refuseBalances(lines: readonly Line[], { accounts }: Books): Refusal | null {
  for (const [i, { ledgerAccountId, bucket, amount }] of lines.entries()) {
    const account = accounts.get(ledgerAccountId)!;
    const net = netOf(lines.slice(0, i + 1), ledgerAccountId);
    const after = account[bucket] + net[bucket];
    if (account.accountId === PLATFORM_ACCOUNT_ID) {
      if (after > INT8_MAX || after < -INT8_MAX) return { reason: 'platform_limit' };
      continue;
    }
    // Of a limit that was lowered below its use nothing leaves until it is back; what arrives may stay below it.
    if (amount < 0n && after < (bucket === 'available' ? -account.creditLimit : 0n)) {
      const { available } = account;
      const needed = -net[bucket];
      return { reason: 'insufficient_funds', ledgerAccountId, available, creditLeft: creditLeft(account), needed };
    }
    if (account.available + account.held + net.available + net.held > AMOUNT_MAX)
      return { reason: 'balance_limit', ledgerAccountId };
  }
  return null;
}

/** Where `available` is at least: at the limit or, of one that was lowered below its use, where it stands. */
const lowestOf = ({ available, creditLimit }: AccountState): bigint =>
  available < -creditLimit ? available : -creditLimit;

function netOf(lines: readonly Line[], ledgerAccountId: string): Record<Line['bucket'], bigint> {
  const net = { available: 0n, held: 0n };
  for (const line of lines) if (line.ledgerAccountId === ledgerAccountId) net[line.bucket] += line.amount;
  return net;
}

function applyHold(posting: Posting, step: NonNullable<Posting['holds']>[number], { holds }: Books): void {
  if (step.kind === 'open') {
    const { holdId: id, ledgerAccountId, amount } = step;
    holds.set(id, { id, accountId: posting.accountId, ledgerAccountId, amount, captured: 0n, released: 0n });
    return;
  }
  const hold = holds.get(step.holdId)!;
  if (step.kind === 'capture') hold.captured += step.amount;
  else hold.released += step.amount;
}

function applyLine(posting: Posting, line: Line, account: AccountState, now: number): Entry {
  const onCredit = account.accountId !== PLATFORM_ACCOUNT_ID && lowestOf(account) < 0n;
  account[line.bucket] += line.amount;
  account.seq += 1n;
  account.updatedAt = Math.max(account.updatedAt, now);
  return {
    ...line,
    postingId: line.postingId ?? posting.id,
    accountId: account.accountId,
    seq: account.seq,
    availableAfter: account.available,
    heldAfter: account.held,
    onCredit,
    createdAt: account.updatedAt,
  };
}

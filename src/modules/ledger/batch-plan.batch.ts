import { createHash } from 'node:crypto';
import type { Write } from '../../core/database/bulk';
import { DomainError } from '../../core/errors/domain-error';
import type { StoredClaim } from '../../core/idempotency/claim';
import { claimId, claimWrites, matchClaim, storedClaims } from '../../core/idempotency/claims';
import { decide } from './ledger.batch';
import { accountWrite, batchWrite, entryWrite, holdWrite } from './ledger.queries';
import type { AccountState, Books, Entry, Outcome, Posted, Posting } from './ledger.types';

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
  writes.push(...(posting.writes?.(posted) ?? []));
  if (posting.claim) {
    writes.push(...claimWrites(posting.claim));
    for (const claim of storedClaims(posting.claim)) claims.set(claimId(claim), claim);
  }
  return posted;
}

function toPosted(entries: readonly Entry[], books: Books, now: number): Posted {
  const after = new Map<string, AccountState>();
  for (const { ledgerAccountId } of entries) after.set(ledgerAccountId, { ...books.accounts.get(ledgerAccountId)! });
  return { status: 'posted', at: new Date(now), entries, account: (id) => after.get(id)! };
}

/** SHA-256 over a batch's entries; `verify:ledger` computes the same in SQL. */
function digestOf(entries: readonly Entry[]): Buffer {
  const lines = entries.map(
    (e) =>
      `${e.ledgerAccountId}|${e.seq.toString().padStart(20, '0')}|${e.accountId}|${e.postingId}|${e.transactionId ?? ''}|` +
      `${e.bucket}|${e.amount}|${e.availableAfter}|${e.heldAfter}|${e.createdAt}`,
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest();
}

import { createHash } from 'node:crypto';
import type { Write } from '../../core/database/bulk';
import { DomainError } from '../../core/errors/domain-error';
import { claimId, claimWrites, matchClaim, storedClaims, type StoredClaim } from '../../core/idempotency/claims';
import { type AccountState, type Books, decide, type Entry } from './ledger.batch';
import { accountWrite, batchWrite, entryWrite, holdWrite } from './ledger.queries';
import type { Outcome, Posted, Posting } from './ledger.types';

export interface Plan {
  /** One per posting, in order. */
  readonly outcomes: (Outcome | DomainError)[];
  /** All rows of the batch; none when no posting passed. */
  readonly writes: Write[];
}

/** Decides all postings of a batch in the order of their arrival and lists the rows to write. Pure. */
export function planBatch(batchId: string, postings: readonly Posting[], books: Books, claims: Map<string, StoredClaim>, now: number): Plan {
  const seqBefore = new Map(Array.from(books.accounts.values(), ({ id, seq }) => [id, seq]));
  const holdsBefore = new Set(books.holds.keys());
  const entries: Entry[] = [];
  const writes: Write[] = [];
  const touchedHolds = new Set<string>();
  const outcomes = postings.map((posting): Outcome | DomainError => {
    const match = posting.claim && matchClaim(posting.claim, (id) => claims.get(id));
    if (match instanceof DomainError) return match;
    if (match) return { status: 'replayed', ...match };
    const decision = decide(posting, books, now);
    if ('reason' in decision) return { status: 'refused', refusal: decision };
    const posted = toPosted(decision, books, now);
    entries.push(...decision);
    writes.push(...(posting.writes?.(posted) ?? []));
    for (const { holdId } of posting.holds ?? []) touchedHolds.add(holdId);
    if (posting.claim) {
      writes.push(...claimWrites(posting.claim));
      for (const claim of storedClaims(posting.claim)) claims.set(claimId(claim), claim);
    }
    return posted;
  });
  if (entries.length > 0) {
    for (const account of books.accounts.values()) {
      if (account.seq !== seqBefore.get(account.id)) writes.push(accountWrite(account, seqBefore.get(account.id)!));
    }
    for (const id of touchedHolds) writes.push(holdWrite(books.holds.get(id)!, !holdsBefore.has(id), new Date(now)));
    for (const entry of entries) writes.push(entryWrite(entry, batchId));
    writes.push(batchWrite(batchId, digestOf(entries)));
  }
  return { outcomes, writes };
}

function toPosted(entries: readonly Entry[], books: Books, now: number): Posted {
  const after = new Map<string, AccountState>();
  for (const { ledgerAccountId } of entries) after.set(ledgerAccountId, { ...books.accounts.get(ledgerAccountId)! });
  return { status: 'posted', at: new Date(now), entries, account: (id) => after.get(id)! };
}

/** SHA-256 over a batch's entries; `verify:ledger` computes the same in SQL. */
export function digestOf(entries: readonly Entry[]): Buffer {
  const lines = entries.map(
    (e) =>
      `${e.ledgerAccountId}|${e.seq.toString().padStart(20, '0')}|${e.accountId}|${e.postingId}|${e.transactionId ?? ''}|` +
      `${e.bucket}|${e.amount}|${e.availableAfter}|${e.heldAfter}|${e.createdAt}`,
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest();
}

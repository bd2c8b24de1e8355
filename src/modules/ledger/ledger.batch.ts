import { AMOUNT_MAX } from '../../core/money/money';
import {
  type AccountState,
  type Books,
  type Entry,
  type Line,
  linesOf,
  PLATFORM_ACCOUNT_ID,
  type Posting,
  type Refusal,
} from './ledger.types';

const INT8_MAX = 2n ** 63n - 1n;

/**
 * Decides one posting on the books in memory: all of its lines are carried out, or none and the reason is returned.
 * Pure but for `books`, which afterwards stand as they will be stored. No I/O, no clock.
 */
export function decide(posting: Posting, books: Books, now: number): Entry[] | Refusal {
  const lines = linesOf(posting);
  const refusal = refuseHolds(posting, books) ?? refuseAccounts(posting, lines, books) ?? refuseBalances(lines, books);
  if (refusal) return refusal;
  for (const step of posting.holds ?? []) applyHold(posting, step, books);
  return lines.map((line) => applyLine(posting, line, books.accounts.get(line.ledgerAccountId)!, now));
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

function refuseAccounts(posting: Posting, lines: readonly Line[], { accounts }: Books): Refusal | null {
  let currency = posting.currency;
  for (const { ledgerAccountId, amount, bucket } of lines) {
    const account = accounts.get(ledgerAccountId);
    const strange = account && account.accountId !== posting.accountId && account.accountId !== PLATFORM_ACCOUNT_ID;
    // Another account's wallet may only be paid into, and is otherwise as unknown as one that does not exist.
    const misplaced = posting.among !== undefined && account?.name !== posting.among;
    if (!account || misplaced || account.livemode !== posting.livemode || (strange && amount < 0n)) {
      return { reason: 'account_not_found', ledgerAccountId };
    }
    currency ??= account.currency;
    if (account.currency !== currency) return { reason: 'currency_mismatch', ledgerAccountId };
    if (account.status === 'closed') return { reason: 'account_closed', ledgerAccountId };
    if (account.status === 'frozen' && bucket === 'available' && amount < 0n) {
      return { reason: 'account_frozen', ledgerAccountId };
    }
  }
  return null;
}

/** No balance may pass its bounds after any of the lines, taken in order. */
function refuseBalances(lines: readonly Line[], { accounts }: Books): Refusal | null {
  for (const [i, { ledgerAccountId, bucket }] of lines.entries()) {
    const account = accounts.get(ledgerAccountId)!;
    const net = netOf(lines.slice(0, i + 1), ledgerAccountId);
    const after = account[bucket] + net[bucket];
    if (account.accountId === PLATFORM_ACCOUNT_ID) {
      if (after > INT8_MAX || after < -INT8_MAX) return { reason: 'platform_limit' };
      continue;
    }
    if (after < 0n)
      return { reason: 'insufficient_funds', ledgerAccountId, available: account.available, needed: -net[bucket] };
    if (account.available + account.held + net.available + net.held > AMOUNT_MAX)
      return { reason: 'balance_limit', ledgerAccountId };
  }
  return null;
}

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
  account[line.bucket] += line.amount;
  account.seq += 1n;
  account.updatedAt = Math.max(account.updatedAt, now);
  return {
    ...line,
    postingId: posting.id,
    accountId: account.accountId,
    seq: account.seq,
    availableAfter: account.available,
    heldAfter: account.held,
    createdAt: account.updatedAt,
  };
}

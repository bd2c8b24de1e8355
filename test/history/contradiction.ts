import type { Kind } from './form';

/** What a right service never shows, and why not. */
export const REASONS = {
  'other-body-answered': 'Another request under a used key is refused.',
  'key-two-effects': 'One key has one effect.',
  'key-answer-changed': 'The same request under the same key has the same answer.',
  'answer-differs': 'What is answered, or listed, is what was asked for.',
  'content-differs': 'What happened keeps its content, wherever it is shown.',
  'entry-doubled': 'Each number has one entry.',
  'entry-gap': 'Entries are numbered without gaps.',
  'entry-changed': 'An entry stays what it is.',
  'half-transfer': 'A transfer takes from one wallet what it gives to the other, both or nothing.',
  'lost-effect': 'What was answered with 2xx is in everything that is read later.',
  'doubled-effect': 'What was asked for once happens once.',
  'released-twice': 'Held money leaves or comes back, once.',
  'ended-otherwise': 'What has ended stays ended as it was told.',
  'refused-yet-applied': 'A request that was answered with a 4xx has no effect.',
  'unasked-effect': 'Nothing happens that nobody asked for.',
  'seen-then-unseen': 'An effect that one reader has seen is there for everybody who reads later.',
  'entry-sum': 'Each entry continues the balance of the one before.',
  'entry-differs': 'The entries of a transaction move what it says.',
  'time-travel': 'Nothing is seen before it was asked for.',
  'against-time': 'What was asked for after an answer comes after what was answered.',
  'balance-negative': 'A wallet has no less than nothing, or than its credit line.',
  'sum-wrong': 'available + held = ledger; what is held is the sum of its holds; a statement adds up.',
  'own-write-lost': 'Whoever got an answer finds its effect in what they read later.',
  'non-monotonic-read': 'Nobody reads something older than what they have read.',
  'stale-read': 'What is read after an answer, whoever got it, includes its effect.',
  'went-back': 'What was seen in a state is not seen later in an earlier one.',
  'money-made': 'All wallets together hold what came in less what left, at every moment.',
  'read-never-true': 'What is read of a wallet was true between two of its entries.',
  'event-for-nothing': 'Only what happened is told.',
  'event-differs': 'An event says what happened, and always the same.',
  'event-lost': 'Whatever happened is told at least once.',
  'event-order': 'Everybody who follows the events gets all of them, in one order.',
} as const;

export type Reason = keyof typeof REASONS;

/** A request and its answer: where they stand in the history, and when they were. */
export interface Call {
  readonly op: string;
  readonly client: string;
  readonly account: string;
  readonly kind: Kind | 'webhook';
  readonly sentLine: number;
  readonly sent: number;
  heardLine: number;
  /** Infinity while it is not heard of. */
  heard: number;
}

export interface Contradiction {
  readonly reason: Reason;
  readonly what: string;
  /** Of the history, ascending. */
  readonly lines: readonly number[];
}

const RANKS = new Map(Object.keys(REASONS).map((reason, rank) => [reason, rank]));

/**
 * Contradictions as they are found. Only the first counts: the one whose last line comes first and, of those that show on the same line,
 * the one that stands first among the reasons, where causes stand before what follows from them.
 */
export class Findings {
  private first: Contradiction | null = null;
  count = 0;

  add(reason: Reason, what: string, ...calls: readonly (Call | null)[]): void {
    this.count++;
    const lines = calls.flatMap((call) => (call === null ? [] : [call.sentLine, call.heardLine]));
    const told = [...new Set(lines)].filter((line) => line > 0).sort((a, b) => a - b);
    const found = { reason, what, lines: told };
    if (this.first === null || isBefore(found, this.first)) this.first = found;
  }

  get verdict(): Contradiction | null {
    return this.first;
  }
}

function isBefore(one: Contradiction, other: Contradiction): boolean {
  const lines = (one.lines.at(-1) ?? 0) - (other.lines.at(-1) ?? 0);
  return lines === 0 ? RANKS.get(one.reason)! < RANKS.get(other.reason)! : lines < 0;
}

import type { Read } from './books';
import type { Call, Findings } from './contradiction';
import type { Effects, Leg, Sight } from './effects';
import type { WalletSeen } from './form';
import type { Log } from './log';

/** Somebody knew that the wallet has this entry. */
interface Mark {
  readonly call: Call;
  readonly position: number;
  /** Null: by reading the wallet. */
  readonly sight: Sight | null;
}

/** What was read of a wallet, against its entries and the time. */
export function checkReads(log: Log, effects: Effects, findings: Findings): void {
  const { wallet } = log;
  place(log, findings);
  const reads = wallet.reads.filter(({ position }) => position !== null);
  for (const read of reads) {
    const last = log.asked[Math.min(read.proven!, log.length)]!;
    if (last !== null && last.sent > read.call.heard)
      findings.add('time-travel', `${about(log, read)} includes what was not asked for yet.`, read.call, last);
  }
  sweep(log, reads, effects, findings);
}

const about = ({ wallet }: Log, { position }: Read): string => `${wallet.id} as of entry ${position}`;

/**
 * To which entry a read reaches: its version counts entries and, from 1 on, what else was changed of the wallet. How many changes it
 * includes is not told: no fewer than a read of an earlier version, no more than were asked for when it was answered. Where
 * several entries left these balances, each use takes the one that accuses nobody.
 */
function place(log: Log, findings: Findings): void {
  const { wallet } = log;
  let least = 0;
  const open = wallet.reads.filter(({ seen }) => seen !== null);
  for (const read of open.sort((a, b) => a.seen!.version - b.seen!.version)) {
    const { version, available, held } = read.seen!;
    if (wallet.top === null) {
      // Its entries were not read: versions still say which read is the newer one.
      read.position = read.proven = version;
      continue;
    }
    const isCovered = log.covers(read.call);
    if (version - 1 - least > log.length && !isCovered) continue;
    const isRight = (changes: number): boolean => isAfter(log, version - 1 - changes, read.seen!);
    let [fewest, most] = [Math.max(least, version - 1 - log.length), Math.min(read.changes, version - 1)];
    while (fewest <= most && !isRight(fewest)) fewest++;
    while (fewest < most && !isRight(most)) most--;
    if (fewest <= most) {
      least = fewest;
      read.position = version - 1 - fewest;
      read.proven = version - 1 - most;
      continue;
    }
    const at = version - 1 - least;
    const truth =
      at > log.length ? `has no entry ${at}` : `held ${log.available[at]} and ${log.held[at]} after entry ${at}`;
    findings.add(
      REASON[read.call.kind] ?? 'read-never-true',
      `${wallet.id} was read with ${available} available and ${held} held in version ${version}, and ${truth}.`,
      read.call,
      at > log.length ? wallet.top : log.tellerOf(at),
    );
  }
}

const isAfter = (log: Log, at: number, { available, held }: WalletSeen): boolean =>
  log.available[at] === available && log.held[at] === held;

const REASON: Partial<Record<Call['kind'], 'money-made' | 'event-differs'>> = {
  wallets: 'money-made',
  events: 'event-differs',
  webhook: 'event-differs',
};

/** No read is behind what was known before it began, to its client or to anybody. */
function sweep(log: Log, reads: readonly Read[], effects: Effects, findings: Findings): void {
  const marks = marksOf(log, reads, effects).sort((a, b) => a.call.heard - b.call.heard);
  const own = new Map<string, Mark>();
  let newest: Mark | null = null;
  let next = 0;
  for (const read of [...reads].filter(isFresh).sort((a, b) => a.call.sent - b.call.sent)) {
    for (; next < marks.length && marks[next]!.call.heard < read.call.sent; next++) {
      const mark = marks[next]!;
      if (newest === null || mark.position > newest.position) newest = mark;
      const { client } = mark.call;
      if (mark.position > (own.get(client)?.position ?? 0)) own.set(client, mark);
    }
    const behind = [own.get(read.call.client), newest].find((mark) => mark && mark.position > read.position!);
    if (behind) tell(log, read, behind, findings);
  }
}

/** Events tell what was, at any time later. */
const isFresh = ({ call }: Read): boolean => call.kind !== 'webhook' && call.kind !== 'events';

function marksOf({ wallet }: Log, reads: readonly Read[], effects: Effects): Mark[] {
  const marks: Mark[] = reads.map(({ call, proven }) => ({ call, position: proven!, sight: null }));
  for (const sight of effects.of(wallet.id).sights) {
    const position = lastEntryOf(sight.leg, sight.isEnded);
    if (position !== undefined) marks.push({ call: sight.call, position, sight });
  }
  return marks;
}

function lastEntryOf({ moves, sequences }: Leg, isEnded: boolean): number | undefined {
  if (moves !== 'hold') return sequences[0];
  return isEnded && sequences.length > 2 ? sequences.at(-1) : sequences[1];
}

function tell(log: Log, read: Read, behind: Mark, findings: Findings): void {
  const { sight, call, position } = behind;
  const known = sight === null ? 'was read' : `${sight.leg.text} was ${sight.isAnswer ? 'answered' : 'seen'}`;
  const what = `${about(log, read)} was read after ${known}, which is entry ${position}.`;
  findings.add(reasonOf(log, read, behind), what, call, read.call, log.tellerOf(position));
}

function reasonOf(log: Log, read: Read, { sight, call, position }: Mark) {
  if (call.client === read.call.client) return sight?.isAnswer === true ? 'own-write-lost' : 'non-monotonic-read';
  for (let at = read.position!; at < Math.min(position, log.length, read.position! + 1_000); at++) {
    const order = log.wallet.entries[at] && log.orderOf(at + 1);
    if (order?.answered && order.answered.heard < read.call.sent) return 'stale-read';
  }
  return log.wallet.top === null ? 'stale-read' : 'seen-then-unseen';
}

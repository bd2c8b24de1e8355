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
    const last = log.asked[Math.min(read.position!, log.length)]!;
    if (last !== null && last.sent > read.call.heard)
      findings.add('time-travel', `${about(log, read)} includes what was not asked for yet.`, read.call, last);
  }
  sweep(log, reads, effects, findings);
}

const about = ({ wallet }: Log, { position }: Read): string => `${wallet.id} as of entry ${position}`;

/**
 * To which entry a read reaches: its version counts entries and, from 1 on, what else was changed of the wallet. How many of those
 * changes a version includes is not told; it grows with the version.
 */
function place(log: Log, findings: Findings): void {
  const { wallet } = log;
  let shift = 0;
  const open = wallet.reads.filter(({ position }) => position === null);
  for (const read of open.sort((a, b) => a.seen!.version - b.seen!.version)) {
    const { version, available, held } = read.seen!;
    if (wallet.top === null) {
      // Its entries were not read: versions still say which read is the newer one.
      read.position = version;
      continue;
    }
    let found = shift;
    while (found <= wallet.changes && !isAfter(log, version - 1 - found, read.seen!)) found++;
    if (found <= wallet.changes) {
      shift = found;
      read.position = version - 1 - found;
    } else if (version - 1 - wallet.changes <= log.length || log.covers(read.call)) {
      const at = version - 1 - shift;
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
}

const isAfter = (log: Log, at: number, { available, held }: WalletSeen): boolean =>
  String(log.available[at]) === available && String(log.held[at]) === held;

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
  const marks: Mark[] = reads.map(({ call, position }) => ({ call, position: position!, sight: null }));
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

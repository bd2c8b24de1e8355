import type { Entry, Wallet } from './books';
import type { Call, Findings } from './contradiction';
import type { Effects, Leg } from './effects';
import type { Order } from './orders';

export const show = ({ bucket, amount, after, transaction }: Entry): string =>
  `${amount} ${bucket} to ${after} by ${transaction}`;

/** A wallet from its first entry on, as far as its entries were read without a gap. */
export class Log {
  /** Up to which entry. */
  readonly length: number;
  /** Balances after each entry; at 0, before the first. */
  readonly available: string[] = ['0'];
  readonly held: string[] = ['0'];
  /** After each entry: what came from and went to elsewhere than wallets of the account, summed up. */
  readonly outside: bigint[] = [0n];
  /** A sum of marks that the two sides of a transfer cancel: 0 over all wallets says that they have both or none of each. */
  readonly marks: number[] = [0];
  /** Of all up to an entry, what was asked for last. */
  readonly asked: (Call | null)[] = [null];
  /** Transactions that nobody told of but these entries, and the first entry of each. */
  readonly unnamed = new Map<string, number>();

  constructor(
    readonly wallet: Wallet,
    private readonly wallets: ReadonlyMap<string, Wallet>,
    private readonly effects: Effects,
    private readonly findings: Findings,
  ) {
    const hole = wallet.entries.findIndex((entry) => entry === undefined);
    this.length = hole === -1 ? wallet.entries.length : hole;
  }

  /** Goes through the entries, and gives each to its transaction. */
  write(): void {
    const { wallet, effects } = this;
    const balance = { available: 0n, held: 0n };
    for (let i = 0; i < this.length; i++) {
      const entry = wallet.entries[i]!;
      const about = `Entry ${i + 1} of ${wallet.id} (${show(entry)})`;
      const before = balance[entry.bucket];
      if (before + entry.amount !== entry.after)
        this.findings.add('entry-sum', `${about} follows a balance of ${before}.`, entry.call);
      if (entry.after < (entry.bucket === 'held' ? 0n : -wallet.limit))
        this.findings.add('balance-negative', `${about} is less than the wallet may have.`, entry.call);
      balance[entry.bucket] = entry.after;
      const leg = effects.legs.get(entry.transaction);
      if (leg?.wallet === wallet.id) leg.sequences.push(i + 1);
      else if (!this.unnamed.has(entry.transaction)) this.unnamed.set(entry.transaction, i + 1);
      for (const bucket of ['available', 'held'] as const)
        this[bucket].push(bucket === entry.bucket ? String(entry.after) : this[bucket].at(-1)!);
      this.count(entry, leg);
    }
  }

  private count({ amount }: Entry, leg: Leg | undefined): void {
    const transfer = leg?.transfer ?? null;
    const isWithin = transfer !== null && this.isWithin(transfer);
    const mark = isWithin ? markOf(transfer) : 0;
    this.outside.push(this.outside.at(-1)! + (isWithin ? 0n : amount));
    this.marks.push((this.marks.at(-1)! + (leg?.moves === 'out' ? mark : -mark)) | 0);
    const [last, first] = [this.asked.at(-1)!, leg?.order?.first ?? null];
    this.asked.push(first !== null && (last === null || first.sent > last.sent) ? first : last);
  }

  private isWithin(transfer: string): boolean {
    const { from, to } = this.effects.transfers.get(transfer)!.seen;
    const [payer, payee] = [this.wallets.get(from), this.wallets.get(to)];
    return payer !== undefined && payer.account === payee?.account;
  }

  orderOf(sequence: number): Order | null {
    return this.effects.legs.get(this.wallet.entries[sequence - 1]!.transaction)?.order ?? null;
  }

  /** Who showed an entry first; null: nobody. */
  tellerOf(sequence: number): Call | null {
    return this.wallet.entries[sequence - 1]?.call ?? null;
  }

  /** The newest entries were read after this: what it tells of is among them. */
  covers(call: Call | null): boolean {
    const { top, topSequence } = this.wallet;
    return call !== null && top !== null && top.sent > call.heard && this.length >= topSequence;
  }

  /** Whatever happened to the wallet has the entries that it takes, once. */
  checkLegs(): void {
    for (const leg of this.effects.of(this.wallet.id).all) {
      const entries = leg.sequences.map((sequence) => this.wallet.entries[sequence - 1]!);
      if (entries.length === 0) this.checkMissing(leg);
      else if (leg.moves === 'hold') this.checkHold(leg, entries);
      else this.checkMove(leg, entries);
      const moved = entries.filter(({ bucket }) => bucket === 'available');
      const own = leg.isGivenBack ? moved[1] : moved[0];
      if (own !== undefined && leg.after !== null && String(own.after) !== leg.after)
        this.findings.add(
          'entry-differs',
          `${leg.text} left ${leg.after}, and its entry ${own.after}.`,
          leg.known,
          own.call,
        );
      this.checkOrder(leg);
    }
  }

  private checkMissing(leg: Leg): void {
    if (!this.covers(leg.known)) return;
    const transfer = leg.transfer === null ? null : this.effects.transfers.get(leg.transfer)!.seen;
    const other = this.effects.legs.get((leg.moves === 'in' ? transfer?.debit : transfer?.credit) ?? '');
    const isHalf = other !== undefined && other.sequences.length > 0;
    const reason = isHalf ? 'half-transfer' : leg.order?.answered === null ? 'seen-then-unseen' : 'lost-effect';
    const more = isHalf ? `, while ${other.text} has` : '';
    this.findings.add(reason, `${leg.text} has no entry${more}.`, leg.order?.answered ?? leg.known, this.wallet.top);
  }

  private checkMove(leg: Leg, entries: readonly Entry[]): void {
    const amount = leg.moves === 'in' ? BigInt(leg.total) : -BigInt(leg.total);
    const isRight = entries.every((entry) => entry.bucket === 'available' && entry.amount === amount);
    if (!isRight) this.differs(leg, entries);
    else if (entries.length > 1) this.doubled(leg, entries);
  }

  private checkHold(leg: Leg, entries: readonly Entry[]): void {
    const total = BigInt(leg.total);
    const times = (bucket: Entry['bucket'], amount: bigint): number =>
      entries.filter((entry) => entry.bucket === bucket && entry.amount === amount).length;
    const [paid, held] = [times('available', -total), times('held', total)];
    const [left, back] = [times('held', -total), times('available', total)];
    if (paid + held + left + back < entries.length) this.differs(leg, entries);
    else if (paid > 1 || held > 1) this.doubled(leg, entries);
    else if (left > 1 || back > 1)
      this.findings.add(
        'released-twice',
        `${leg.text} is held once; ${left} times it leaves what is held, ${back} times it comes back.`,
        leg.known,
        ...entries.map(({ call }) => call),
      );
    else if (paid !== 1 || held !== 1 || back > left) this.differs(leg, entries);
    else this.checkEnd(leg, left === 0 ? 'held' : back === 0 ? 'paid for' : 'given back', entries);
  }

  private checkEnd(leg: Leg, found: string, entries: readonly Entry[]): void {
    if (leg.ended === null) return;
    const { status } = leg.latest!;
    const wanted = leg.isGivenBack ? 'given back' : 'paid for';
    if (found === wanted || (found === 'held' && !this.covers(leg.ended))) return;
    const last = found === 'held' ? this.wallet.top : entries.at(-1)!.call;
    this.findings.add('ended-otherwise', `${leg.text} was told to be ${status}, and is ${found}.`, leg.ended, last);
  }

  /** What was asked for after it was seen is not before it. */
  private checkOrder(leg: Leg): void {
    const first = leg.sequences[0];
    const before = first === undefined ? null : this.asked[first - 1]!;
    if (before !== null && leg.known!.heard < before.sent)
      this.findings.add(
        'against-time',
        `${leg.text} is entry ${first} of ${this.wallet.id}, after something that was asked for when it was known already.`,
        leg.known,
        before,
      );
  }

  private differs(leg: Leg, entries: readonly Entry[]): void {
    this.tell('entry-differs', leg, entries);
  }

  private doubled(leg: Leg, entries: readonly Entry[]): void {
    this.tell('doubled-effect', leg, entries);
  }

  private tell(reason: 'entry-differs' | 'doubled-effect', leg: Leg, entries: readonly Entry[]): void {
    const list = entries.map((entry, i) => `${leg.sequences[i]}: ${show(entry)}`).join('; ');
    this.findings.add(reason, `${leg.text} has the entries ${list}.`, leg.known, ...entries.map(({ call }) => call));
  }
}

/** 32 bits of FNV-1a: of two transfers one in four thousand million pairs has the same. */
function markOf(transfer: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < transfer.length; i++) hash = Math.imul(hash ^ transfer.charCodeAt(i), 0x01000193);
  return hash;
}

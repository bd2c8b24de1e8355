import type { Call, Findings, Reason } from './contradiction';
import type { TransactionSeen, TransferSeen } from './form';
import type { Order, Orders } from './orders';

/** Who shows something: it decides how a difference is called. */
export type Source = 'answer' | 'read' | 'event';

/** Where an effect was seen: another client's read proves as much as an answer. */
export interface Sight {
  readonly call: Call;
  readonly leg: Leg;
  /** False: at least begun; true: ended too, as far as it ends. */
  readonly isEnded: boolean;
  /** The answer to its order. */
  readonly isAnswer: boolean;
}

/** By which way what was told of a leg: the transaction, the transfer it is part of, that it arrived at a wallet. */
export const TOLD = {
  feed: { transaction: 1, transfer: 2, arrival: 4 },
  webhooks: { transaction: 8, transfer: 16, arrival: 32 },
} as const;

const ENDED = new Set(['successful', 'failed', 'cancelled', 'reversed']);
/** One that left the wallet stays left; what takes it back is a transaction of its own. */
const isKept = (status: string): boolean => status === 'successful' || status === 'reversed';

/** What happened to one wallet by one transaction. */
export class Leg {
  known: Call | null = null;
  ended: Call | null = null;
  /** Of the newest version that was seen, and by whom first. */
  latest: { version: number; status: string; call: Call } | null = null;
  after: string | null = null;
  /** Its entries in the wallet, ascending: filled in when all is read. */
  readonly sequences: number[] = [];
  /** Which of the known ones of its wallet it is, and of those that changed what it holds in all. */
  ordinal = Infinity;
  doneOrdinal = Infinity;
  order: Order | null = null;
  transfer: string | null = null;
  /** What told it: bits of `TOLD`. */
  told = 0;
  /** It was shown by something else than an event. */
  isShown = false;
  takenBackBy: Leg | null = null;

  constructor(
    readonly id: string,
    readonly wallet: string,
    readonly moves: 'in' | 'out' | 'hold',
    readonly amount: string,
    readonly total: string,
    readonly reverses: string | null,
    readonly reference: string | null,
  ) {}

  /** What the wallet holds in all has changed by it. */
  get isDone(): boolean {
    return this.moves !== 'hold' || (this.latest !== null && isKept(this.latest.status));
  }

  get isGivenBack(): boolean {
    return this.latest !== null && ENDED.has(this.latest.status) && !isKept(this.latest.status);
  }

  get text(): string {
    return `${this.id} (${this.moves} ${this.total}, ${this.wallet})`;
  }
}

/** Known effects of a wallet, in the order in which they became known. */
export interface Known {
  readonly all: Leg[];
  readonly done: Leg[];
  readonly sights: Sight[];
}

/** All that happened, by id, as far as anybody told. */
export class Effects {
  readonly legs = new Map<string, Leg>();
  readonly transfers = new Map<string, { seen: TransferSeen; call: Call }>();
  private readonly byWallet = new Map<string, Known>();

  constructor(
    private readonly findings: Findings,
    private readonly orders: Orders,
  ) {}

  of(wallet: string): Known {
    let known = this.byWallet.get(wallet);
    if (known === undefined) this.byWallet.set(wallet, (known = { all: [], done: [], sights: [] }));
    return known;
  }

  /** `order`: whose answer it is. */
  sawTransfer(seen: TransferSeen, call: Call, source: Source, order: Order | null = null): void {
    const by = order ?? this.orders.ofEffect(call.account, seen.reference, 'transfer');
    const before = this.transfers.get(seen.id);
    if (before === undefined) this.transfers.set(seen.id, { seen, call });
    else {
      for (const name of ['from', 'to', 'amount', 'fee', 'debit', 'credit'] as const)
        if (before.seen[name] !== seen[name])
          this.differs(source, `${seen.id}: ${name} was ${before.seen[name]}, then ${seen[name]}`, before.call, call);
    }
    by?.make('transfer', seen.id, call);
    const paid = String(BigInt(seen.amount) + BigInt(seen.fee));
    const { status, amount, reference } = seen;
    const shared = { amount, status, version: 1, reference, after: null } as const;
    const legs: TransactionSeen[] = [
      { ...shared, id: seen.debit, wallet: seen.from, moves: 'out', total: paid },
      { ...shared, id: seen.credit, wallet: seen.to, moves: 'in', total: amount },
    ];
    for (const leg of legs) {
      const found = this.sawTransaction(leg, call, source, by);
      found.transfer = seen.id;
    }
  }

  /** `order`: known to be the one that made it. */
  sawTransaction(seen: TransactionSeen, call: Call, source: Source, order: Order | null = null): Leg {
    let leg = this.legs.get(seen.id);
    if (leg === undefined) this.legs.set(seen.id, (leg = this.newLeg(seen, call)));
    else this.compare(leg, seen, call, source);
    if (leg.reverses === null) this.bind(leg, order, call, source);
    if (leg.latest === null || seen.version >= leg.latest.version) leg.after = seen.after;
    this.become(leg, seen, call, source);
    if (source !== 'event') leg.isShown = true;
    return leg;
  }

  private newLeg({ id, wallet, moves, amount, total, reverses, reference }: TransactionSeen, call: Call): Leg {
    const leg = new Leg(id, wallet, moves, amount, total, reverses ?? null, reference);
    const reversed = this.legs.get(reverses ?? '');
    if (reversed === undefined) return leg;
    leg.order = reversed.order;
    if (reversed.takenBackBy !== null)
      this.findings.add(
        'doubled-effect',
        `${reversed.text} was taken back by ${reversed.takenBackBy.id} and by ${id}.`,
        reversed.takenBackBy.known,
        call,
      );
    reversed.takenBackBy = leg;
    return leg;
  }

  private bind(leg: Leg, order: Order | null, call: Call, source: Source): void {
    const isNew = leg.order === null;
    leg.order ??= order ?? this.orders.ofEffect(call.account, leg.reference, leg.moves);
    if (isNew && leg.order !== null) this.fit(leg, call, source);
    (order ?? leg.order)?.make(leg.moves, leg.id, call);
  }

  /** Was it asked for like this? */
  private fit(leg: Leg, call: Call, source: Source): void {
    const { ask, kind } = leg.order!;
    const wallet = kind !== 'transfer' ? ask.wallet : leg.moves === 'out' ? ask.from : ask.to;
    for (const [name, asked, got] of [
      ['wallet', wallet, leg.wallet],
      ['amount', ask.amount, leg.amount],
    ] as const)
      if (asked !== undefined && asked !== got)
        this.findings.add(
          source === 'event' ? 'event-differs' : 'answer-differs',
          `${leg.order!.text}: ${name} ${asked} was asked for, and ${leg.id} has ${got}.`,
          leg.order!.first,
          call,
        );
  }

  private compare(leg: Leg, seen: TransactionSeen, call: Call, source: Source): void {
    for (const name of ['wallet', 'moves', 'amount', 'total'] as const)
      if (leg[name] !== seen[name])
        this.differs(source, `${leg.id}: ${name} was ${leg[name]}, then ${seen[name]}`, leg.known, call);
    // Of a purchase that fails, it is the balance after its money came back.
    const isSame = leg.moves !== 'hold' || leg.latest!.version === seen.version;
    if (isSame && leg.after !== null && seen.after !== null && leg.after !== seen.after)
      this.differs(source, `${leg.id}: balance after it was ${leg.after}, then ${seen.after}`, leg.known, call);
  }

  private differs(source: Source, what: string, ...calls: (Call | null)[]): void {
    this.findings.add(source === 'event' ? 'event-differs' : 'content-differs', `${what}.`, ...calls);
  }

  private become(leg: Leg, { status, version }: TransactionSeen, call: Call, source: Source): void {
    const { latest } = leg;
    const known = this.of(leg.wallet);
    const isEnded = leg.moves !== 'hold' || ENDED.has(status);
    if (latest !== null) this.transition(leg, latest, { status, version, call }, source);
    if (latest === null || version > latest.version) leg.latest = { version, status, call };
    if (leg.known === null) {
      leg.known = call;
      leg.ordinal = known.all.push(leg) - 1;
      known.sights.push({ call, leg, isEnded: false, isAnswer: source === 'answer' });
    } else if (source === 'answer') known.sights.push({ call, leg, isEnded, isAnswer: true });
    if (isEnded && leg.ended === null) {
      leg.ended = call;
      known.sights.push({ call, leg, isEnded: true, isAnswer: source === 'answer' });
    }
    if (leg.isDone && leg.doneOrdinal === Infinity) leg.doneOrdinal = known.done.push(leg) - 1;
  }

  private transition(
    leg: Leg,
    latest: NonNullable<Leg['latest']>,
    now: NonNullable<Leg['latest']>,
    source: Source,
  ): void {
    const [older, newer] = now.version < latest.version ? [now, latest] : [latest, now];
    const contradicts = (reason: Reason, what: string): void =>
      this.findings.add(source === 'event' ? 'event-differs' : reason, `${leg.text} ${what}.`, latest.call, now.call);
    if (
      ENDED.has(older.status) &&
      older.status !== newer.status &&
      !(older.status === 'successful' && newer.status === 'reversed')
    )
      contradicts('ended-otherwise', `was ${older.status}, and then ${newer.status}`);
    else if (older.version === newer.version && older.status !== newer.status && leg.moves === 'hold')
      contradicts('ended-otherwise', `is ${older.status} and ${newer.status} in version ${older.version}`);
    else if (source !== 'event' && now.version < latest.version && latest.call.heard < now.call.sent)
      contradicts('went-back', `was seen as version ${latest.version}, and later as version ${now.version}`);
  }

  /** Once all is read: what nobody asked for, and what was seen before. */
  conclude(): void {
    for (const leg of this.legs.values()) {
      if (leg.known === null) continue;
      leg.order ??= this.orders.ofEffect(leg.known.account, leg.reference, leg.moves);
      const { order, known } = leg;
      if (order === null && leg.reverses === null)
        this.findings.add(
          leg.isShown || leg.sequences.length > 0 ? 'unasked-effect' : 'event-for-nothing',
          `${leg.text} was asked for by nobody.`,
          known,
        );
      else if (order !== null && known.heard < order.first.sent)
        this.findings.add('time-travel', `${leg.text} was seen before it was asked for.`, known, order.first);
    }
  }

  /** Everything by id: wallets that were opened, transfers, transactions. */
  isReal(id: string): boolean {
    const leg = this.legs.get(id);
    if (leg !== undefined) return leg.sequences.length > 0;
    const transfer = this.transfers.get(id)?.seen;
    return transfer !== undefined && (this.isReal(transfer.debit) || this.isReal(transfer.credit));
  }
}

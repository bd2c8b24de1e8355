import { Books } from './books';
import { type Call, type Contradiction, Findings } from './contradiction';
import { Effects } from './effects';
import { type Channel, Events } from './events';
import {
  type Answer,
  type Ask,
  type End,
  FORM,
  type Heard,
  isOrder,
  KINDS,
  type Kind,
  type Line,
  type Sent,
  type Told,
} from './form';
import { type Expected, Lists } from './lists';
import { misfit, type Order, Orders } from './orders';
import { checkUnnamed } from './unnamed';

/** The history does not have the form that README.md tells: nothing can be said of it. */
export class Malformed extends Error {}

export interface Verdict {
  readonly contradiction: Contradiction | null;
  /** How many were found; what follows from the first is among them. */
  readonly contradictions: number;
  readonly counts: Readonly<Record<string, number>>;
}

interface UnderWay {
  readonly call: Call;
  readonly ask: Ask;
  readonly order: Order | null;
  readonly expected: Expected | null;
}

/** Reads a history line by line, in the order of time, and says whether a right service can have shown it. */
export class Checker {
  private readonly findings = new Findings();
  private readonly orders = new Orders(this.findings);
  private readonly effects = new Effects(this.findings, this.orders);
  private readonly books = new Books(this.findings, this.effects);
  private readonly lists = new Lists(this.findings, this.effects, this.orders);
  private readonly events = new Events(this.findings, this.effects, this.books);
  private readonly underWay = new Map<string, UnderWay>();
  private readonly counts = { requests: 0, answered: 0, refused: 0, unanswered: 0, told: 0, entries: 0, wallets: 0 };
  private whole: readonly Channel[] = [];
  private number = 0;
  private now = 0;

  /** The next line. Of the last one, when its writer was killed, there may be a part: `isLast`. */
  take(text: string, isLast = false): void {
    this.number++;
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      if (isLast) return;
      throw new Malformed(`line ${this.number} is no JSON`);
    }
    if ('history' in line) {
      if (line.history !== FORM) throw new Malformed(`line ${this.number}: its form is not known`);
      return;
    }
    if (!(line.at >= this.now)) throw new Malformed(`line ${this.number} is not in the order of time`);
    this.now = line.at;
    if ('sent' in line) this.sent(line);
    else if ('heard' in line) this.heard(line);
    else if ('lost' in line) this.lost(line.op, line.lost);
    else if ('told' in line) this.told(line);
    else if ('end' in line) this.whole = (line as End).end;
    else throw new Malformed(`line ${this.number} is of no kind that is known`);
  }

  private sent({ at, op, client, account, sent: kind, key = op, ask }: Sent): void {
    if (!KINDS.has(kind)) throw new Malformed(`line ${this.number}: nothing is known about ${kind}`);
    if (this.underWay.has(op)) throw new Malformed(`line ${this.number}: ${op} is under way already`);
    this.counts.requests++;
    const call: Call = { op, client, account, kind, sentLine: this.number, sent: at, heardLine: 0, heard: Infinity };
    const order = isOrder(kind) ? this.orders.sent(call, kind, key, ask) : null;
    if (kind === 'change' && order!.first === call) this.books.wallet(ask.wallet!, account).changes++;
    const isList = kind === 'transactions' || kind === 'statement';
    this.underWay.set(op, { call, ask, order, expected: isList ? this.lists.expected(ask.wallet!) : null });
  }

  private ended(op: string): UnderWay {
    const found = this.underWay.get(op);
    if (found === undefined) throw new Malformed(`line ${this.number}: ${op} was not sent`);
    this.underWay.delete(op);
    found.call.heardLine = this.number;
    found.call.heard = this.now;
    return found;
  }

  private lost(op: string, why: string): void {
    const { call, order } = this.ended(op);
    this.counts.unanswered++;
    if (order !== null) this.orders.lost(order, call, why);
  }

  private heard(line: Heard): void {
    const { call, ask, order, expected } = this.ended(line.op);
    const isDone = order === null ? line.heard < 300 : this.orders.heard(order, call, line);
    if (line.heard >= 500) this.counts.unanswered++;
    else if (line.heard < 300) this.counts.answered++;
    else this.counts.refused++;
    const { answer } = line;
    if (!isDone || answer === undefined) {
      if (line.heard === 404 && call.kind === 'transaction') this.lists.sawNothing(ask.transaction!, call);
      return;
    }
    if (order === null) this.read(call.kind as Kind, { call, ask, expected, order }, answer);
    else this.answered(order, answer, call);
  }

  private answered(order: Order, answer: Answer, call: Call): void {
    const wrong = misfit(order, answer);
    if (wrong !== null) this.findings.add('answer-differs', `${order.text}: ${wrong}.`, order.first, call);
    if (order.kind === 'open' && answer.wallet) {
      order.make('wallet', answer.wallet.id, call);
      this.books.wallet(answer.wallet.id, call.account).opened ??= order;
    }
    if (answer.transfer) this.effects.sawTransfer(answer.transfer, call, 'answer', order);
    if (answer.transaction) {
      const isOwn = order.kind !== 'settle';
      this.effects.sawTransaction(answer.transaction, call, 'answer', isOwn ? order : null);
    }
  }

  private read(kind: Kind, { call, ask, expected }: UnderWay, answer: Answer): void {
    if (answer.transaction) this.effects.sawTransaction(answer.transaction, call, 'read');
    if (answer.transfer) this.effects.sawTransfer(answer.transfer, call, 'read');
    for (const transaction of answer.transactions ?? []) this.effects.sawTransaction(transaction, call, 'read');
    if (answer.wallet) this.books.sawWallet(answer.wallet, call);
    if (answer.wallets) this.books.sawWallets(answer.wallets, answer.more !== true, call);
    if (answer.entries) {
      this.counts.entries += answer.entries.length;
      this.books.sawEntries(ask, answer.entries, answer.more !== true, call);
    }
    if (kind === 'transactions') this.lists.sawPage(ask, expected!, answer, call);
    if (kind === 'statement') this.lists.sawStatement(ask, expected!, answer, call);
    if (kind === 'lookup' && answer.seen === false) this.lists.sawKeyUnused(ask.of!, call);
    if (answer.holds) this.lists.sawHolds(ask, answer.held!, answer.holds, call);
    if (answer.events) this.events.sawFeed(ask.reader!, answer.events, call);
  }

  private told({ at, told, account, event }: Told): void {
    this.counts.told++;
    const { number } = this;
    const call: Call = {
      op: event.id,
      client: told,
      account,
      kind: 'webhook',
      sentLine: number,
      sent: at,
      heardLine: number,
      heard: at,
    };
    this.events.saw(event, 'webhooks', call);
  }

  finish(): Verdict {
    const { findings, orders, effects, books, lists, events, number, now } = this;
    const end: Call = {
      op: 'end',
      client: '',
      account: '',
      kind: 'webhook',
      sentLine: number,
      sent: now,
      heardLine: number,
      heard: now,
    };
    const logs = books.write();
    effects.conclude();
    orders.conclude((id) => effects.isReal(id));
    checkUnnamed(logs.values(), orders, findings);
    lists.conclude();
    books.check(logs);
    events.conclude(this.whole, end);
    this.counts.wallets = books.wallets.size;
    return { contradiction: findings.verdict, contradictions: findings.count, counts: this.counts };
  }
}

import {
  type Answer,
  type Ask,
  type EntrySeen,
  type EventSeen,
  type Kind,
  type Line,
  type OrderKind,
  type TransactionSeen,
  type TransferSeen,
  type WalletSeen,
  FORM,
  isOrder,
} from './form';

/** What happens to the requests of an imagined service: of each hundred, so many. */
export interface Weather {
  readonly seed: number;
  readonly orders: number;
  readonly clients?: number;
  readonly wallets?: number;
  /** Are never received. */
  readonly lostBefore?: number;
  /** Take place, and the answer is lost. */
  readonly lostAfter?: number;
  /** Take place long after the client gave up. */
  readonly late?: number;
  /** Are answered 503: done, or not. */
  readonly unavailable?: number;
  /** After which a process is away for a while, which each restart takes along what is on its way. */
  readonly restartEvery?: number;
  /** What got no answer is sent again: by its client, by any, or never. */
  readonly resend?: 'self' | 'other' | 'never';
  /** Are sent twice at once. */
  readonly twins?: number;
  /** Ask for something else under a used key. */
  readonly otherBody?: number;
  /** Ask for more than there is. */
  readonly tooMuch?: number;
  readonly reads?: number;
  readonly creditLimit?: number;
  readonly changes?: number;
  /** Events are followed, and delivered by webhooks: some twice, in any order. */
  readonly told?: boolean;
  /** Nothing is read when all is over. */
  readonly isCutOff?: boolean;
}

interface Wallet {
  id: string;
  available: number;
  held: number;
  shift: number;
  entries: EntrySeen[];
  transactions: TransactionSeen[];
  lines: { transaction: string; in: string; out: string; balance: string }[];
}

interface Made {
  readonly body: string;
  readonly what: () => Answer;
}

type Answered = { status: number; code?: string; answer?: Answer };

/** A right service in memory, with clients and bad weather: it writes histories of any length, the same for the same seed. */
export class Imagined {
  private readonly wallets: Wallet[] = [];
  private readonly byId = new Map<string, Wallet>();
  private readonly made = new Map<string, Made>();
  private readonly transactions = new Map<string, TransactionSeen>();
  private readonly running: string[] = [];
  private readonly events: EventSeen[] = [];
  private state: number;
  private ids = 0;

  constructor(
    private readonly weather: Weather,
    private readonly write: (line: Line) => void,
  ) {
    this.state = weather.seed;
  }

  /** 0 to below `below`. */
  private random(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  private chance(percent = 0): boolean {
    return percent > 0 && this.random(10_000) < percent * 100;
  }

  private id(prefix: string): string {
    return `${prefix}_${++this.ids}`;
  }

  // The service.

  private handle(kind: Kind, ask: Ask, key: string): Answered {
    if (!isOrder(kind)) return this.show(kind, ask);
    const body = JSON.stringify([kind, ask]);
    const before = this.made.get(key);
    if (before !== undefined)
      return before.body === body
        ? { status: 200, answer: before.what() }
        : { status: 422, code: 'idempotency_key_reused' };
    const result = this.carryOut(kind, ask, key);
    if (typeof result === 'string') return { status: result === 'insufficient_funds' ? 402 : 409, code: result };
    this.made.set(key, { body, what: result });
    return { status: 201, answer: result() };
  }

  private carryOut(kind: OrderKind, ask: Ask, key: string): (() => Answer) | string {
    const amount = Number(ask.amount);
    const wallet = this.byId.get(ask.wallet ?? ask.from ?? '')!;
    const canPay = (): boolean => wallet.available + (this.weather.creditLimit ?? 0) >= amount;
    switch (kind) {
      case 'open': {
        const id = this.id('wal');
        const opened = { id, available: 0, held: 0, shift: 0, entries: [], transactions: [], lines: [] };
        this.wallets.push(opened);
        this.byId.set(id, opened);
        return () => ({ wallet: this.walletSeen(opened) });
      }
      case 'change':
        wallet.shift++;
        return () => ({ wallet: this.walletSeen(wallet) });
      case 'credit': {
        const transaction = this.move(wallet, 'in', amount, key);
        return () => ({ transaction });
      }
      case 'transfer': {
        if (!canPay()) return 'insufficient_funds';
        const debit = this.move(wallet, 'out', amount, key).id;
        const credit = this.move(this.byId.get(ask.to!)!, 'in', amount, key).id;
        const [id, status] = [this.id('trf'), 'successful'];
        const shared = { from: ask.from!, to: ask.to!, amount: ask.amount!, fee: '0' };
        const transfer: TransferSeen = { id, ...shared, status, debit, credit, reference: key };
        this.events.push({ id: this.id('evt'), type: 'transfer.successful', transfer });
        return () => ({ transfer });
      }
      case 'purchase': {
        if (!canPay()) return 'insufficient_funds';
        const { id } = this.hold(wallet, amount, key);
        if (ask.what === 'later') this.running.push(id);
        else this.end(id, ask.what === 'sold');
        return () => ({ transaction: this.transactions.get(id)! });
      }
      case 'settle': {
        const id = ask.transaction!;
        if (this.transactions.get(id)!.status !== 'processing') return 'invalid_state_transition';
        this.end(id, ask.status === 'successful');
        return () => ({ transaction: this.transactions.get(id)! });
      }
    }
  }

  private enter(wallet: Wallet, bucket: 'available' | 'held', amount: number, transaction: string): void {
    wallet[bucket] += amount;
    const sequence = wallet.entries.length + 1;
    wallet.entries.push({ sequence, bucket, amount: `${amount}`, after: `${wallet[bucket]}`, transaction });
  }

  private line(wallet: Wallet, transaction: string, amount: number): void {
    const [got, paid] = amount > 0 ? [amount, 0] : [0, -amount];
    wallet.lines.push({ transaction, in: `${got}`, out: `${paid}`, balance: `${wallet.available + wallet.held}` });
  }

  private move(wallet: Wallet, moves: 'in' | 'out', amount: number, reference: string): TransactionSeen {
    const id = this.id('txn');
    this.enter(wallet, 'available', moves === 'in' ? amount : -amount, id);
    this.line(wallet, id, moves === 'in' ? amount : -amount);
    const seen = this.transaction(wallet, { id, moves, total: amount, status: 'successful', version: 1, reference });
    wallet.transactions.push(seen);
    if (moves === 'in') {
      const credited = { ...this.walletSeen(wallet), transaction: id, amount: `${amount}` };
      this.events.push({ id: this.id('evt'), type: 'wallet.credited', credited });
    }
    return seen;
  }

  private transaction(
    wallet: Wallet,
    { total, ...more }: Pick<TransactionSeen, 'id' | 'moves' | 'status' | 'version' | 'reference'> & { total: number },
  ): TransactionSeen {
    const seen = { ...more, wallet: wallet.id, amount: `${total}`, total: `${total}`, after: `${wallet.available}` };
    this.transactions.set(seen.id, seen);
    return seen;
  }

  private hold(wallet: Wallet, total: number, reference: string): TransactionSeen {
    const id = this.id('txn');
    this.enter(wallet, 'available', -total, id);
    this.enter(wallet, 'held', total, id);
    const seen = this.transaction(wallet, { id, moves: 'hold', total, status: 'processing', version: 1, reference });
    wallet.transactions.push(seen);
    return seen;
  }

  private end(id: string, isSold: boolean): void {
    const before = this.transactions.get(id)!;
    const wallet = this.byId.get(before.wallet)!;
    const total = Number(before.total);
    this.enter(wallet, 'held', -total, id);
    if (isSold) this.line(wallet, id, -total);
    else this.enter(wallet, 'available', total, id);
    const status = isSold ? 'successful' : 'failed';
    const { moves, reference, version } = before;
    const ended = this.transaction(wallet, { id, moves, total, status, version: version + 1, reference });
    // Of one that was sold: the balance after it was held.
    const seen = isSold ? { ...ended, after: before.after } : ended;
    this.transactions.set(id, seen);
    this.events.push({ id: this.id('evt'), type: `transaction.${status}`, transaction: seen });
  }

  private walletSeen({ id, available, held, shift, entries }: Wallet): WalletSeen {
    const { creditLimit } = this.weather;
    const seen = { id, available: `${available}`, held: `${held}`, ledger: `${available + held}` };
    return { ...seen, version: 1 + entries.length + shift, ...(creditLimit && { limit: `${creditLimit}` }) };
  }

  private show(kind: Kind, ask: Ask): Answered {
    const wallet = this.byId.get(ask.wallet ?? '')!;
    const seen = (answer: Answer): Answered => ({ status: 200, answer });
    switch (kind) {
      case 'wallet':
        return seen({ wallet: this.walletSeen(wallet) });
      case 'wallets':
        return seen({ wallets: this.wallets.map((one) => this.walletSeen(one)), more: false });
      case 'entries': {
        const end = (ask.before ?? wallet.entries.length + 1) - 1;
        const begin = Math.max(0, end - (ask.walk === undefined ? 5 : 100));
        return seen({ entries: wallet.entries.slice(begin, end).reverse(), more: begin > 0 });
      }
      case 'transactions':
        return seen({ transactions: wallet.transactions.map(({ id }) => this.transactions.get(id)!), more: false });
      case 'statement': {
        const closing = `${wallet.available + wallet.held}`;
        // What is held has left no line yet: the sandbox's statement counts all that a wallet has.
        return seen({ opening: '0', closing, lines: wallet.lines });
      }
      case 'transaction':
        return seen({ transaction: this.transactions.get(ask.transaction!)! });
      case 'lookup': {
        const made = this.made.get(ask.of!);
        const shown = made?.what();
        const { transaction, transfer } = shown ?? {};
        return seen({ seen: made !== undefined, ...(transaction && { transaction }), ...(transfer && { transfer }) });
      }
      case 'holds': {
        const held = wallet.transactions.filter(({ id }) => this.transactions.get(id)!.status === 'processing');
        const holds = held.map(({ id, total }) => ({ transaction: id, amount: total }));
        return seen({ held: `${wallet.held}`, holds, more: false });
      }
      case 'events': {
        const from = ask.before ?? 0;
        const events = this.events.slice(from, from + 100);
        return seen({ events, more: from + 100 < this.events.length });
      }
      default:
        throw new Error(kind);
    }
  }

  // The clients. Each is at one step of a request; whichever is due next goes on.

  private now = 0;
  private ops = 0;
  private begun = 0;
  private awayUntil = 0;
  private readonly steps: { at: number; go: () => void }[] = [];
  private readonly due: { kind: OrderKind; ask: Ask; key: string }[] = [];
  private readonly recent: { kind: OrderKind; ask: Ask; key: string }[] = [];

  private after(most: number, go: () => void): void {
    this.steps.push({ at: this.now + 1 + this.random(most), go });
  }

  private runAll(): void {
    while (this.steps.length > 0) {
      let next = 0;
      for (let i = 1; i < this.steps.length; i++) if (this.steps[i]!.at < this.steps[next]!.at) next = i;
      const [{ at, go }] = this.steps.splice(next, 1) as [{ at: number; go: () => void }];
      this.now = at;
      go();
    }
  }

  private send(client: string, kind: Kind, ask: Ask, key: string, done: (answered: Answered | null) => void): void {
    const op = `i${++this.ops}`;
    const { lostBefore, lostAfter, late, unavailable, restartEvery } = this.weather;
    const named = isOrder(kind) ? { key } : {};
    this.write({ at: this.now, op, client, account: 'shop', sent: kind, ...named, ask });
    const lose = (why: string): void => {
      this.write({ at: this.now, op, lost: why });
      done(null);
    };
    if (this.now < this.awayUntil) return this.after(20, () => lose('ECONNREFUSED'));
    if (restartEvery && this.random(restartEvery) === 0) this.awayUntil = this.now + 3_000;
    if (this.chance(lostBefore)) return this.after(5_000, () => lose('ECONNRESET'));
    if (this.chance(late)) {
      this.after(200_000, () => void this.handle(kind, ask, key));
      return this.after(5_000, () => lose('TimeoutError'));
    }
    this.after(1_000, () => {
      const isDown = this.chance(unavailable);
      const answered = isDown && this.random(2) === 0 ? null : this.handle(kind, ask, key);
      // Whoever is killed has not answered.
      if (this.chance(lostAfter) || this.now < this.awayUntil) return this.after(1_000, () => lose('ECONNRESET'));
      this.after(1_000, () => {
        const { status, code, answer } = isDown || answered === null ? UNAVAILABLE : answered;
        this.write({ at: this.now, op, heard: status, ...(code && { code }), ...(answer && { answer }) });
        done(status >= 500 ? null : { status, code, answer });
      });
    });
  }

  private work(client: string): void {
    const { orders, reads = 60, resend = 'other', twins } = this.weather;
    const again = (): void => this.after(500, () => this.work(client));
    if (this.begun >= orders && this.due.length === 0) return;
    if (this.chance(reads)) return this.look(client, again);
    const order =
      (this.due.length > 0 && (this.begun >= orders || this.random(2) === 0) && this.due.shift()) || this.next();
    const { kind, ask, key } = order;
    if (this.chance(twins)) this.send(`${client}b`, kind, ask, key, () => undefined);
    const settle = (answered: Answered | null): void => {
      if (answered !== null) {
        this.recent.push(order);
        if (this.recent.length > 10) this.recent.shift();
      } else if (resend === 'other') this.due.push(order);
      else if (resend === 'self') return this.after(500, () => this.send(client, kind, ask, key, settle));
      again();
    };
    this.send(client, kind, ask, key, settle);
  }

  private next(): { kind: OrderKind; ask: Ask; key: string } {
    const { otherBody, tooMuch, changes } = this.weather;
    this.begun++;
    const recent = this.recent[this.random(this.recent.length)];
    if (recent?.ask.amount !== undefined && this.chance(otherBody))
      return { ...recent, ask: { ...recent.ask, amount: `${Number(recent.ask.amount) + 1}` } };
    const key = `key-${this.begun}`;
    const at = this.random(this.wallets.length);
    const wallet = this.wallets[at]!.id;
    const amount = `${this.chance(tooMuch) ? 1e12 : 1 + this.random(200)}`;
    if (this.chance(changes)) return { kind: 'change', ask: { wallet }, key };
    const chance = this.random(100);
    if (chance < 20) return { kind: 'credit', ask: { wallet, amount }, key };
    const what = ['sold', 'refused', 'later'][this.random(3)]!;
    if (chance < 40) return { kind: 'purchase', ask: { wallet, amount, what }, key };
    if (chance < 50 && this.running.length > 0) {
      const status = this.random(2) === 0 ? 'successful' : 'failed';
      return { kind: 'settle', ask: { transaction: this.running.shift()!, status }, key };
    }
    const to = this.wallets[(at + 1 + this.random(this.wallets.length - 1)) % this.wallets.length]!.id;
    return { kind: 'transfer', ask: { from: wallet, to, amount }, key };
  }

  private look(client: string, done: () => void): void {
    const wallet = this.wallets[this.random(this.wallets.length)]!.id;
    const recent = this.recent[this.random(this.recent.length)];
    const chance = this.random(100);
    if (chance < 60) this.send(client, 'wallet', { wallet }, '', done);
    else if (chance < 80) this.send(client, 'wallets', {}, '', done);
    else if (chance < 95 || recent === undefined) this.send(client, 'entries', { wallet }, '', done);
    else this.send(client, 'lookup', { of: recent.key }, '', done);
  }

  /** From the first line to the last. */
  run(): void {
    const { clients = 6, wallets = 4, told = false, isCutOff = false } = this.weather;
    this.write({ history: FORM });
    for (let i = 0; i < wallets; i++) {
      this.sure('open', { currency: 'NGN' }, `open-${i}`);
      this.sure('credit', { wallet: this.wallets[i]!.id, amount: '10000' }, `first-${i}`);
    }
    for (let i = 0; i < clients; i++) this.work(`c${i}`);
    this.runAll();
    if (isCutOff) return;
    this.readAll();
    if (told) this.tell();
    this.write({ at: this.now, end: told ? ['feed', 'webhooks'] : [] });
  }

  /** Without weather. */
  private sure(kind: Kind, ask: Ask, key = ''): Answer {
    const op = `i${++this.ops}`;
    this.write({ at: ++this.now, op, client: 'closer', account: 'shop', sent: kind, ...(key && { key }), ask });
    const { status, answer } = this.handle(kind, ask, key);
    this.write({ at: ++this.now, op, heard: status, answer });
    return answer!;
  }

  private readAll(): void {
    for (const { id: wallet } of this.wallets) {
      for (let before: number | undefined = undefined, isOn = true; isOn;) {
        const { entries, more } = this.sure('entries', { wallet, walk: `w-${wallet}`, ...(before && { before }) });
        before = entries!.at(-1)?.sequence;
        isOn = more === true;
      }
      this.sure('transactions', { wallet, walk: `t-${wallet}` });
      this.sure('holds', { wallet });
      this.sure('wallet', { wallet });
    }
    this.sure('wallets', {});
  }

  private tell(): void {
    for (const reader of ['f1', 'f2'])
      for (let from = 0; from < this.events.length; from += 100) this.sure('events', { reader, before: from });
    const twice = this.events.filter(() => this.random(10) === 0);
    for (const event of [...this.events].reverse().concat(twice))
      this.write({ at: ++this.now, told: 'hook', account: 'shop', event });
  }
}

const UNAVAILABLE: Answered = { status: 503, code: 'service_unavailable' };

import type { Call, Findings } from './contradiction';
import type { Answer, Ask, Heard, OrderKind } from './form';

/** Whose answer says nothing of the order itself. */
const PASSING = new Set([401, 403, 408, 429]);

/** Which thing of an order an id names: a transfer makes three. */
export type Part = 'wallet' | 'transfer' | 'in' | 'out' | 'hold';

/** What was asked for under one key with one body, however often it was sent. */
export class Order {
  /** Requests that may still have an effect: on their way, or never heard of. */
  open = 0;
  /** The first 2xx. */
  answered: Call | null = null;
  refused: Call | null = null;
  /** Where its effect was seen first, in whatever way. */
  known: Call | null = null;
  /** What it made, with who told first. One of each part, in a right history. */
  readonly made: { readonly part: Part; readonly id: string; readonly call: Call }[] = [];

  constructor(
    readonly key: string,
    readonly kind: OrderKind,
    readonly ask: Ask,
    readonly first: Call,
  ) {}

  get account(): string {
    return this.first.account;
  }

  get mayHaveTakenPlace(): boolean {
    return this.open > 0 || this.answered !== null;
  }

  make(part: Part, id: string, call: Call): void {
    if (!this.made.some((one) => one.id === id)) this.made.push({ part, id, call });
    this.known ??= call;
  }

  get text(): string {
    return `${this.kind} ${JSON.stringify(this.ask)}`;
  }
}

/** What was asked for, by key. */
export class Orders {
  /** What was sent under each key: one body, but for clients that err, and accounts that chose the same key. */
  private readonly byKey = new Map<string, Order[]>();

  constructor(private readonly findings: Findings) {}

  sent(call: Call, kind: OrderKind, key: string, ask: Ask): Order {
    const text = JSON.stringify(ask);
    let order = this.under(call.account, key).find((one) => one.kind === kind && JSON.stringify(one.ask) === text);
    if (order === undefined) {
      order = new Order(key, kind, ask, call);
      const bodies = this.byKey.get(key);
      if (bodies === undefined) this.byKey.set(key, [order]);
      else bodies.push(order);
    }
    order.open++;
    return order;
  }

  /** True: carried out, as far as this answer says. */
  heard(order: Order, call: Call, { heard: status, code }: Heard): boolean {
    if (status >= 500) return false;
    order.open--;
    if (status < 300) {
      const other = this.under(call.account, order.key).find((one) => one !== order && one.answered !== null);
      if (other !== undefined)
        this.findings.add(
          'other-body-answered',
          `Key ${order.key} was answered ${status} for ${order.text}, and for ${other.text}.`,
          other.answered,
          call,
        );
      order.answered ??= call;
      return true;
    }
    const { known } = order;
    if (known !== null && known.heard < call.sent && !PASSING.has(status) && code !== 'request_in_progress')
      this.findings.add(
        'key-answer-changed',
        `${order.text} had taken place, and the same request under its key ${order.key} was answered ${status} ${code}.`,
        known,
        call,
      );
    order.refused = call;
    return false;
  }

  lost(order: Order, call: Call, why: string): void {
    if (why !== 'ECONNREFUSED') return;
    order.open--;
    order.refused ??= call;
  }

  under(account: string, key: string): readonly Order[] {
    const all = this.byKey.get(key) ?? [];
    return all.every((order) => order.account === account) ? all : all.filter((order) => order.account === account);
  }

  /** Of an effect that says its key: the order that may have had it, else one that may not. */
  ofEffect(account: string, key: string | null, part: Part): Order | null {
    if (key === null) return null;
    const all = (this.byKey.get(key) ?? []).filter(({ kind }) => PARTS[kind].includes(part));
    if (all.length === 1 && (all[0]!.account === account || part === 'in')) return all[0]!;
    const own = all.filter((order) => order.account === account);
    // What arrives says the key of whoever sent it.
    const fitting = own.length > 0 || part !== 'in' ? own : all;
    return fitting.find((order) => order.mayHaveTakenPlace) ?? fitting[0] ?? null;
  }

  *[Symbol.iterator](): Iterator<Order> {
    for (const bodies of this.byKey.values()) yield* bodies;
  }

  /** Once all is read: keys with more than one effect, and effects of what was refused. `isReal`: it is in the books. */
  conclude(isReal: (id: string) => boolean): void {
    for (const order of this) {
      const about = `${order.text} under key ${order.key}`;
      const isDoubled = order.made.some(({ part }, i) => order.made.findIndex((one) => one.part === part) < i);
      if (isDoubled) this.tellDoubled(order, about, isReal);
      if (order.known === null || order.mayHaveTakenPlace) continue;
      const isReally = order.made.some(({ id }) => isReal(id));
      this.findings.add(
        isReally || !(order.known.kind === 'webhook' || order.known.kind === 'events')
          ? 'refused-yet-applied'
          : 'event-for-nothing',
        `${about} was refused each time it was sent, and took place.`,
        order.refused,
        order.known,
      );
    }
  }

  private tellDoubled(order: Order, about: string, isReal: (id: string) => boolean): void {
    const calls = order.made.map(({ call }) => call);
    for (const [part, made] of Map.groupBy(order.made, (one) => one.part)) {
      if (made.length < 2) continue;
      const names = made.map(({ id }) => id).join(' and ');
      const isBoth = made.filter(({ id }) => isReal(id)).length > 1;
      const what = isBoth
        ? `made ${names} (${part}), and more than one of them is in the books`
        : `was told to have made ${names}`;
      this.findings.add(isBoth ? 'key-two-effects' : 'key-answer-changed', `${about} ${what}.`, order.first, ...calls);
    }
  }
}

const PARTS: Record<OrderKind, readonly Part[]> = {
  open: ['wallet'],
  change: [],
  credit: ['in'],
  transfer: ['transfer', 'out', 'in'],
  purchase: ['hold'],
  settle: [],
};

/** Why an answer does not fit what was asked for; null: it does. */
export function misfit({ kind, ask }: Order, { transaction, transfer }: Answer): string | null {
  const fits = (name: string, asked: string | undefined, got: string | undefined): string | null =>
    asked === undefined || asked === got ? null : `${name} ${asked} was asked for, and ${got} answered`;
  switch (kind) {
    case 'credit':
    case 'purchase':
      return fits('wallet', ask.wallet, transaction?.wallet) ?? fits('amount', ask.amount, transaction?.amount);
    case 'transfer':
      return (
        fits('from', ask.from, transfer?.from) ??
        fits('to', ask.to, transfer?.to) ??
        fits('amount', ask.amount, transfer?.amount)
      );
    case 'settle':
      return fits('transaction', ask.transaction, transaction?.id);
    default:
      return null;
  }
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newId } from '../../core/http/ids';
import { FREEZE_DIRECTIONS, type FreezeDirection } from '../../vocabulary/freezes';
import { decide } from './batch-plan';
import { type Books, type Line, PLATFORM_ACCOUNT_ID, type Posting } from './posting';

const OWNERS = ['a', 'b'] as const;
/** The currency that is sold, and the one that is bought. */
const WAYS = [
  ['NGN', 'USD'],
  ['USD', 'NGN'],
] as const;
type Way = (typeof WAYS)[number];

type Command =
  | { do: 'pay'; from: number; to: number; amount: number; by: (typeof OWNERS)[number] }
  | { do: 'relay'; from: number; over: number; to: number; amount: number; onward: number }
  | { do: 'hold'; from: number; amount: number }
  | { do: 'capture' | 'release'; hold: number; amount: number; to: number }
  | { do: 'deposit'; to: number; amount: number }
  | { do: 'convert'; from: number; to: number; sell: number; buy: number; way: Way }
  | { do: 'limit'; of: number; limit: number }
  | { do: 'clear'; of: number; by: number; amount: number }
  | { do: 'repay'; from: number; amount: number }
  | { do: 'freeze'; of: number; way: FreezeDirection | null; over: boolean };

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 52) },
);
// Holds meet their ends only when both come from a narrow range.
const small = fc.integer({ min: 1, max: 6 });
const at = fc.nat(5);

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('pay' as const), from: at, to: at, amount, by: fc.constantFrom(...OWNERS) }),
  // Two payments in one posting: what arrives by the first may leave by the second.
  fc.record({
    do: fc.constant('relay' as const),
    from: fc.nat(1),
    over: fc.nat(1),
    to: at,
    amount: small,
    onward: fc.oneof(small, amount),
  }),
  fc.record({ do: fc.constant('hold' as const), from: fc.nat(1), amount: small }),
  fc.record({ do: fc.constantFrom('capture' as const, 'release' as const), hold: fc.nat(2), amount: small, to: at }),
  fc.record({ do: fc.constant('deposit' as const), to: at, amount }),
  // The one wallet of dollars is met often enough.
  fc.record({
    do: fc.constant('convert' as const),
    from: fc.constantFrom(0, 0, 1, 3, 3, 4, 5),
    to: fc.constantFrom(0, 1, 3, 3, 3, 4, 5),
    sell: small,
    buy: amount,
    way: fc.constantFrom(...WAYS),
  }),
  // Used, and then lowered below its use.
  fc.record({ do: fc.constant('limit' as const), of: fc.nat(1), limit: fc.constantFrom(0, 3, 40, 300) }),
  // A clearing of more than a card has: what it lacks comes from a wallet, else it is a debt.
  fc.record({ do: fc.constant('clear' as const), of: at, by: at, amount }),
  fc.record({ do: fc.constant('repay' as const), from: fc.nat(1), amount }),
  fc.record({
    do: fc.constant('freeze' as const),
    of: at,
    way: fc.constantFrom(null, null, ...FREEZE_DIRECTIONS),
    over: fc.constantFrom(false, false, true),
  }),
);

const stops = ({ way }: { way: FreezeDirection | null }, what: FreezeDirection): boolean =>
  way === 'both' || way === what;

/** The same rules once more, as naively as they can be said: numbers in a list, one question after the other. */
class Model {
  readonly wallets = Array.from({ length: 6 }, (_, i) => ({
    owner: i < 4 ? 'a' : 'b',
    currency: i === 3 ? 'USD' : 'NGN',
    live: i === 5,
    way: null as FreezeDirection | null,
    limit: 0n,
    available: 0n,
    held: 0n,
  }));
  readonly holds: { wallet: number; left: bigint }[] = [];
  debt = 0n;

  pay({ from, to, amount, by }: Extract<Command, { do: 'pay' }>): boolean {
    const [source, target] = [this.wallets[from]!, this.wallets[to]!];
    const sum = BigInt(amount);
    if (source.owner !== by || source.live || target.live || source.currency !== target.currency) return false;
    if (stops(source, 'debit') || source.available + source.limit < sum) return false;
    if (stops(target, 'credit')) return false;
    if (target.available + target.held + sum > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    source.available -= sum;
    target.available += sum;
    return true;
  }

  /** The one after the other, or neither. */
  relay({ from, over, to, amount, onward }: Extract<Command, { do: 'relay' }>): boolean {
    const before = this.wallets.map(({ available }) => available);
    const isDone =
      this.pay({ do: 'pay', from, to: over, amount, by: 'a' }) &&
      this.pay({ do: 'pay', from: over, to, amount: onward, by: 'a' });
    if (!isDone) before.forEach((available, i) => (this.wallets[i]!.available = available));
    return isDone;
  }

  convert({ from, to, sell, buy, way: [sold, bought] }: Extract<Command, { do: 'convert' }>): boolean {
    const [source, target] = [this.wallets[from]!, this.wallets[to]!];
    if (source.owner !== 'a' || source.live || target.live) return false;
    if (source.currency !== sold || target.currency !== bought) return false;
    if (stops(source, 'debit') || source.available + source.limit < BigInt(sell)) return false;
    if (stops(target, 'credit')) return false;
    if (target.available + target.held + BigInt(buy) > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    source.available -= BigInt(sell);
    target.available += BigInt(buy);
    return true;
  }

  clear({ of, by, amount }: Extract<Command, { do: 'clear' }>): boolean {
    const [card, giver] = [this.wallets[of]!, this.wallets[by]!];
    if (card.owner !== 'a' || card.live || card.currency !== 'NGN') return false;
    const lacking = BigInt(amount) - card.available;
    if (lacking > 0n && card.held + BigInt(amount) > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    card.available = lacking > 0n ? 0n : -lacking;
    if (lacking <= 0n) return true;
    const isGiving = giver.owner === 'a' && giver.currency === 'NGN' && !giver.live && !stops(giver, 'debit');
    const has = isGiving && giver.available > 0n ? giver.available : 0n;
    const share = has < lacking ? has : lacking;
    giver.available -= share;
    this.debt += lacking - share;
    return true;
  }

  repay({ from }: Extract<Command, { do: 'repay' }>, sum: bigint): boolean {
    const wallet = this.wallets[from]!;
    if (stops(wallet, 'debit') || wallet.available + wallet.limit < sum) return false;
    wallet.available -= sum;
    this.debt -= sum;
    return true;
  }

  hold({ from, amount }: Extract<Command, { do: 'hold' }>): boolean {
    const wallet = this.wallets[from]!;
    if (wallet.owner !== 'a' || wallet.live || stops(wallet, 'debit')) return false;
    if (wallet.available + wallet.limit < BigInt(amount)) return false;
    wallet.available -= BigInt(amount);
    wallet.held += BigInt(amount);
    this.holds.push({ wallet: from, left: BigInt(amount) });
    return true;
  }

  end(kind: 'capture' | 'release', index: number, amount: bigint): boolean {
    const hold = this.holds[index];
    if (!hold || hold.left < amount) return false;
    const wallet = this.wallets[hold.wallet]!;
    hold.left -= amount;
    wallet.held -= amount;
    if (kind === 'release') wallet.available += amount;
    return true;
  }

  deposit({ to, amount }: Extract<Command, { do: 'deposit' }>): boolean {
    const wallet = this.wallets[to]!;
    if (wallet.live || wallet.currency !== 'NGN' || stops(wallet, 'credit')) return false;
    if (wallet.available + wallet.held + BigInt(amount) > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    wallet.available += BigInt(amount);
    return true;
  }
}

/** The decision function with the books that it works on. */
class Subject {
  readonly ids = Array.from({ length: 6 }, newId);
  readonly source = newId();
  readonly debts = newId();
  readonly positions = { NGN: newId(), USD: newId() };
  readonly holdIds: string[] = [];
  readonly books: Books = { accounts: new Map(), holds: new Map() };
  readonly sums = new Map<string, bigint>();
  private readonly owners = { a: newId(), b: newId() };

  constructor(model: Model) {
    model.wallets.forEach(({ owner, currency, live }, i) =>
      this.add(this.ids[i]!, this.owners[owner as 'a'], currency as 'NGN', live),
    );
    for (const id of [this.source, this.debts]) this.add(id, PLATFORM_ACCOUNT_ID, 'NGN', false);
    for (const [, currency] of WAYS) this.add(this.positions[currency], PLATFORM_ACCOUNT_ID, currency, false);
  }

  run(by: 'a' | 'b', lines: Line[], more: Partial<Posting> = {}): boolean {
    const posting: Posting = { id: newId(), accountId: this.owners[by], livemode: false, lines, claim: null, ...more };
    const before = this.everything();
    const stood = new Map(Array.from(this.books.accounts.values(), (account) => [account.id, { ...account }]));
    const decision = decide(posting, this.books, Date.now());
    if ('reason' in decision) {
      assert.equal(this.everything(), before);
      return false;
    }
    for (const entries of Map.groupBy(decision, (entry) => this.currencyOf(entry.ledgerAccountId)).values())
      assert.equal(
        entries.reduce((sum, entry) => sum + entry.amount, 0n),
        0n,
      );
    for (const entry of decision) {
      if (entry.accountId === PLATFORM_ACCOUNT_ID) continue;
      const { creditLimit } = stood.get(entry.ledgerAccountId)!;
      const leaves = entry.bucket === 'available' && entry.amount < 0n;
      assert.ok(!leaves || entry.availableAfter >= -creditLimit);
      assert.ok(entry.heldAfter >= 0n);
      assert.ok(entry.onCredit || entry.availableAfter >= 0n);
    }
    return true;
  }

  /** The books as text: two that differ in anything are two texts. A copy takes several times as long. */
  private everything(): string {
    const rows = [...this.books.accounts.values(), ...this.books.holds.values()];
    return rows.map((row) => Object.values(row).join()).join('\n');
  }

  line(i: number, sum: bigint): Line {
    return { ledgerAccountId: this.ids[i]!, bucket: 'available', amount: sum, transactionId: null };
  }

  convert({ from, to, sell, buy, way: [sold, bought] }: Extract<Command, { do: 'convert' }>): boolean {
    const position = (currency: 'NGN' | 'USD', sum: bigint): Line => ({
      ...this.sourceLine(sum),
      ledgerAccountId: this.positions[currency],
      currency,
    });
    return this.run('a', [
      { ...this.line(from, -BigInt(sell)), currency: sold },
      position(sold, BigInt(sell)),
      position(bought, -BigInt(buy)),
      { ...this.line(to, BigInt(buy)), currency: bought },
    ]);
  }

  clear({ of, by, amount }: Extract<Command, { do: 'clear' }>): boolean {
    const [card, sum] = [this.ids[of]!, BigInt(amount)];
    const givers = [this.ids[by]!, this.debts].map((ledgerAccountId) => ({ ledgerAccountId, transactionId: null }));
    const cover = { ledgerAccountId: card, amount: sum, by: givers };
    return this.run('a', [{ ...this.line(of, -sum), passesFreezes: true }, this.sourceLine(sum)], { cover });
  }

  repay(from: number, sum: bigint): boolean {
    return this.run('a', [this.line(from, -sum), { ...this.sourceLine(sum), ledgerAccountId: this.debts }]);
  }

  currencyOf(id: string): string {
    return this.books.accounts.get(id)!.currency;
  }

  sourceLine(sum: bigint): Line {
    return { ledgerAccountId: this.source, bucket: 'available', amount: sum, transactionId: null };
  }

  private add(id: string, accountId: string, currency: 'NGN' | 'USD', livemode: boolean): void {
    this.books.accounts.set(id, {
      id,
      accountId,
      name: 'wallet',
      currency,
      livemode,
      status: 'active',
      freezes: [],
      alertBelow: null,
      creditLimit: 0n,
      available: 0n,
      held: 0n,
      seq: 0n,
      updatedAt: 0,
      ctid: '(0,1)',
      place: 0n,
    });
  }
}

function step(model: Model, subject: Subject, c: Command): [expected: boolean, actual: boolean] {
  const sum = 'amount' in c ? BigInt(c.amount) : 0n;
  switch (c.do) {
    case 'pay':
      if (c.from === c.to) return [true, true];
      return [model.pay(c), subject.run(c.by, [subject.line(c.from, -sum), subject.line(c.to, sum)])];
    case 'relay': {
      if (c.from === c.over || c.over === c.to) return [true, true];
      const onward = BigInt(c.onward);
      const lines = [
        subject.line(c.from, -sum),
        subject.line(c.over, sum),
        subject.line(c.over, -onward),
        subject.line(c.to, onward),
      ];
      return [model.relay(c), subject.run('a', lines)];
    }
    case 'deposit':
      return [
        model.deposit(c),
        subject.run(model.wallets[c.to]!.owner as 'a', [subject.sourceLine(-sum), subject.line(c.to, sum)]),
      ];
    case 'convert':
      return [model.convert(c), subject.convert(c)];
    case 'clear':
      if (c.of === c.by) return [true, true];
      return [model.clear(c), subject.clear(c)];
    case 'repay': {
      const paid = sum < model.debt ? sum : model.debt;
      return paid === 0n ? [true, true] : [model.repay(c, paid), subject.repay(c.from, paid)];
    }
    case 'hold': {
      const holdId = newId();
      const open = {
        kind: 'open',
        holdId,
        ledgerAccountId: subject.ids[c.from]!,
        amount: sum,
        transactionId: null,
      } as const;
      const [expected, actual] = [model.hold(c), subject.run('a', [], { holds: [open] })];
      if (actual) subject.holdIds.push(holdId);
      return [expected, actual];
    }
    case 'capture':
    case 'release': {
      const hold = model.holds[c.hold];
      if (!hold || model.wallets[hold.wallet]!.currency !== 'NGN') return [true, true];
      const end = {
        kind: c.do,
        holdId: subject.holdIds[c.hold]!,
        ledgerAccountId: subject.ids[hold.wallet]!,
        amount: sum,
        transactionId: null,
      } as const;
      return [
        model.end(c.do, c.hold, sum),
        subject.run('a', c.do === 'capture' ? [subject.sourceLine(sum)] : [], { holds: [end] }),
      ];
    }
    case 'limit': {
      model.wallets[c.of]!.limit = BigInt(c.limit);
      const account = subject.books.accounts.get(subject.ids[c.of]!)!;
      subject.books.accounts.set(account.id, { ...account, creditLimit: BigInt(c.limit) });
      return [true, true];
    }
    case 'freeze': {
      // One that is over is as good as none.
      model.wallets[c.of]!.way = c.over ? null : c.way;
      const account = subject.books.accounts.get(subject.ids[c.of]!)!;
      const until = c.over ? new Date(0) : null;
      const freezes = c.way === null ? [] : [{ by: 'owner', direction: c.way, until, reason: null } as const];
      subject.books.accounts.set(account.id, { ...account, freezes });
      return [true, true];
    }
  }
}

describe('decide', () => {
  // By `assert`: a quarter of a million calls of `expect` take longer than what they look at.
  it('agrees with a naive model over 10,000 sequences', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
        const model = new Model();
        const subject = new Subject(model);
        for (const c of [
          { do: 'deposit', to: 0, amount: 100 },
          { do: 'deposit', to: 1, amount: 100 },
          { do: 'limit', of: 1, limit: 300 },
          { do: 'pay', from: 1, to: 0, amount: 250, by: 'a' },
          ...commands,
        ] satisfies Command[]) {
          const [expected, actual] = step(model, subject, c);
          assert.equal(actual, expected);
        }
        model.wallets.forEach(({ available, held }, i) => {
          const account = subject.books.accounts.get(subject.ids[i]!)!;
          assert.deepEqual([account.available, account.held], [available, held]);
        });
        assert.equal(subject.books.accounts.get(subject.debts)!.available, -model.debt);
        model.holds.forEach(({ left }, i) => {
          const hold = subject.books.holds.get(subject.holdIds[i]!)!;
          assert.equal(hold.amount - hold.captured - hold.released, left);
        });
        for (const accounts of Map.groupBy(subject.books.accounts.values(), ({ currency }) => currency).values())
          assert.equal(
            accounts.reduce((sum, { available, held }) => sum + available + held, 0n),
            0n,
          );
      }),
      { numRuns: 10_000 },
    );
  });
});

import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, OrderKind } from './form';
import { isOpen, type Place, type Recorder, type RecordingClient } from './recorder';

const OPENING = '1000000';
/** Now and then more than a wallet has: refusals belong to it. */
const AMOUNT_MAX = 60_000;
const REST_MS = 150;
/** Of so many orders without an answer, one is never sent again. */
const FORGOTTEN = 6;
/** What the sandbox does: sells, refuses, waits to be told, gives no answer and has sold. */
const PHONES = ['+2348000000100', '+2348000000102', '+2348000000111', '+2348000000108'] as const;

const ANSWER_MAX_MS = 10_000;
const EVENTS_MAX_MS = 60_000;
/** Of so many orders, one is hung up on, within that time. */
const [IMPATIENT, HANG_UP_MS] = [8, 60];

interface Due {
  readonly kind: OrderKind;
  readonly ask: Ask;
  readonly key: string;
}

/** Clients of one account that move money, read, and send again what got no answer, each other's too. */
export class Play {
  readonly wallets: string[] = [];
  /** Orders without an answer, for whichever client takes them. */
  private readonly due: Due[] = [];
  private readonly forgotten: Due[] = [];
  /** The last few that were answered. */
  private readonly recent: (Due & { transaction?: string })[] = [];
  /** Purchases that wait for their end. */
  private readonly running: string[] = [];
  private isOver = false;
  private clients: Promise<unknown> = Promise.resolve();
  orders = 0;
  /** Why one of them could not go on. */
  fault: Error | null = null;

  constructor(
    private readonly recorder: Recorder,
    private readonly place: Place,
  ) {}

  async open(count: number): Promise<void> {
    const opener = this.recorder.client('opener', this.place);
    for (let i = 0; i < count; i++) {
      const { answer } = await opener.settle('open', { currency: 'NGN' }, rest);
      this.wallets.push(answer!.wallet!.id);
      await opener.settle('credit', { wallet: this.wallets[i]!, amount: OPENING }, rest);
    }
  }

  start(count: number, followers = 2): void {
    const clients = Array.from({ length: count }, (_, i) => this.work(this.recorder.client(`c${i + 1}`, this.place)));
    const readers = Array.from({ length: followers }, (_, i) => this.followOn(`f${i + 1}`));
    this.clients = Promise.all([...clients, ...readers]);
    // Whoever waits for them meets it again.
    this.clients.catch((error: Error) => (this.fault = error));
  }

  /** Everybody ends what they have begun; then all is read once more. */
  async finish(): Promise<void> {
    this.isOver = true;
    await this.clients;
    const closer = this.recorder.client('closer', this.place);
    for (const one of this.due) await closer.settle(one.kind, one.ask, rest, { key: one.key });
    for (const { key } of this.forgotten) await closer.settle('lookup', { of: key }, rest);
    for (const wallet of this.wallets) await this.endHolds(closer, wallet);
    await this.readAll(closer);
  }

  /** Else a worker would end purchases when all has been read. */
  private async endHolds(closer: RecordingClient, wallet: string): Promise<void> {
    for (;;) {
      const { answer } = await closer.read('holds', { wallet }, rest);
      if (answer.holds!.length === 0) return;
      for (const { transaction } of answer.holds!)
        await closer.settle('settle', { transaction, status: 'successful' }, rest);
    }
  }

  private async readAll(closer: RecordingClient): Promise<void> {
    const [from, to] = [this.wallets[0]!, this.wallets[1]!];
    const last = await closer.settle('transfer', { from, to, amount: '1' }, rest);
    const { answer } = await closer.read('wallets', {}, rest);
    for (const { id: wallet } of answer.wallets!) {
      await closer.settle('wallet', { wallet }, rest);
      await closer.walk('entries', wallet, rest);
      await closer.walk('transactions', wallet, rest);
      await closer.settle('statement', { wallet }, rest);
      await closer.settle('holds', { wallet }, rest);
    }
    await closer.settle('wallets', {}, rest);
    // Events come in the order of commits: with that of the last transfer, all of the others are there. It has some itself.
    const wanted = last.answer?.transfer?.id;
    const end = performance.now() + EVENTS_MAX_MS;
    for (let cursor: string | undefined, isThere = wanted === undefined, hasMore = true; !isThere || hasMore;) {
      const { answer, next } = await closer.read('events', { reader: 'closer' }, rest, cursor);
      cursor = next ?? cursor;
      isThere ||= answer.events!.some(({ transfer }) => transfer?.id === wanted);
      hasMore = answer.more === true;
      if (performance.now() > end) throw new Error(`the events never told of ${wanted}`);
      if (!isThere && !hasMore) await rest();
    }
  }

  private async followOn(reader: string): Promise<void> {
    const client = this.recorder.client(reader, this.place);
    let cursor: string | undefined;
    while (!this.isOver) {
      cursor = await client.follow(reader, rest, cursor);
      await rest();
    }
  }

  private async work(client: RecordingClient): Promise<void> {
    while (!this.isOver) {
      if (this.due.length > 0 && randomInt(2) === 0) await this.order(client, this.due.shift()!);
      else if (randomInt(100) < 55) await this.order(client, this.newOrder());
      else await this.read(client);
      await sleep(randomInt(12));
    }
  }

  private wallet = (): string => this.wallets[randomInt(this.wallets.length)]!;

  private newOrder(): Due {
    this.orders++;
    const wallet = this.wallet();
    const [amount, key] = [String(randomInt(5_000, AMOUNT_MAX)), randomUUID()];
    const chance = randomInt(100);
    if (chance < 15) return { kind: 'credit', ask: { wallet, amount }, key };
    if (chance < 35) return { kind: 'purchase', ask: { wallet, amount, what: PHONES[randomInt(PHONES.length)]! }, key };
    if (chance < 45 && this.running.length > 0) {
      const status = randomInt(2) === 0 ? 'successful' : 'failed';
      return { kind: 'settle', ask: { transaction: this.running.shift()!, status }, key };
    }
    if (chance < 48) return { kind: 'change', ask: { wallet, what: `Label ${amount}` }, key };
    if (chance < 53 && this.recent.length > 0) return this.again();
    const from = this.wallets.indexOf(wallet);
    const to = this.wallets[(from + randomInt(1, this.wallets.length)) % this.wallets.length]!;
    return { kind: 'transfer', ask: { from: wallet, to, amount: randomInt(20) === 0 ? '9000000000' : amount }, key };
  }

  /** Something that was answered: the same once more, or something else under its key. */
  private again(): Due {
    const { kind, ask, key } = this.recent[randomInt(this.recent.length)]!;
    const isOther = ask.amount !== undefined && randomInt(2) === 0;
    return { kind, key, ask: isOther ? { ...ask, amount: String(Number(ask.amount) + 1) } : ask };
  }

  private async order(client: RecordingClient, due: Due): Promise<void> {
    const { kind, ask, key } = due;
    const answerMaxMs = randomInt(IMPATIENT) === 0 ? randomInt(5, HANG_UP_MS) : ANSWER_MAX_MS;
    const outcome = await client.send(kind, ask, { key, answerMaxMs });
    if (isOpen(outcome)) {
      if (randomInt(FORGOTTEN) === 0) this.forgotten.push(due);
      else this.due.push(due);
      return void (await rest());
    }
    const transaction = 'answer' in outcome ? outcome.answer?.transaction : undefined;
    if (transaction?.status === 'processing') this.running.push(transaction.id);
    if (!('answer' in outcome)) return;
    this.recent.push({ ...due, ...(transaction && { transaction: transaction.id }) });
    if (this.recent.length > 20) this.recent.shift();
  }

  private async read(client: RecordingClient): Promise<void> {
    const wallet = this.wallet();
    const recent = this.recent[randomInt(Math.max(this.recent.length, 1))];
    const chance = randomInt(100);
    if (chance < 45) await client.send('wallet', { wallet });
    else if (chance < 60) await client.send('wallets', {});
    else if (chance < 72) await client.send('entries', { wallet });
    else if (chance < 82 && recent) await client.send('lookup', { of: recent.key });
    else if (chance < 92 && recent?.transaction) await client.send('transaction', { transaction: recent.transaction });
    else if (chance < 97) await client.send('holds', { wallet });
    else await client.send('statement', { wallet });
  }
}

const rest = (): Promise<unknown> => sleep(REST_MS * (0.5 + Math.random()));

import type { Answer, Ask, Kind, TransactionSeen, WalletSeen } from './form';

/**
 * A recorded history to be changed into what a faulty service would have shown. It ends with a transfer of one client, after which that
 * client reads everything: what is changed there has no other witnesses.
 */
export class Mutable {
  lines: any[];

  constructor(text: string) {
    this.lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  get text(): string {
    return this.lines.map((line) => JSON.stringify(line)).join('\n');
  }

  heardOf({ op }: { op: string }): any {
    return this.lines.find((line) => line.op === op && !('sent' in line));
  }

  /** The transfer at the end: how it was sent and heard, and what it made. */
  get last() {
    const sent = this.lines.findLast((line) => line.sent === 'transfer' && line.client === 'closer');
    const heard = this.heardOf(sent);
    return {
      sent,
      heard,
      ...(heard.answer.transfer as { id: string; from: string; to: string; debit: string; credit: string }),
    };
  }

  /** Answers from the last transfer on, with how they were asked for. */
  *closing(): Generator<{ sent: any; heard: any; answer: Answer & Record<string, any> }> {
    const begin = this.lines.indexOf(this.last.heard);
    const asked = new Map(this.lines.slice(begin).map((line) => [line.sent && line.op, line]));
    for (const heard of this.lines.slice(begin + 1))
      if (heard.answer && asked.has(heard.op)) yield { sent: asked.get(heard.op), heard, answer: heard.answer };
  }

  read(kind: Kind, wallet?: string): { sent: any; heard: any; answer: any } {
    for (const call of this.closing())
      if (call.sent.sent === kind && (wallet === undefined || call.sent.ask.wallet === wallet)) return call;
    throw new Error(`no ${kind} of ${wallet}`);
  }

  /** The answers of requests of before and after, by kind. */
  *answersTo(kind: Kind): Generator<{ sent: any; heard: any; answer: any }> {
    for (const sent of this.lines) {
      const heard = sent.sent === kind ? this.heardOf(sent) : undefined;
      if (heard?.answer) yield { sent, heard, answer: heard.answer };
    }
  }

  /** A request and its answer right behind or before a line. */
  insert(
    line: object,
    where: 'before' | 'behind',
    { client = 'reader', kind, ask, key }: { client?: string; kind: Kind; ask: Ask; key?: string },
    heard: { heard: number; answer?: Answer; code?: string } | { lost: string },
  ): void {
    const at = this.lines.indexOf(line) + (where === 'behind' ? 1 : 0);
    const from = this.lines[at - 1].at ?? this.lines[at].at - 1;
    // Room for it.
    for (const later of this.lines.slice(at)) later.at += 100;
    const op = `x${this.lines.length}`;
    const sent = { at: from + 10, op, client, account: 'shop', sent: kind, ...(key && { key }), ask };
    this.lines.splice(at, 0, sent, { at: from + 20, op, ...heard });
  }

  private static change(seen: WalletSeen, bucket: 'available' | 'held', amount: number, versions: number): void {
    const changed = seen as any;
    changed[bucket] = `${Number(seen[bucket]) + amount}`;
    changed.ledger = `${Number(seen.ledger) + amount}`;
    changed.version += versions;
  }

  /** The wallet as a read at the end shows it. */
  wallet(id: string): WalletSeen {
    return structuredClone(this.read('wallet', id).answer.wallet);
  }

  /** The same, before its last entry. */
  walletBefore(id: string): WalletSeen {
    const [entry] = this.read('entries', id).answer.entries;
    const seen = this.wallet(id);
    Mutable.change(seen, entry.bucket, -Number(entry.amount), -1);
    return seen;
  }

  /** Takes the last entry of a wallet out of everything that is read at the end. */
  takeBack(id: string, parts: { transaction: string }): void {
    const [entry] = this.read('entries', id).answer.entries;
    if (entry.transaction !== parts.transaction) throw new Error('it is not the last one');
    const amount = Number(entry.amount);
    for (const { sent, answer } of this.closing()) {
      const isOwn = sent.ask.wallet === id;
      for (const seen of [...(answer.wallets ?? []), ...(answer.wallet ? [answer.wallet] : [])])
        if (seen.id === id) Mutable.change(seen, entry.bucket, -amount, -1);
      if (isOwn && answer.entries && sent.ask.before === undefined) (answer.entries as any[]).shift();
      if (answer.transactions)
        (answer as any).transactions = answer.transactions.filter((row) => row.id !== parts.transaction);
      if (isOwn && answer.lines) {
        (answer as any).lines = answer.lines.filter((line) => line.transaction !== parts.transaction);
        (answer as any).closing = `${Number(answer.closing) - amount}`;
      }
    }
  }

  /** Adds an entry to a wallet, in everything that is read at the end. `row`: what its transactions list in addition. */
  post(
    id: string,
    bucket: 'available' | 'held',
    amount: number,
    { transaction, row }: { transaction: string; row?: TransactionSeen },
  ): void {
    for (const { sent, answer } of this.closing()) {
      const isOwn = sent.ask.wallet === id;
      for (const seen of [...(answer.wallets ?? []), ...(answer.wallet ? [answer.wallet] : [])])
        if (seen.id === id) Mutable.change(seen, bucket, amount, 1);
      if (isOwn && answer.entries && sent.ask.before === undefined)
        this.enter(answer.entries as any[], bucket, amount, transaction);
      if (isOwn && answer.transactions && row) (answer.transactions as any[]).unshift(row);
      if (isOwn && answer.lines) {
        const line = { transaction, in: `${Math.max(amount, 0)}`, out: `${Math.max(-amount, 0)}` };
        (answer.lines as any[]).push({ ...line, balance: `${Number(answer.closing) + amount}` });
        (answer as any).closing = `${Number(answer.closing) + amount}`;
      }
    }
  }

  private enter(entries: any[], bucket: string, amount: number, transaction: string): void {
    const before = entries.find((entry) => entry.bucket === bucket)?.after ?? 0;
    const after = `${Number(before) + amount}`;
    entries.unshift({ sequence: entries[0].sequence + 1, bucket, amount: `${amount}`, after, transaction });
  }

  dropEvents(isAbout: (event: any) => boolean): void {
    for (const line of this.lines)
      if (line.answer?.events) line.answer.events = line.answer.events.filter((event: any) => !isAbout(event));
  }
}

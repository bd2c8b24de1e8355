import type { Call, Findings } from './contradiction';
import type { Effects } from './effects';
import type { Ask, EntrySeen, WalletSeen } from './form';
import { Log, show } from './log';
import { checkReads } from './reads';
import type { Order } from './orders';

export interface Entry {
  readonly bucket: 'available' | 'held';
  readonly amount: bigint;
  readonly after: bigint;
  readonly transaction: string;
  readonly call: Call;
}

/** What somebody read of a wallet: everything up to an entry. */
export interface Read {
  readonly call: Call;
  /** What was read; null: a page of entries that begins with the newest. */
  readonly seen: WalletSeen | null;
  /** How many changes of the wallet had been asked for when it was answered. */
  readonly changes: number;
  /** Number of the last entry that it may include, and of the last one that it must; null until that is known. */
  position: number | null;
  proven: number | null;
}

export class Wallet {
  opened: Order | null = null;
  /** Requests that may have changed what is said of it, and with it the version. */
  changes = 0;
  readonly entries: Entry[] = [];
  readonly reads: Read[] = [];
  /** The last read that shows the newest entry. */
  top: Call | null = null;
  topSequence = 0;
  limit = 0n;

  constructor(
    readonly id: string,
    readonly account: string,
  ) {}
}

/** All wallets of an account, read at once. */
interface Snapshot {
  readonly call: Call;
  readonly reads: readonly { readonly wallet: Wallet; readonly read: Read }[];
}

/** Entries and balances of wallets, as they were read. */
export class Books {
  readonly wallets = new Map<string, Wallet>();
  readonly snapshots: Snapshot[] = [];

  constructor(
    private readonly findings: Findings,
    private readonly effects: Effects,
  ) {}

  wallet(id: string, account: string): Wallet {
    let wallet = this.wallets.get(id);
    if (wallet === undefined) this.wallets.set(id, (wallet = new Wallet(id, account)));
    return wallet;
  }

  sawWallet(seen: WalletSeen, call: Call): Read {
    const wallet = this.wallet(seen.id, call.account);
    const [available, held, limit] = [BigInt(seen.available), BigInt(seen.held), BigInt(seen.limit ?? 0)];
    const what = `${seen.id} in version ${seen.version}: available ${seen.available}, held ${seen.held}`;
    if (available + held !== BigInt(seen.ledger))
      this.findings.add('sum-wrong', `${what}, which is not ledger ${seen.ledger}.`, call);
    if (limit > wallet.limit) wallet.limit = limit;
    if (available < -wallet.limit || held < 0n) this.findings.add('balance-negative', `${what}.`, call);
    const read: Read = { call, seen, changes: wallet.changes, position: null, proven: null };
    wallet.reads.push(read);
    return read;
  }

  sawWallets(seen: readonly WalletSeen[], isWhole: boolean, call: Call): void {
    const reads = seen.map((one) => ({ wallet: this.wallet(one.id, call.account), read: this.sawWallet(one, call) }));
    if (isWhole) this.snapshots.push({ call, reads });
  }

  /** A page of entries, newest first. */
  sawEntries({ wallet: id, before }: Ask, rows: readonly EntrySeen[], isLast: boolean, call: Call): void {
    const wallet = this.wallet(id!, call.account);
    let expected = before === undefined ? (rows[0]?.sequence ?? 0) : before - 1;
    if (before === undefined) {
      wallet.reads.push({ call, seen: null, changes: 0, position: expected, proven: expected });
      if (wallet.top === null || call.sent > wallet.top.sent) wallet.top = call;
      wallet.topSequence = Math.max(wallet.topSequence, expected);
    }
    for (const row of rows) {
      if (row.sequence > expected)
        this.findings.add('entry-doubled', `${id} lists entry ${row.sequence} where ${expected} follows.`, call);
      else if (row.sequence < expected)
        this.findings.add('entry-gap', `${id} lists entry ${row.sequence} where ${expected} follows.`, call);
      expected = row.sequence - 1;
      this.sawEntry(wallet, row, call);
    }
    if (isLast && expected > 0)
      this.findings.add('entry-gap', `${id} lists nothing before entry ${expected + 1}.`, call);
  }

  private sawEntry(wallet: Wallet, row: EntrySeen, call: Call): void {
    const known = wallet.entries[row.sequence - 1];
    const entry = { ...row, amount: BigInt(row.amount), after: BigInt(row.after), call };
    if (known === undefined) wallet.entries[row.sequence - 1] = entry;
    else if (
      known.bucket !== entry.bucket ||
      known.amount !== entry.amount ||
      known.after !== entry.after ||
      known.transaction !== entry.transaction
    )
      this.findings.add(
        'entry-changed',
        `Entry ${row.sequence} of ${wallet.id} was ${show(known)}, and then ${show(entry)}.`,
        known.call,
        call,
      );
  }

  /** Once all is read: gives entries to what they are of. */
  write(): ReadonlyMap<string, Log> {
    const logs = new Map<string, Log>();
    for (const wallet of this.wallets.values()) {
      const log = new Log(wallet, this.wallets, this.effects, this.findings);
      logs.set(wallet.id, log);
      log.write();
    }
    return logs;
  }

  check(logs: ReadonlyMap<string, Log>): void {
    for (const log of logs.values()) {
      log.checkLegs();
      checkReads(log, this.effects, this.findings);
    }
    for (const snapshot of this.snapshots) this.checkSnapshot(snapshot, logs);
  }

  /** Transfers between these wallets cancel out: what else came in is what all of them hold together. */
  private checkSnapshot({ call, reads }: Snapshot, logs: ReadonlyMap<string, Log>): void {
    let [mark, held, inside] = [0, 0n, 0n];
    for (const { wallet, read } of reads) {
      const log = logs.get(wallet.id)!;
      // It has no entries yet.
      if (read.seen!.version - 1 <= wallet.changes && wallet.top === null) continue;
      if (read.position === null || read.position !== read.proven) return;
      if (read.position > log.length || log.unnamed.size > 0) return;
      mark = (mark + log.marks[read.position]!) | 0;
      held += BigInt(read.seen!.ledger);
      inside += log.outside[read.position]!;
    }
    if (mark === 0 && held === inside) return;
    this.findings.add(
      'money-made',
      `The ${reads.length} wallets of ${call.account} hold ${held} together, where what came in less what left is ${inside}: ` +
        'a transfer is in one of its wallets and not in the other.',
      call,
    );
  }
}

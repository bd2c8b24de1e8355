import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { decodeId, encodeId } from '../../../src/core/http/ids';
import type { Pace } from '../purchases/pace';
import { pick } from '../cards/card-clients';
import type { Findings } from '../cards/findings';
import type { Shop } from '../cards/shop';

/** Of the same callback, and payouts whose callbacks wait, so that they come in any order. */
const [CALLBACKS_AT_ONCE, WAITING] = [2, 10];
/** One in so many payouts is told of by nobody but the sandbox's own bank. */
const UNTOLD = 3;
const WORDS = ['delivered', 'failed', 'reversed', 'nonsense'] as const;

const CLIENTS = 8;
const PAUSE_MS = 25;
const [AMOUNT_MIN, AMOUNT_MAX] = [10_000, 2_000_000];
/** What is final already. */
const REFUSALS = ['invalid_state_transition'];
const FINAL = ['successful', 'failed', 'reversed'];
/** The operator has never had it: a process died before it asked. */
const NEVER_ASKED = 'not_known_to_provider';
const TAKEN_BACK = 'reversed_by_operator';

/** What the bank does with a payout. */
interface Fate {
  /** `X-Sandbox-Scenario`. */
  readonly scenario?: string;
  /** What it is made to say while it is asked, one after the other. */
  readonly settles?: readonly ('successful' | 'failed' | 'reversed')[];
  /** What it says in the end, against all that it said before. */
  readonly contradicts?: 'successful' | 'failed';
  readonly ends: string;
}

const FATES: readonly (readonly [weight: number, fate: Fate])[] = [
  [10, { ends: 'successful' }],
  [3, { scenario: 'outcome=failed', ends: 'failed' }],
  [3, { scenario: 'outcome=refused_once', ends: 'successful' }],
  // Answers that are lost, and what became of it all the same.
  [6, { scenario: 'outcome=timeout; then=delivered; delay=40s', ends: 'successful' }],
  [4, { scenario: 'outcome=timeout; then=failed; delay=40s', ends: 'failed' }],
  [4, { scenario: 'outcome=error; then=failed', ends: 'failed' }],
  [4, { scenario: 'outcome=garbage; then=delivered; delay=5m', ends: 'successful' }],
  [4, { scenario: 'outcome=processing', settles: ['successful'], ends: 'successful' }],
  [3, { scenario: 'outcome=processing', settles: ['failed'], ends: 'failed' }],
  // Taken back, once.
  [6, { scenario: 'outcome=delivered; then=reversed; delay=2m', ends: 'reversed' }],
  [3, { scenario: 'outcome=timeout; then=reversed; delay=2m', ends: 'reversed' }],
  [4, { scenario: 'outcome=processing', settles: ['successful', 'reversed'], ends: 'reversed' }],
  // Told of by the bank itself: often, never, falsely, or before its answer.
  [4, { scenario: 'outcome=processing; then=delivered; delay=40s; callback=twice', ends: 'successful' }],
  [3, { scenario: 'outcome=timeout; then=failed; delay=40s; callback=contradicted', ends: 'failed' }],
  [3, { scenario: 'outcome=error; then=delivered; callback=once', ends: 'successful' }],
  // Days after the success: with a callback, and without one that could be believed.
  [4, { scenario: 'outcome=delivered; then=reversed; delay=48h; callback=twice', ends: 'reversed' }],
  [3, { scenario: 'outcome=delivered; then=reversed; delay=48h; callback=contradicted', ends: 'reversed' }],
  [4, { scenario: 'outcome=delivered; then=reversed; delay=48h; callback=lost', ends: 'reversed' }],
  [2, { scenario: 'outcome=delivered; then=reversed; delay=48h; callback=forged', ends: 'reversed' }],
  // Asked once more, it says the opposite: a person must see, and no money moves.
  [3, { scenario: 'outcome=delivered; then=reversed; delay=12h', contradicts: 'failed', ends: 'successful' }],
  [
    3,
    {
      scenario: 'outcome=processing',
      settles: ['successful', 'reversed'],
      contradicts: 'successful',
      ends: 'reversed',
    },
  ],
];

interface Told {
  readonly id: string;
  readonly wallet: string;
  readonly amount: number;
  readonly total: number;
  readonly fate: Fate;
  /** The bank has said it: `contradicts`. */
  isContradicted: boolean;
}

/** A payout as the database has it, with its hold and what its bank knows of it. */
interface Found {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly needs_review: boolean;
  readonly code: string | null;
  readonly captured: string;
  readonly released: string;
  readonly held: string;
  readonly reversals: number;
  readonly is_known: boolean;
}

const FOUND = `
  SELECT t.id, t.status, t.amount, t.needs_review, t.failure ->> 'code' AS code, h.captured, h.released, h.amount AS held,
         (SELECT count(*)::int FROM transactions r WHERE r.account_id = t.account_id AND r.reverses = t.id) AS reversals,
         EXISTS (SELECT FROM sandbox_orders o WHERE o.account_id = t.account_id AND o.purchase_id = t.id) AS is_known
    FROM transactions t JOIN purchases p USING (account_id, livemode, id)
    LEFT JOIN ledger_holds h ON h.account_id = t.account_id AND h.id = t.id
   WHERE t.type = 'payout' AND NOT starts_with(p.idempotency_key, 'bat_')`;

/** In the bank's own books. */
const CONTRADICT = `
  INSERT INTO sandbox_settlements (account_id, purchase_id, status)
  SELECT account_id, id, $2 FROM transactions WHERE id = $1
  ON CONFLICT ON CONSTRAINT sandbox_settlements_pkey DO UPDATE SET status = excluded.status`;

/** Clients that pay into bank accounts, and ask again and again what became of it. */
export class Payouts {
  readonly told: Told[] = [];
  begun = 0;
  /** Times that the bank was asked by a client, twice at once. */
  asked = 0;
  readonly ends = new Map<string, number>();
  callbacks = 0;
  private readonly due: Told[] = [];
  private readonly callbackKey: Buffer;

  constructor(
    private readonly shops: readonly Shop[],
    private readonly db: Pool,
    private readonly payouts: number,
    private readonly pace: Pace,
    secretsKey: string,
  ) {
    this.callbackKey = Buffer.from(
      hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'duka/sandbox-operators/v1', 32),
    );
  }

  /** Resolves when every request has its answer. */
  async run(): Promise<void> {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (this.begun < this.payouts) {
          if (this.begun < this.pace.allowance) await this.pay(this.begun++);
          else await sleep(PAUSE_MS);
        }
      }),
    );
    while (this.due.length > 0) await this.callNext();
  }

  /** The banks make all their callbacks again, long after everything was settled. */
  async remind(): Promise<void> {
    for (const told of this.told) await this.callBack(told);
  }

  /** Once all is settled, banks contradict themselves. */
  async contradict(): Promise<void> {
    const found = await this.found();
    for (const told of this.told) {
      const { id, fate } = told;
      if (fate.contradicts === undefined || found.get(id)?.status !== fate.ends) continue;
      await this.db.query(CONTRADICT, [decodeId('txn', id), fate.contradicts]);
      told.isContradicted = true;
    }
  }

  /** Compares each payout with what its bank did, and its hold with both. */
  async reckon(findings: Findings): Promise<void> {
    const found = await this.found();
    for (const told of this.told) {
      const one = found.get(told.id);
      found.delete(told.id);
      if (one === undefined) {
        findings.add('lost', `payout ${told.id}`);
        continue;
      }
      const ends = endOf(told, one);
      this.ends.set(ends, (this.ends.get(ends) ?? 0) + 1);
      const [isPaid, isReversed] = [ends !== 'failed', ends === 'reversed'];
      findings.compare('transactions', `payout ${told.id}, ${JSON.stringify([told.fate, one.code])}`, {
        told: [ends, `${told.amount}`, told.isContradicted, Number(isReversed)],
        found: [one.status, one.amount, one.needs_review, one.reversals],
      });
      findings.compare('holds', `of ${told.id}`, {
        told: isPaid ? [`${told.total}`, `${told.total}`, '0'] : [`${told.total}`, '0', `${told.total}`],
        found: [one.held, one.captured, one.released],
      });
    }
    for (const id of found.keys()) findings.add('unasked', `payout ${id}`);
  }

  /** What payouts took from a wallet and did not give back. */
  async takenFrom(wallet: string): Promise<number> {
    const found = await this.found();
    return this.told
      .filter((told) => told.wallet === wallet && found.get(told.id)?.status === 'successful')
      .reduce((sum, { total }) => sum + total, 0);
  }

  private async pay(index: number): Promise<void> {
    const shop = this.shops[index % this.shops.length]!;
    const [, fate] = pick(FATES);
    const [wallet, amount] = [shop.anyWallet('NGN'), randomInt(AMOUNT_MIN, AMOUNT_MAX)];
    const bank = { code: '058', account_number: `02345${String(index).padStart(5, '0')}` };
    const headers: Record<string, string> = fate.scenario ? { 'x-sandbox-scenario': fate.scenario } : {};
    const made = await shop.post('/v4/payouts', { amount, bank, wallet_id: wallet }, [], headers);
    if (made === null) return;
    const told: Told = { id: made.id, wallet, amount, total: made.total, fate, isContradicted: false };
    this.told.push(told);
    if (randomInt(UNTOLD) > 0) this.due.push(told);
    if (this.due.length > WAITING) await this.callNext();
    if (!FINAL.includes(made.status)) await this.ask(shop, made.id);
    for (const status of fate.settles ?? []) {
      await shop.post(`/v4/sandbox/transactions/${made.id}/settle`, { status }, REFUSALS);
      await this.ask(shop, made.id);
      // A process that died within the answer has left it to the next; what failed before stays so.
      while ((await shop.get(`/v4/transactions/${made.id}`)).status === 'processing') await sleep(4 * PAUSE_MS);
    }
  }

  /** About any of those that wait. */
  private async callNext(): Promise<void> {
    const [told] = this.due.splice(randomInt(this.due.length), 1);
    if (told) await this.callBack(told);
  }

  /** The same callback, twice at once, about each order of a payout. What it says counts for nothing. */
  private async callBack({ id }: Told): Promise<void> {
    const { rows } = await this.db.query<{ id: string; provider: string }>(
      'SELECT id, provider FROM purchase_attempts WHERE purchase_id = $1',
      [decodeId('txn', id)],
    );
    for (const { id: reference, provider } of rows) {
      const body = JSON.stringify({ reference, event: WORDS[randomInt(WORDS.length)] });
      const signature = createHmac('sha256', this.callbackKey).update(`${provider}\n`).update(body).digest('hex');
      const path = `/callbacks/purchases/${provider}`;
      const request = { method: 'POST', path, headers: { 'x-sandbox-signature': signature }, body } as const;
      await Promise.all(Array.from({ length: CALLBACKS_AT_ONCE }, () => this.shops[0]!.wire.ask(request)));
      this.callbacks += CALLBACKS_AT_ONCE;
    }
  }

  /** Of two processes, or the same one, at once. */
  private async ask(shop: Shop, id: string): Promise<void> {
    this.asked++;
    const ask = () => shop.post(`/v4/transactions/${id}/requery`, undefined, REFUSALS);
    await Promise.all([ask(), ask()]);
  }

  private async found(): Promise<Map<string, Found>> {
    const { rows } = await this.db.query<Found>(FOUND);
    return new Map(rows.map((row) => [encodeId('txn', row.id), row]));
  }
}

/** How it must end: as its bank did, unless a process died before it asked, or heard first that it was taken back. */
function endOf({ fate: { ends, scenario } }: Told, { status, code, is_known: isKnown }: Found): string {
  if (scenario !== undefined && !isKnown && code === NEVER_ASKED) return 'failed';
  return ends === 'reversed' && status === 'failed' && code === TAKEN_BACK ? 'failed' : ends;
}

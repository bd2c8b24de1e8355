import type { Pool } from 'pg';
import { decodeId, encodeId } from '../../../src/core/http/ids';
import type { Company } from '../../pretended/stripe/company';
import type { Findings } from '../cards/findings';
import { count } from '../cards/wire';
import { cardKeyOf, type Cards } from './cards';
import { balanceOf, platformSum } from './reckoning';
import type { StripeEvents } from './stripe-events';

interface CardRow {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  /** Available and held. */
  readonly balance: string;
}

interface UsedRow {
  readonly reference: string;
  readonly status: string;
  readonly cleared: string;
  readonly refunded: string;
  /** What it still holds. */
  readonly open: string;
}

const CARDS = `
  SELECT c.id, c.idempotency_key AS key, c.status, a.available + a.held AS balance
    FROM cards c JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id WHERE c.livemode`;
const USED = `
  SELECT issuer_reference AS reference, status, cleared, refunded,
         CASE WHEN status = 'declined' THEN 0 ELSE amount - (cleared - over) - released END AS open
    FROM card_transactions WHERE livemode AND type IN ('authorization', 'clearing')`;
const UNLINKED = `
  SELECT amount FROM card_transactions WHERE livemode AND type = 'refund' AND original_id IS NULL ORDER BY amount`;
const LOADS = `SELECT id FROM transactions WHERE livemode AND type = 'card_funding' AND status = 'successful'`;
const FEES = `
  SELECT coalesce(sum(fee), 0) AS sum FROM transactions
   WHERE livemode AND type IN ('card_issue', 'card_funding') AND status = 'successful'`;

export interface CardSides {
  readonly db: Pool;
  readonly stripe: Company;
  readonly events: StripeEvents;
  readonly cards: Cards;
  readonly count: number;
  readonly account: string;
  readonly wallet: string;
  readonly funds: bigint;
  /** Of our money at Stripe. */
  readonly opening: bigint;
}

/** Compares what clients were told, what the database has, and what Stripe has. Returns how cards ended. */
export async function reckonCards(sides: CardSides, findings: Findings): Promise<Map<string, number>> {
  const { rows } = await sides.db.query<CardRow>(CARDS);
  const ends = new Map<string, number>();
  reckonIssues(sides, rows, findings);
  for (const { status } of rows) count(ends, status);
  await reckonLoads(sides, findings);
  await reckonUses(sides, findings);
  await reckonMoney(sides, rows, findings);
  return ends;
}

/** One card there for each card here. */
function reckonIssues({ cards, stripe, count: many }: CardSides, rows: readonly CardRow[], findings: Findings): void {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  for (let index = 0; index < many; index++) {
    const made = byKey.get(cardKeyOf(index)) ?? [];
    const told = cards.told.get(index);
    if (told !== undefined && decodeId('crd', told) !== made[0]?.id) findings.add('lost', told);
    if (made.length > 1) findings.add('twice', `${cardKeyOf(index)}: ${made.length} cards`);
  }
  const known = new Set(rows.map(({ id }) => id));
  for (const { id, status } of rows)
    findings.compare('cards', `${encodeId('crd', id)}, which is ${status}, at Stripe`, {
      told: status === 'failed' ? 0 : 1,
      found: stripe.made(id),
    });
  for (const { id, metadata } of stripe.cards.values())
    if (!known.has(metadata.reference)) findings.add('unasked', `${id} at Stripe`);
}

async function reckonLoads({ db, cards }: CardSides, findings: Findings): Promise<void> {
  const { rows } = await db.query<{ id: string }>(LOADS);
  findings.compare('transactions', 'loads of cards', {
    told: cards.loads.toSorted(),
    found: rows.map(({ id }) => encodeId('txn', id)).toSorted(),
  });
}

/** What Stripe knows of an authorization, or of a capture without one. */
interface Use {
  readonly isApproved: boolean;
  readonly captured: number;
  readonly refunded: number;
  readonly open: number;
}

function usesOf({ authorizations, network }: Company): Map<string, Use> {
  const moved = Map.groupBy(network.transactions.values(), ({ authorization }) => authorization as string | null);
  const sumOf = (id: string, type: string): number =>
    (moved.get(id) ?? []).filter((one) => one.type === type).reduce((sum, { amount }) => sum + Math.abs(amount), 0);
  const uses = new Map<string, Use>();
  for (const [id, { approved, status, amount }] of authorizations)
    uses.set(id, {
      isApproved: approved,
      captured: sumOf(id, 'capture'),
      refunded: sumOf(id, 'refund'),
      open: status === 'pending' ? amount : 0,
    });
  for (const { id, amount, type } of moved.get(null as never) ?? [])
    if (type === 'capture') uses.set(id, { isApproved: true, captured: -amount, refunded: 0, open: 0 });
  return uses;
}

/** What was approved is in the books, what was captured is settled once, and nothing else is held. */
async function reckonUses({ db, stripe, events }: CardSides, findings: Findings): Promise<void> {
  const { rows } = await db.query<UsedRow>(USED);
  // An increment stands in the books beside its authorization.
  const byReference = Map.groupBy(rows, ({ reference }) => reference.split(':')[0]!);
  const sumOf = (own: readonly UsedRow[], key: 'cleared' | 'refunded' | 'open'): number =>
    own.reduce((sum, row) => sum + Number(row[key]), 0);
  for (const [reference, { isApproved, ...told }] of usesOf(stripe)) {
    const own = byReference.get(reference) ?? [];
    byReference.delete(reference);
    const isKnown = own.some(({ status }) => status !== 'declined');
    if (!isKnown && (isApproved || events.promised.has(reference)))
      findings.add('cardTransactions', `${reference} was approved, and is not in the books`);
    const found = { captured: sumOf(own, 'cleared'), refunded: sumOf(own, 'refunded'), open: sumOf(own, 'open') };
    findings.compare('cardTransactions', reference, { told, found });
  }
  for (const reference of byReference.keys()) findings.add('unasked', `${reference} at Stripe`);
  const unlinked = [...stripe.network.transactions.values()].filter(
    (one) => one.type === 'refund' && !one.authorization,
  );
  const { rows: booked } = await db.query<{ amount: string }>(UNLINKED);
  findings.compare('cardTransactions', 'refunds of nothing known', {
    told: unlinked.map(({ amount }) => amount as number).toSorted((a, b) => a - b),
    found: booked.map(({ amount }) => Number(amount)),
  });
}

async function reckonMoney(
  { db, stripe, account, wallet, funds, opening }: CardSides,
  rows: readonly CardRow[],
  findings: Findings,
): Promise<void> {
  const spent = opening - stripe.balance;
  findings.compare('floats', 'Stripe', {
    told: `${-spent}`,
    found: await platformSum(db, 'card_issuer:stripe', 'USD'),
  });
  const fees = BigInt((await db.query<{ sum: string }>(FEES)).rows[0]!.sum);
  const [available, held] = (await balanceOf(db, account, wallet))!;
  const onCards = rows.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  findings.compare('wallets', 'of cards, with the cards', {
    told: [`${funds - fees - spent}`, '0'],
    found: [`${BigInt(available!) + onCards}`, held],
  });
}

import type { Pool } from 'pg';
import { decodeId, encodeId } from '../../../src/core/http/ids';
import type { Findings } from '../cards/findings';
import { count } from '../cards/wire';
import type { Gateway } from './gateways';
import { paymentKeyOf, type Payments } from './payments';
import { balanceOf, platformSum } from './reckoning';

interface MadeRefund {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly total: number;
}

interface Row {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly fee: string;
  readonly gateway: string | null;
  readonly received: string | null;
  readonly review: string | null;
  /** What gateways answered about it, in order. */
  readonly answers: string;
  /** What its credit brought the wallet. */
  readonly credited: string;
  readonly refunds: readonly MadeRefund[];
}

const ROWS = `
  SELECT p.id, p.idempotency_key AS key, p.status, p.fee, p.gateway, p.amount_received AS received, p.review,
         (SELECT string_agg(concat_ws(' ', c.call, c.outcome, c.code), ', ' ORDER BY c.id) FROM payment_checks c
           WHERE c.account_id = p.account_id AND c.payment_id = p.id) AS answers,
         (SELECT coalesce(sum(e.amount), 0) FROM ledger_entries e
           WHERE e.account_id = p.account_id AND e.transaction_id = p.transaction_id
             AND e.ledger_account_id = p.wallet_id) AS credited,
         (SELECT coalesce(json_agg(json_build_object('id', r.id, 'status', r.status, 'amount', r.amount,
                                                     'total', r.amount + r.fee)), '[]')
            FROM refunds r WHERE r.account_id = p.account_id AND r.payment_id = p.id) AS refunds
    FROM payments p WHERE p.livemode`;

export interface PaymentSides {
  readonly db: Pool;
  readonly gateways: readonly Gateway[];
  readonly payments: Payments;
  readonly count: number;
  readonly account: string;
  readonly wallet: string;
  readonly funds: bigint;
}

/** Compares what clients were told, what the database has, and what gateways have. Returns how they ended. */
export async function reckonPayments(sides: PaymentSides, findings: Findings): Promise<Map<string, number>> {
  const { db, payments, gateways } = sides;
  const { rows } = await db.query<Row>(ROWS);
  const ends = new Map<string, number>();
  const byKey = Map.groupBy(rows, ({ key }) => key);
  for (let index = 0; index < sides.count; index++) {
    const made = byKey.get(paymentKeyOf(index)) ?? [];
    const told = payments.told.get(index);
    if (told !== undefined && decodeId('pay', told) !== made[0]?.id) findings.add('lost', told);
    if (made.length > 1) findings.add('twice', `${paymentKeyOf(index)}: ${made.length} payments`);
  }
  for (const row of rows) {
    const id = encodeId('pay', row.id);
    count(ends, row.status);
    reckonCredit(row, gateways, payments.referenceOf(id), findings);
    if (row.review !== null)
      findings.add('payments', `${id} at ${row.gateway} needs a person: ${row.review}, ${row.answers}`);
  }
  reckonRefunds(sides, rows, findings);
  await reckonMoney(sides, rows, findings);
  return ends;
}

/** What came to all gateways together is credited, once, without our fee; what did not come is not. */
function reckonCredit(row: Row, gateways: readonly Gateway[], reference: string, findings: Findings): void {
  const came = gateways.flatMap((one) => {
    const amount = one.arrived(reference);
    return amount === null ? [] : [`${one.name} ${amount}`];
  });
  const isPaid = row.status === 'successful' || row.status === 'reversed';
  const told = isPaid ? [`${row.gateway} ${row.received}`] : [];
  findings.compare('payments', `${encodeId('pay', row.id)}, which is ${row.status},`, { told, found: came });
  const net = isPaid ? `${BigInt(row.received!) - BigInt(row.fee)}` : '0';
  findings.compare('wallets', `credit of ${encodeId('pay', row.id)}`, { told: net, found: row.credited });
}

/** Each refund that succeeded went back once, and no other did. */
function reckonRefunds({ gateways, payments }: PaymentSides, rows: readonly Row[], findings: Findings): void {
  const byReference = Map.groupBy(
    gateways.flatMap(({ name, returned }) => returned.map((one) => ({ ...one, by: name }))),
    ({ reference }) => reference,
  );
  const known = new Set<string>();
  for (const { gateway, refunds } of rows)
    for (const { id, status, amount } of refunds) {
      const reference = encodeId('rfd', id);
      const found = (byReference.get(reference) ?? []).map((one) => `${one.by} ${one.amount}`);
      const told = status === 'successful' ? [`${gateway} ${amount}`] : [];
      findings.compare('payments', `${reference}, which is ${status},`, { told, found });
      known.add(reference);
      byReference.delete(reference);
    }
  for (const id of payments.refunds) if (!known.has(id)) findings.add('lost', id);
  for (const [reference, [one]] of byReference) findings.add('unasked', `${reference} at ${one!.by}`);
}

async function reckonMoney(
  { db, gateways, account, wallet, funds }: PaymentSides,
  rows: readonly Row[],
  findings: Findings,
): Promise<void> {
  const refunds = rows.flatMap((row) => row.refunds.filter(({ status }) => status === 'successful'));
  const spent = refunds.reduce((sum, { total }) => sum + BigInt(total), 0n);
  const left = rows.reduce((sum, { credited }) => sum + BigInt(credited), funds - spent);
  const found = await balanceOf(db, account, wallet);
  findings.compare('wallets', 'of payments', { told: [`${left}`, '0'], found });
  for (const { name, balance } of gateways) {
    const inBooks = await platformSum(db, `gateway:${name}`, 'NGN');
    findings.compare('floats', `${name} as a gateway`, { told: `${balance}`, found: inBooks });
  }
}

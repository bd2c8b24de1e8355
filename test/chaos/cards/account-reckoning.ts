import { type FoundCard, type Moment, reckonCards, returnedBy } from './card-reckoning';
import type { Findings } from './findings';
import type { Shop } from './shop';
import { lentTo, sum, type ToldCard, type ToldPayment, type ToldTransfer } from './told';
import { arrivedAt, reckonTransfers } from './transfer-clients';

/** What the issue of a card costs, in cents. */
const ISSUE_FEE = 100;

interface Found {
  /** Credited, with the transaction of each. */
  readonly arrived: readonly (ToldTransfer & { readonly transaction: string })[];
  readonly cards: ReadonlyMap<string, FoundCard>;
  readonly moment: Moment;
}

/** Compares all that an account sees with what its clients were told. */
export async function reckonAccount(shop: Shop, moment: Moment, findings: Findings): Promise<void> {
  const cards = await reckonCards(shop, moment, findings);
  const found = { cards, moment, arrived: await reckonTransfers(shop, moment, findings) };
  const payments = await reckonPayments(shop, findings);
  reckonRecords(shop, await shop.all('/v4/transactions'), { ...found, payments }, findings);
  reckonWallets(shop, await shop.all('/v4/wallets'), found, findings);
}

async function reckonPayments(shop: Shop, findings: Findings): Promise<Map<string, any>> {
  const found = new Map<string, any>((await shop.all('/api/v1/payments')).map((payment) => [payment.id, payment]));
  const told = new Set(shop.payments.map(({ id }) => id));
  for (const id of found.keys()) if (!told.has(id)) findings.add('unasked', id);
  for (const {
    id,
    amount,
    fee,
    wallet,
    outcome: { ends, needsReview },
  } of shop.payments) {
    const one = found.get(id);
    if (one === undefined) findings.add('lost', id);
    else
      findings.compare('payments', id, {
        told: [ends, needsReview, amount, fee, wallet, ['successful', 'reversed'].includes(ends)],
        found: [one.status, one.needs_review, one.amount, one.fee, one.wallet_id, one.transaction_id !== null],
      });
  }
  return found;
}

/** Each record once, and none beside them. */
function reckonRecords(
  shop: Shop,
  rows: readonly any[],
  found: Found & { payments: ReadonlyMap<string, any> },
  findings: Findings,
): void {
  const left = new Map(rows.map((row) => [row.id as string, row]));
  const take = (id: string, told: readonly unknown[]): void => {
    const row = left.get(id);
    left.delete(id);
    if (row === undefined) findings.add('lost', `record ${id}`);
    else findings.compare('transactions', id, { told, found: [row.type, row.status, row.amount, row.wallet_id] });
  };
  const issues = new Map(
    rows.filter(({ type }) => type === 'card_issue').map((row) => [row.details.card_id as string, row.id as string]),
  );
  for (const card of shop.cards) {
    take(issues.get(card.id) ?? `of ${card.id}`, [
      'card_issue',
      card.isIssued ? 'successful' : 'failed',
      card.amount,
      card.wallet,
    ]);
    for (const { id, type, amount, wallet } of card.moves) take(id, [type, 'successful', amount, wallet]);
    for (const { id, amount } of card.fees)
      take(`txn${id.slice('ctx'.length)}`, ['card_fee', 'successful', amount, null]);
  }
  for (const {
    id,
    amount,
    fee,
    wallet,
    outcome: { ends },
  } of shop.payments) {
    if (!['successful', 'reversed'].includes(ends)) continue;
    const credit = found.payments.get(id)?.transaction_id as string;
    take(credit, ['payment', ends, amount - fee, wallet]);
    const reversal = rows.find(({ type, reverses }) => type === 'reversal' && reverses === credit);
    if (ends === 'reversed') take(reversal?.id, ['reversal', 'successful', amount - fee, wallet]);
  }
  for (const { transaction, amount, wallet } of found.arrived)
    take(transaction, ['deposit', 'successful', amount, wallet]);
  for (const card of shop.cards) {
    takeReturns(card, found, left, findings);
    takeOverdrafts(card, left, findings);
  }
  const beside = [...left.values()].filter(({ type }) => type !== 'deposit');
  for (const { id, type } of beside) findings.add('unasked', `${type} ${id}`);
  findings.compare('transactions', `deposits of ${shop.account}`, {
    told: shop.opening.size,
    found: left.size - beside.length,
  });
}

/** What came back from a card that ended, in one or several parts. */
function takeReturns(card: ToldCard, { cards, moment }: Found, left: Map<string, any>, findings: Findings): void {
  const one = cards.get(card.id);
  if (one?.status !== 'terminated') return;
  const parts = [...left.values()].filter(
    ({ type, details }) => type === 'card_withdrawal' && details.card_id === card.id,
  );
  for (const { id } of parts) left.delete(id);
  findings.compare('transactions', `returns of ${card.id}`, {
    told: returnedBy(card, one, moment),
    found: sum(parts, ({ amount }) => amount),
  });
}

/** What a card's wallet paid of clearings that the card could not. */
function takeOverdrafts(card: ToldCard, left: Map<string, any>, findings: Findings): void {
  const loads = [...left.values()].filter(
    ({ type, details }) => type === 'card_funding' && details.card_id === card.id,
  );
  for (const { id } of loads) left.delete(id);
  findings.compare('transactions', `overdrafts of ${card.id}`, {
    told: [lentTo(card), 'successful', card.wallet],
    found: [
      sum(loads, ({ amount }) => amount),
      loads.find(({ status }) => status !== 'successful')?.status ?? 'successful',
      loads.find(({ wallet_id: wallet }) => wallet !== card.wallet)?.wallet_id ?? card.wallet,
    ],
  });
}

/** Credits minus debits, to the minor unit, and nothing held. */
function reckonWallets(shop: Shop, wallets: readonly any[], found: Found, findings: Findings): void {
  const expected = new Map(shop.opening);
  const add = (wallet: string, amount: number): unknown => expected.set(wallet, expected.get(wallet)! + amount);
  for (const card of shop.cards) {
    const one = found.cards.get(card.id);
    add(
      card.wallet,
      (card.isIssued ? -card.amount - ISSUE_FEE : 0) - lentTo(card) + (one ? returnedBy(card, one, found.moment) : 0),
    );
    for (const { type, wallet, amount } of card.moves) add(wallet, type === 'card_funding' ? -amount : amount);
  }
  for (const { wallet, ...payment } of shop.payments) add(wallet, creditOf(payment));
  for (const { id, balance } of wallets) {
    findings.compare('wallets', id, {
      told: [(expected.get(id) ?? 0) + arrivedAt(id, found.arrived), 0],
      found: [balance.available, balance.held],
    });
  }
}

const creditOf = ({ amount, fee, outcome: { ends } }: Omit<ToldPayment, 'wallet'>): number =>
  ends === 'successful' ? amount - fee : 0;

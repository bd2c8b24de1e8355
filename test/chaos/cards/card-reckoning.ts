import type { Findings } from './findings';
import type { Shop } from './shop';
import { heldBy, refundedOf, sum, type ToldAuthorization, type ToldCard, worthOf } from './told';

/** Whether what merchants did not take has gone back to the cards. */
export interface Moment {
  readonly isLapsed: boolean;
}

/** A card as its owner sees it in the end. */
export interface FoundCard {
  readonly id: string;
  readonly status: string;
  readonly status_reason: string | null;
  readonly balance: { readonly available: number; readonly held: number };
  readonly debt: number;
}

const heldOn = ({ authorizations }: ToldCard, { isLapsed }: Moment): number =>
  isLapsed ? 0 : sum(authorizations, heldBy);

/** What a card that ended has given back to its wallet: what it came to owe after that, it gave before. */
export const returnedBy = (told: ToldCard, { status, debt }: FoundCard, moment: Moment): number =>
  status === 'terminated' ? worthOf(told) - heldOn(told, moment) + debt : 0;

/** Compares the cards of an account with what its clients were told, and returns them. */
export async function reckonCards(shop: Shop, moment: Moment, findings: Findings): Promise<Map<string, FoundCard>> {
  const found = new Map<string, FoundCard>((await shop.all('/v4/cards')).map((card) => [card.id, card]));
  const told = new Set(shop.cards.map(({ id }) => id));
  for (const id of found.keys()) if (!told.has(id)) findings.add('unasked', id);
  for (const card of shop.cards) {
    const one = found.get(card.id);
    if (one === undefined) findings.add('lost', card.id);
    else await reckonCard(shop, card, { one, moment }, findings);
  }
  return found;
}

async function reckonCard(
  shop: Shop,
  told: ToldCard,
  { one, moment }: { one: FoundCard; moment: Moment },
  findings: Findings,
): Promise<void> {
  const held = heldOn(told, moment);
  const isEnded = told.terminations > 0 || one.status_reason === 'too_many_declines';
  const own = worthOf(told) - held - returnedBy(told, one, moment);
  findings.compare('cards', told.id, {
    told: { isIssued: told.isIssued, isEnded, available: Math.max(own, 0), debt: Math.max(-own, 0), held },
    found: {
      isIssued: !['pending', 'failed'].includes(one.status),
      isEnded: one.status === 'terminated',
      available: one.balance.available,
      debt: one.debt,
      held: one.balance.held,
    },
  });
  const transitions = await shop.all(`/v4/cards/${told.id}/transitions`);
  const moves = (from: string, to: string): number =>
    transitions.filter((each) => each.from === from && each.to === to && each.actor === 'account').length;
  findings.compare('cards', `${told.id}, moves`, {
    told: [told.freezes, told.unfreezes, told.terminations],
    found: [
      moves('active', 'frozen'),
      moves('frozen', 'active'),
      transitions.filter(({ to, actor }) => to === 'terminated' && actor === 'account').length,
    ],
  });
  reckonTransactions(told, await shop.all(`/v4/cards/${told.id}/transactions`), moment, findings);
}

function reckonTransactions(told: ToldCard, rows: readonly any[], moment: Moment, findings: Findings): void {
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  const refunds = Map.groupBy(
    rows.filter(({ type }) => type === 'refund'),
    (row) => row.original_id as string,
  );
  for (const fee of told.fees) {
    const row = byId.get(fee.id);
    if (row === undefined) findings.add('lost', `${fee.id} of ${told.id}`);
    else
      findings.compare('cardTransactions', fee.id, {
        told: ['fee', 'settled', fee.amount],
        found: [row.type, row.status, row.amount],
      });
  }
  for (const one of told.authorizations) {
    const row = byId.get(one.id);
    if (row === undefined) findings.add('lost', `${one.id} of ${told.id}`);
    else reckonAuthorization(one, row, moment, findings);
    const amounts = (refunds.get(one.id) ?? []).map(({ amount }) => amount as number);
    findings.compare('cardTransactions', `refunds of ${one.id}`, {
      told: inOrder(one.refunds),
      found: inOrder(amounts),
    });
  }
  const known = new Set([...told.fees, ...told.authorizations].map(({ id }) => id));
  for (const { id, type, original_id: original } of rows)
    if (!known.has(type === 'refund' ? original : id)) findings.add('unasked', `${type} ${id} of ${told.id}`);
}

function reckonAuthorization(told: ToldAuthorization, row: any, moment: Moment, findings: Findings): void {
  const held = moment.isLapsed ? 0 : heldBy(told);
  const { type, amount, cleared, fromWallet } = told;
  findings.compare('cardTransactions', told.id, {
    told: [type, statusOf(told, held), amount, held, cleared, fromWallet, refundedOf(told)],
    found: [
      row.type,
      row.status,
      row.amount,
      row.held_amount,
      row.settled_amount,
      row.wallet_amount,
      row.refunded_amount,
    ],
  });
}

function statusOf(told: ToldAuthorization, held: number): string {
  const { isDeclined, amount, cleared, voided } = told;
  if (isDeclined && cleared === 0) return 'declined';
  if (cleared > 0) return held === 0 && refundedOf(told) === cleared ? 'refunded' : 'settled';
  if (held > 0) return 'authorized';
  return voided === amount ? 'voided' : 'expired';
}

const inOrder = (amounts: readonly number[]): number[] => [...amounts].sort((a, b) => a - b);

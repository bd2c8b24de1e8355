import { checkDelayMs } from '../../providers/check-schedule';
import { bulkCheck, bulkInsert, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import type { Caller } from '../../core/http/caller';
import { encodeId, newId } from '../../core/http/ids';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import { CardDto } from './card.dto';
import { Card, type CardActor, type CardRecord, type CardStatus } from './card.entity';

/** Due whatever an account's clock says. */
export const DUE_NOW = new Date(0);

export const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** When an issuer that gave no answer is asked again. */
export const checkAfter = (now: Date, checks: number): Date => later(now, checkDelayMs(checks));

const cards = rows(Card);

/** A card that is asked for. */
export const cardWrite = cards.insert({
  except: [
    'statusReason',
    'issuerReference',
    'issuerBehind',
    'last4',
    'expMonth',
    'expYear',
    'expiresAt',
    'declines',
    'checks',
    'version',
  ],
});

// Whoever changes a card says which state it was in: of two who both think so, the second fails in the database.
const updateCard = cards.update({
  name: 'update_cards',
  change: [
    'status',
    'statusReason',
    'issuerReference',
    'issuerBehind',
    'last4',
    'expMonth',
    'expYear',
    'expiresAt',
    'checks',
    'nextCheckAt',
    'version',
    'updatedAt',
  ],
  was: ['status'],
  where: 't.version = v.version - 1',
});

/**
 * A changed card, of the next version: its state and what the issuer knows of it. The write fails when the stored one
 * is not in the state of `before`.
 */
export const cardChange = (card: Readonly<Card>, before: Pick<Card, 'status' | 'version'>): Write =>
  updateCard({ ...card, version: before.version + 1 }, before);

const checkCard = bulkCheck(
  'cards',
  { account_id: 'uuid', livemode: 'boolean', id: 'uuid', status: 'text' },
  { name: 'check_cards', key: ['account_id', 'livemode', 'id'], where: 't.status = v.status' },
);

/** Changes nothing, and fails when the card is no longer in the state in which it was read. */
export const cardUnchanged = ({
  accountId,
  livemode,
  id,
  status,
}: Pick<Card, 'accountId' | 'livemode' | 'id' | 'status'>): Write =>
  checkCard.row({ account_id: accountId, livemode, id, status });

/** Who changed a card, and why. */
export interface ChangedBy {
  readonly actor: CardActor;
  /** Public id of the API key, name of the person or of the issuer. */
  readonly actorId: string | null;
  /** A word; becomes `status_reason`. */
  readonly reason: string | null;
}

/** What an account does through its API key. */
export const byOwner = ({ keyId }: Pick<Caller, 'keyId'>, reason: string | null = null): ChangedBy => ({
  actor: 'account',
  actorId: keyId && encodeId('key', keyId),
  reason,
});

const insertTransition = bulkInsert('card_transitions', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  from_status: 'text?',
  to_status: 'text',
  actor: 'text',
  actor_id: 'text?',
  reason: 'text?',
});

/** A change of state, kept for good: belongs into the transaction of the change. `from` null: the card was made. */
export const transitionWrite = (
  card: Pick<Card, 'accountId' | 'livemode' | 'id' | 'status'>,
  from: CardStatus | null,
  { actor, actorId, reason }: ChangedBy,
): Write =>
  insertTransition.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: newId(),
    card_id: card.id,
    from_status: from,
    to_status: card.status,
    actor,
    actor_id: actorId,
    reason,
  });

const insertCall = bulkInsert('issuer_calls', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  issuer: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  message: 'text?',
});

/** What an issuer answered. */
export const callWrite = (
  card: Readonly<Card>,
  call: 'issue' | 'find' | 'update',
  answer: { outcome: string; code?: string; message?: string },
): Write =>
  insertCall.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: newId(),
    card_id: card.id,
    issuer: card.issuer,
    call,
    outcome: answer.outcome,
    code: answer.code ?? null,
    message: answer.message ?? null,
  });

export type CardEventType =
  | 'card.issued'
  | 'card.issue_failed'
  | 'card.funded'
  | 'card.withdrawn'
  | 'card.frozen'
  | 'card.unfrozen'
  | 'card.blocked'
  | 'card.terminated'
  | 'card.expired'
  | 'card.decline_warning';

/** What the ledger says of a card. */
export type CardBalance = Pick<CardRecord, 'available' | 'held' | 'seq'>;

/** Of a card that never had money. */
export const EMPTY: CardBalance = { available: 0n, held: 0n, seq: 0n };

export interface CardMoment {
  readonly account: CardBalance;
  readonly previous: CardStatus;
  /** Public id of the transaction that moved its money. */
  readonly transactionId?: string;
}

/** `card.<what>`, with the card as it stands then. */
export function cardEvent(
  card: Readonly<Card>,
  type: CardEventType,
  origin: EventOrigin,
  { account, previous, transactionId }: CardMoment,
): Write {
  const { accountId, livemode, id } = card;
  const { available, held, seq } = account;
  const { id: _id, object: _object, livemode: _livemode, ...shown } = CardDto.of({ ...card, available, held, seq });
  const snapshot = { ...shown, previous_status: previous, ...(transactionId && { transaction_id: transactionId }) };
  return eventWrite({ accountId, livemode, type, objectType: 'crd', objectId: id, snapshot, origin });
}

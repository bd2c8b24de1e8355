import type { IdPrefix } from './id-prefixes';

const OF_THE_SERVICE = [
  'transaction.awaiting_approval',
  'transaction.processing',
  'transaction.successful',
  'transaction.failed',
  'transaction.reversed',
  'transaction.cancelled',
  'transaction.needs_review',
  'transfer.successful',
  'conversion.successful',
  'batch.validating',
  'batch.scheduled',
  'batch.running',
  'batch.progressed',
  'batch.paused',
  'batch.completed',
  'batch.invalid',
  'batch.failed',
  'batch.cancelled',
  'payment.successful',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.partially_reversed',
  'payment.reversed',
  'payment.needs_review',
  'refund.awaiting_approval',
  'refund.processing',
  'refund.successful',
  'refund.failed',
  'refund.cancelled',
  'refund.needs_review',
  'deposit.received',
  'deposit.needs_review',
  'deposit.returned',
  'card.issued',
  'card.issue_failed',
  'card.needs_review',
  'card.funded',
  'card.withdrawn',
  'card.frozen',
  'card.unfrozen',
  'card.blocked',
  'card.terminated',
  'card.expired',
  'card.overdrawn',
  'card.decline_warning',
  'card.authentication_code',
  'card.transaction.authorized',
  'card.transaction.settled',
  'card.transaction.declined',
  'card.transaction.voided',
  'card.transaction.expired',
  'card.transaction.refunded',
  'customer.verified',
  'customer.rejected',
  'customer.needs_review',
  'dispute.opened',
  'dispute.under_review',
  'dispute.won',
  'dispute.lost',
  'dispute.withdrawn',
  'dispute.needs_review',
  'wallet.created',
  'wallet.updated',
  'wallet.credited',
  'wallet.low_balance',
  'wallet.frozen',
  'wallet.unfrozen',
  'wallet.closed',
  'day.closed',
  'report.ready',
  'report.failed',
  'catalogue.updated',
  'biller.status_changed',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook_endpoint.recovered',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.test',
] as const;

/**
 * Events of teams: `interface TeamEventTypes { 'contact.saved': true }` in a `declare module` of this file.
 * @public
 */
export interface TeamEventTypes {}

export type EventType = (typeof OF_THE_SERVICE)[number] | keyof TeamEventTypes;

const types: EventType[] = [...OF_THE_SERVICE];

/** Every event type, in the order of the documentation; those of teams from the start of a process on. */
export const EVENT_TYPES: readonly EventType[] = types;

/** What the events of a resource are about. */
const OBJECTS: Record<string, IdPrefix> = {
  transaction: 'txn',
  transfer: 'trf',
  conversion: 'cnv',
  batch: 'bat',
  payment: 'pay',
  refund: 'rfd',
  deposit: 'dep',
  card: 'crd',
  'card.transaction': 'ctx',
  'card.authentication_code': 'cau',
  customer: 'cus',
  dispute: 'dsp',
  wallet: 'wal',
  day: 'day',
  report: 'rpt',
  catalogue: 'cat',
  biller: 'bst',
  webhook_endpoint: 'whk',
};

/** `card.transaction.authorized` → `card.transaction`. */
export const resourceOf = (type: string): string => type.slice(0, type.lastIndexOf('.'));

/** Prefix of the id that events of a type are about. */
export const objectPrefixOf = (type: EventType): IdPrefix => OBJECTS[type] ?? OBJECTS[resourceOf(type)]!;

/** They are nothing but their secret: only endpoints with `include_secrets` are told. */
export const SECRET_EVENT_TYPES: readonly EventType[] = ['card.authentication_code'];

/** Of what happens to an endpoint, what it is told itself: it can still hear it. */
export const OWN_EVENT_TYPES: readonly EventType[] = ['webhook_endpoint.recovered', 'webhook_endpoint.secret_rotated'];

export function addEventType(type: EventType, about: IdPrefix): void {
  if (!types.includes(type)) types.push(type);
  OBJECTS[resourceOf(type)] = about;
}

import type { IdPrefix } from '../http/ids';

/** Every event type, in the order of the documentation. */
export const EVENT_TYPES = [
  'transaction.processing',
  'transaction.successful',
  'transaction.failed',
  'transaction.reversed',
  'transaction.cancelled',
  'transaction.needs_review',
  'transfer.successful',
  'payment.successful',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.partially_reversed',
  'payment.reversed',
  'payment.needs_review',
  'card.issued',
  'card.issue_failed',
  'card.funded',
  'card.withdrawn',
  'card.frozen',
  'card.unfrozen',
  'card.blocked',
  'card.terminated',
  'card.expired',
  'card.decline_warning',
  'card.transaction.authorized',
  'card.transaction.settled',
  'card.transaction.declined',
  'card.transaction.voided',
  'card.transaction.expired',
  'card.transaction.refunded',
  'wallet.created',
  'wallet.updated',
  'wallet.credited',
  'wallet.low_balance',
  'wallet.frozen',
  'wallet.unfrozen',
  'wallet.closed',
  'catalogue.updated',
  'biller.status_changed',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What the events of a resource are about. */
const OBJECTS: Readonly<Record<string, IdPrefix>> = {
  transaction: 'txn',
  transfer: 'trf',
  payment: 'pay',
  card: 'crd',
  'card.transaction': 'ctx',
  wallet: 'wal',
  catalogue: 'cat',
  biller: 'bst',
  webhook_endpoint: 'whk',
};

/** Prefix of the id that events of a type are about. */
export const objectPrefixOf = (type: EventType): IdPrefix => OBJECTS[type.slice(0, type.lastIndexOf('.'))]!;

/** Every event type, in the order of the documentation. */
export const EVENT_TYPES = [
  'transaction.processing', 'transaction.successful', 'transaction.failed', 'transaction.reversed',
  'transaction.cancelled', 'transaction.needs_review',
  'transfer.successful',
  'wallet.created', 'wallet.updated', 'wallet.credited', 'wallet.low_balance', 'wallet.frozen', 'wallet.unfrozen', 'wallet.closed',
  'webhook_endpoint.failing', 'webhook_endpoint.disabled', 'webhook_endpoint.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

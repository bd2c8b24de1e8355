import { bulkUpdate } from '../../core/database/bulk';

/** Taken until the transaction ends, by whoever asks first: there is one sealer at a time. */
export const TRY_LOCK_SEAL = `SELECT pg_try_advisory_xact_lock(hashtextextended('duka seal', 0)) AS locked`;

export const SELECT_HEAD = `
  SELECT position, chain FROM ledger_batches WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1`;

export const SELECT_UNSEALED = `
  SELECT id, uuid_send(id) || digest AS content FROM ledger_batches WHERE position IS NULL ORDER BY id LIMIT $1`;

/** A batch that was sealed meanwhile is a fault, and fails the whole chunk. */
export const sealBatch = bulkUpdate(
  'ledger_batches',
  { id: 'uuid', position: 'bigint', chain: 'bytea' },
  {
    name: 'seal_ledger_batches',
    key: ['id'],
    set: { position: 'v.position', chain: 'v.chain' },
    where: 't.position IS NULL',
  },
);

/** As SQL: what has this id came with its account from another cell, where it was made. */
export const arrived = (id: string): string => `
  EXISTS (SELECT 1 FROM slot_moves sm WHERE sm.way = 'in' AND sm.slots @> slot_of(${id})
            AND (sm.moved_at IS NULL OR ${id} < uuid_v7_floor(sm.moved_at)))`;

/** As SQL: what has this id went with its account to another cell. */
export const hasLeft = (id: string): string => `
  EXISTS (SELECT 1 FROM slot_moves sm WHERE sm.way = 'out' AND sm.moved_at IS NOT NULL AND sm.slots @> slot_of(${id}))`;

/** As SQL: what has this id is just moving to another cell; writes of it are refused, also beside those of others. */
export const isFenced = (id: string): string => `
  EXISTS (SELECT 1 FROM slot_moves sm WHERE sm.way = 'out' AND sm.fenced_at IS NOT NULL AND sm.ended_at IS NULL
            AND sm.slots @> slot_of(${id}))`;

/** As SQL: an entry `e` that came with its ledger account; batches of another cell have sealed it. */
export const ENTRY_ARRIVED = `
  EXISTS (SELECT 1 FROM ledger_arrivals v WHERE v.account_id = e.account_id
            AND v.ledger_account_id = e.ledger_account_id AND e.seq <= v.through_seq)`;

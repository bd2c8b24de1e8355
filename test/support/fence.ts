import { Client } from 'pg';
import { SlotCopy } from '../../src/cli/slot-copy';
import { decodeId, newId, slotNumber, slotOf } from '../../src/core/http/ids';
import type { TestAccount } from './duka';

/** Writes of the account are refused, as by a move to the cell `b` that was interrupted then. Answers what lifts it. */
export async function fence(url: string, { id }: Pick<TestAccount, 'id'>): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const slot = slotNumber(slotOf(decodeId('acct', id)!));
  const copy = await new SlotCopy(client, client, { from: slot, to: slot }).open();
  await copy.guard();
  await client.query(
    `INSERT INTO slot_moves (id, way, slots, other_cell, phase, fenced_at, relayed)
     SELECT $1, 'out', int4range($2, $2, '[]'), 'b', 'fenced', now(), xact FROM relay_position`,
    [newId(), slot],
  );
  return async () => {
    await client.query(`UPDATE slot_moves SET phase = 'ended', ended_at = now() WHERE ended_at IS NULL`);
    await copy.clear();
    await client.end();
  };
}

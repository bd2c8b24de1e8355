import type { Check } from '../../core/database/checks';
import { ENTRY_CHECKS } from './entry-checks.queries';
import { headCheck, SEAL_CHECKS } from './seal-checks.queries';

/** What must hold of the books, whatever they are used for. */
export const LEDGER_CHECKS: readonly Check[] = [...ENTRY_CHECKS, ...SEAL_CHECKS];

const HEAD = /^(\d{1,18}):([0-9a-f]{64})$/;

/** The check for a head `<position>:<chain in hex>` as the sealer logs it; null when the text is none. */
export function checkOfHead(text: string): Check | null {
  const [, position, chain] = HEAD.exec(text) ?? [];
  return position && chain ? headCheck(BigInt(position), Buffer.from(chain, 'hex')) : null;
}

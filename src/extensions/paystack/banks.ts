import type { Currency } from '../../core/money/money';
import { fieldsOf, isText } from '../../providers/answers';
import type { Outside } from '../../providers/http';
import { envelopeOf } from './paystack';

const KEPT_MS = 24 * 3_600_000;
/** Who asks waits 2 s at most. */
const ASKING_MS = 1_500;
const PAGE_SIZE = 100;
const PAGES_MAX = 50;
const PAGE_BYTES_MAX = 256 * 1_024;

interface Kept {
  readonly codes: ReadonlySet<string>;
  readonly until: number;
}

/** The banks that Paystack pays into, kept for a day. */
export class Banks {
  private readonly kept = new Map<Currency, Kept>();

  constructor(private readonly paystack: Outside) {}

  /** Where the list is not told Paystack may have the bank: it refuses accounts of one that it has not. */
  async has(currency: Currency, code: string): Promise<boolean> {
    const kept = this.kept.get(currency);
    if (kept && kept.until > Date.now()) return kept.codes.has(code);
    const codes = await this.list(currency).catch(() => kept?.codes);
    if (codes === undefined) return true;
    this.kept.set(currency, { codes, until: Date.now() + KEPT_MS });
    return codes.has(code);
  }

  private async list(currency: Currency): Promise<ReadonlySet<string>> {
    const signal = AbortSignal.timeout(ASKING_MS);
    const codes = new Set<string>();
    let next: unknown;
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { currency, use_cursor: 'true', perPage: String(PAGE_SIZE), next: isText(next) ? next : undefined };
      const envelope = envelopeOf(await this.paystack.ask({ path: 'bank', query, bytesMax: PAGE_BYTES_MAX, signal }));
      if (!envelope?.isDone || !Array.isArray(envelope.data)) throw new Error('no list of banks');
      for (const bank of envelope.data) {
        const { code, active, is_deleted: isDeleted } = fieldsOf(bank);
        if (isText(code) && active !== false && isDeleted !== true) codes.add(code);
      }
      next = envelope.meta.next;
      if (!isText(next) && codes.size > 0) return codes;
      if (!isText(next)) break;
    }
    throw new Error('the list of banks is empty, or has no end');
  }
}

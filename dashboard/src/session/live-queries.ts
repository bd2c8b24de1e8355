import type { Query, QueryClient } from '@tanstack/react-query';
import { readAgain } from '../queries';
import { live, type LiveEvent } from './live-state';

/** Each thing that is shown is read again at most so often. */
const AGAIN_MS = 2_000;

/** What is shown of more than one thing, by the first word of what changes it: second word of its query. */
const MONEY = ['overview', 'wallet', 'wallets', 'entries', 'notices', 'approvals'];
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  transaction: MONEY,
  transfer: MONEY,
  conversion: MONEY,
  payment: MONEY,
  refund: [...MONEY, 'payment'],
  deposit: MONEY,
  batch: MONEY,
  dispute: MONEY,
  wallet: MONEY,
  card: [...MONEY, 'card', 'cards'],
  customer: ['cards', 'notices'],
  webhook_endpoint: ['webhook', 'webhooks', 'notices', 'overview'],
};

/** Lists say how much is new instead of changing under the eyes of who reads them. */
const isCounted = ({ meta }: Query): boolean => meta?.live === true;

/** Whether what a query shows is, or names, one of the objects; or is a sum of such. */
function isTouched(query: Query, mode: string, { type, object }: LiveEvent): boolean {
  const [shownMode, what] = query.queryKey;
  if (shownMode !== mode || typeof what !== 'string') return false;
  const [word = ''] = type.split('.');
  if (TOUCHED[word]?.includes(what)) return true;
  return query.queryKey.includes(object) || (JSON.stringify(query.state.data) ?? '').includes(object);
}

/** Reads again what is shown of what has changed. */
export class LiveQueries {
  private pending: LiveEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastAt = 0;

  constructor(
    private readonly queries: QueryClient,
    private readonly mode: string,
  ) {}

  readonly hear = (events: readonly LiveEvent[]): void => {
    this.pending.push(...events);
    const wait = Math.max(0, this.lastAt + AGAIN_MS - Date.now());
    this.timer ??= setTimeout(() => this.readAgain(), wait);
  };

  /** Everything of the mode: too much was missed to say what. */
  readonly readAll = (): void => readAgain(this.queries, ({ queryKey }) => queryKey[0] === this.mode);

  stop(): void {
    clearTimeout(this.timer);
  }

  private readAgain(): void {
    this.timer = undefined;
    this.lastAt = Date.now();
    const events = this.pending.splice(0);
    if (live.get().status === 'paused') return;
    readAgain(this.queries, (query) => !isCounted(query) && events.some((event) => isTouched(query, this.mode, event)));
  }
}

import { OneOf, Text } from '../../../core/http/fields';
import { DateTime } from '../../../core/http/query-fields';
import { ModeQuery } from './overview.dto';

const HOUR_MS = 3_600_000;
const STEPS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
/** Two days by hour, three months by day. */
const SPANS_MAX = 92;

/** Hours or days since a moment. */
export class SpansQuery extends ModeQuery {
  @DateTime({ description: 'Where the first span begins; the later ones follow up to now.' })
  from: Date;

  @OneOf(Object.keys(STEPS))
  step: keyof typeof STEPS;
}

/** Begins of the spans up to now, oldest first; the newest ones where there are too many. */
export function beginsOf({ from, step }: SpansQuery, now = Date.now()): Date[] {
  const ms = STEPS[step];
  const count = Math.max(Math.ceil((now - from.getTime()) / ms), 1);
  const shown = Math.min(count, SPANS_MAX);
  return Array.from({ length: shown }, (_, at) => new Date(from.getTime() + (count - shown + at) * ms));
}

export class RequestFiguresQuery extends SpansQuery {
  /** Of one key only. */
  @Text(64, { optional: true })
  key_id?: string;
}

import type { Schemas } from '../../api/public-api';
import type { Statement } from './use-statement';

export interface Point {
  /** Milliseconds. */
  readonly at: number;
  readonly balance: number;
}

/** More would not be seen. */
const POINTS_MAX = 400;

interface Known {
  readonly days: readonly Pick<Schemas['WalletDay'], 'ends_at' | 'closing'>[];
  readonly statement: Statement | undefined;
  /** What it holds, now. */
  readonly now: Point;
}

/** The balance over time: of closed days their ends, of the statement's period each line, and now. */
export function curveOf({ days, statement, now }: Known): Point[] {
  const from = statement ? Date.parse(statement.from) : now.at;
  const before = days.map(({ ends_at: at, closing }) => ({ at: Date.parse(at), balance: closing }));
  const opening = statement && statement.data.length > 0 ? [{ at: from, balance: statement.opening }] : [];
  const lines = statement?.data.map(({ at, balance }) => ({ at: Date.parse(at), balance })) ?? [];
  const last = lines.at(-1)?.at ?? from;
  const points = [...before.filter(({ at }) => at < from || at > last), ...opening, ...lines].sort(
    (a, b) => a.at - b.at,
  );
  return [...thinned(points.filter(({ at }) => at <= now.at)), now];
}

/** The last of each stretch of time: a step that lasted less would not be seen. */
function thinned(points: readonly Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length <= POINTS_MAX) return [...points];
  const width = (last.at - first.at) / POINTS_MAX;
  const kept = new Map(points.map((point) => [Math.floor((point.at - first.at) / width), point]));
  return [first, ...kept.values()];
}

import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller';
import { parseTime } from '../http/query-fields';
import { Clock, isWithin, type Period } from './clock';

/** A request whose caller is known. */
export interface AskedRequest extends Pick<FastifyRequest, 'routeOptions'> {
  readonly caller?: Caller;
  readonly query: unknown;
  /** By the account's clock: what `query` asked for before it was turned into real times. */
  period?: Period;
}

type Bounds = Partial<Record<'created_gte' | 'created_lt' | 'at', unknown>>;

/**
 * The one door at which real times become times of the account's clock and back: answers of the public API, and the
 * bounds in their query strings. Costs nothing in live mode, and one look into a cache as long as an account never
 * moved its clock.
 */
@Injectable()
export class ShownTimes {
  constructor(private readonly clock: Clock) {}

  /** To be called as soon as the caller is known, before the query string is read. */
  readBounds(request: AskedRequest): Promise<void> | void {
    const { caller, query } = request as { caller?: Caller; query: Bounds };
    if (caller === undefined || (query.created_gte ?? query.created_lt ?? query.at) === undefined) return;
    if (this.clock.timesAtHand(caller) !== null && isPublic(request)) return this.turnBounds(request, caller, query);
  }

  private async turnBounds(request: AskedRequest, caller: Caller, query: Bounds): Promise<void> {
    const times = await this.clock.times(caller);
    if (times === null) return;
    // What cannot be read is left for the rules of the field to refuse.
    const [from, before, at] = [parseTime(query.created_gte), parseTime(query.created_lt), parseTime(query.at)];
    if (from) query.created_gte = times.from(from).toISOString();
    if (before) query.created_lt = stay(times.before(before), before).toISOString();
    if (at) query.at = stay(times.before(at), at).toISOString();
    request.period = { ...(from && { from }), ...(before && { before }) };
  }

  /** Fastify `preSerialization` hook: calls back, or returns a promise where a clock must be asked. */
  readonly present = (
    request: FastifyRequest,
    _: FastifyReply,
    body: unknown,
    done: (error: null, body: unknown) => void,
  ): void | Promise<unknown> => {
    const { caller, period } = request as AskedRequest;
    if (caller === undefined || this.clock.timesAtHand(caller) === null || !isPublic(request)) return done(null, body);
    return this.presented(caller, body, period);
  };

  /** The same of rows that are sent one by one. */
  async rows<T extends { readonly created_at: Date }>(
    { caller, period = {} }: AskedRequest,
    rows: AsyncIterable<T>,
  ): Promise<AsyncIterable<T>> {
    const times = await this.clock.times(caller!);
    if (times === null) return rows;
    return (async function* () {
      for await (const row of rows) {
        const shown = times.present(row);
        if (isWithin(period, shown)) yield shown;
      }
    })();
  }

  private async presented(caller: Caller, body: unknown, period: Period | undefined): Promise<unknown> {
    // What was done is answered all the same.
    const times = await this.clock.times(caller).catch(() => null);
    return times === null ? body : within(times.present(body), period);
  }
}

/** What people see of their own doings at the dashboard has the time. */
const isPublic = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.url?.startsWith('/dashboard/') !== true;

/**
 * Bounds that are yet to come stay as they are: with the next move they would be others, and cursors are good for their
 * bounds only.
 */
const stay = (real: Date, asked: Date): Date => (real.getTime() > Date.now() ? asked : real);

/** After a reset a stretch of real time holds other times, too. */
function within(body: unknown, period: Period | undefined): unknown {
  const { data } = body as { data?: unknown };
  return period && Array.isArray(data)
    ? { ...(body as object), data: data.filter((row: object) => isWithin(period, row)) }
    : body;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReplayedBy } from '../idempotency/claim';

/** How long an answer is held back for a final result when the caller does not say. */
export const WAIT_SECONDS_DEFAULT = 10;
const WAIT_SECONDS_MAX = 30;

/**
 * Seconds that the caller is ready to wait for a final answer: `Prefer: wait=N` (RFC 7240), at most 30; null when it
 * does not say. A preference that cannot be read is ignored, as the RFC asks.
 */
export function preferredWait(prefer: string | string[] | undefined): number | null {
  const wait = /(?:^|[,;]\s*)wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(String(prefer ?? ''))?.[1];
  return wait === undefined ? null : Math.min(Number(wait), WAIT_SECONDS_MAX);
}

/** What is known about an answer besides its body; decides the status code. All absent: 201. */
export interface AnswerTraits {
  /** The work goes on after this answer: 202. */
  readonly running?: boolean;
  /** The request was seen before: a key answers as the first answer would now, a reference with 200. */
  readonly replayedBy?: ReplayedBy | null;
  /** Nothing was written: 200. */
  readonly dryRun?: boolean;
  /** Seconds of `Prefer: wait=N`, when they were heeded. */
  readonly waitedFor?: number | null;
  /** Something that existed was changed, nothing was made: 200. */
  readonly changed?: boolean;
  /** Something was only read: 200. */
  readonly isRead?: boolean;
}

const TRAITS = Symbol('duka:answer-traits');

interface Marked {
  [TRAITS]?: AnswerTraits;
}

/** Tells how `body` is to be sent; controllers return the result. The body keeps its type and shows nothing of it. */
export function answer<T extends object>(body: T, traits: AnswerTraits): T {
  // JSON does not show symbols.
  (body as Marked)[TRAITS] = traits;
  return body;
}

/** Fastify `preSerialization` hook: one property look-up on bodies that were not marked. */
export function sendTraits(
  _: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  done: (error: null, body: unknown) => void,
): void {
  const traits = (body as Marked | null | undefined)?.[TRAITS];
  if (traits !== undefined) {
    if (typeof traits.waitedFor === 'number') reply.header('preference-applied', `wait=${traits.waitedFor}`);
    if (traits.replayedBy) reply.header('idempotent-replayed', 'true');
    reply.code(statusOf(traits));
  }
  done(null, body);
}

function statusOf({ dryRun, changed, isRead, replayedBy, running }: AnswerTraits): number {
  if (dryRun || changed || isRead || replayedBy === 'reference') return 200;
  return running ? 202 : 201;
}

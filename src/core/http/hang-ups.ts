import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpRequestsInFlight } from '../metrics/metrics';

/** What is recorded where the client did not wait for the answer. */
export const CLIENT_GONE = 499;

const REPLY = Symbol('duka:reply');
const STAGE = Symbol('duka:stage');

interface Followed extends FastifyReply {
  /** How far the answer has come; absent: it is being made. */
  [STAGE]?: 'given' | 'gone' | 'recorded';
}

/**
 * Requests whose client hangs up. What they asked for takes place all the same, and Fastify tells nobody about it: its
 * `onResponse` comes with an answer that was sent. Here the answer that the handler gives in the end is recorded.
 */
export class HangUps {
  constructor(private readonly record: (request: FastifyRequest, reply: FastifyReply) => void) {}

  /** From now on `leave` finds the reply. */
  follow(reply: FastifyReply): void {
    (reply.raw as { [REPLY]?: Followed })[REPLY] = reply;
  }

  /** The connection of this answer has gone before all of it was sent. */
  readonly leave = (response: ServerResponse): void => {
    const reply = (response as { [REPLY]?: Followed })[REPLY];
    if (reply === undefined || reply[STAGE] === 'recorded') return;
    httpRequestsInFlight.dec();
    if (reply[STAGE] === 'given') this.finish(reply);
    else reply[STAGE] = 'gone';
  };

  /** Fastify `onSend` hook: the handler is done. */
  readonly onSend = (
    _: FastifyRequest,
    reply: Followed,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    if (reply[STAGE] === 'gone') this.finish(reply);
    else reply[STAGE] ??= 'given';
    done(null, payload);
  };

  /** Whether `reply` was recorded as one that nobody waited for; marks it as recorded. */
  isRecorded(reply: Followed): boolean {
    if (reply[STAGE] === 'recorded') return true;
    reply[STAGE] = 'recorded';
    return false;
  }

  private finish(reply: Followed): void {
    reply[STAGE] = 'recorded';
    this.record(reply.request, reply);
  }
}

import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller';
import { isForSession } from './doors';

export type AnsweredRequest = FastifyRequest & { readonly caller?: Caller; answeredId?: string };
/** `status` is the reply's, or 499 when its client did not wait for it. */
type Listener = (request: AnsweredRequest, reply: FastifyReply, status: number) => void;

/** Tells whoever wants to know of each request that was handled. Listeners are quick and never throw. */
@Injectable()
export class AnsweredRequests {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Fastify `preSerialization` hook: what a person at the dashboard made or moved, by its public id. */
  readonly keepId = (
    request: AnsweredRequest,
    _: FastifyReply,
    body: unknown,
    done: (error: null, body: unknown) => void,
  ): void => {
    if (isForSession(request)) request.answeredId = (body as { id?: string } | null)?.id;
    done(null, body);
  };

  readonly tell: Listener = (request, reply, status) => {
    for (const listener of this.listeners) listener(request, reply, status);
  };
}

import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller';

export type AnsweredRequest = FastifyRequest & { readonly caller?: Caller };
type Listener = (request: AnsweredRequest, reply: FastifyReply) => void;

/** Tells whoever wants to know of each request that was answered. Listeners are quick and never throw. */
@Injectable()
export class AnsweredRequests {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Fastify `onResponse` hook. */
  readonly tell = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    for (const listener of this.listeners) listener(request, reply);
    done();
  };
}

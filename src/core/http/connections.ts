import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;
/** A body that is still on its way when the server stops has this long to arrive. */
const BODY_MS = 1000;

/** What a connection has to answer. Requests arrive one after the other: all before the last are complete. */
interface Answering {
  unanswered: number;
  last: IncomingMessage | null;
  /** When the last one arrived. */
  since: number;
}

const isBusy = ({ unanswered, last, since }: Answering): boolean =>
  unanswered > 1 || (last !== null && (last.complete || performance.now() - since < BODY_MS));

/**
 * Lets a stopping server end as soon as its last request is answered. By itself Node waits, without a limit once it stops,
 * for connections on which no request ever came, for those kept alive by an answer sent while it stops, and for bodies
 * that do not come, answered or not. It also cuts requests that have arrived but are not read yet: so for `noticeMs`
 * everything is still served, each answer asks its client to leave the connection (Fastify adds the header), and only
 * then connections end.
 */
export function endIdleConnections(fastify: FastifyInstance, noticeMs: number): void {
  const { server } = fastify;
  // Changed by connections only: a Map that requests come into and leave would keep each of them until the next full collection.
  const open = new Map<Socket, Answering>();
  server.on('connection', (socket) => void open.set(socket.once('close', () => open.delete(socket)), { unanswered: 0, last: null, since: 0 }));
  server.on('request', (request, response) => {
    const answering = open.get(request.socket)!;
    answering.unanswered++;
    answering.last = request;
    answering.since = performance.now();
    response.once('close', () => {
      if (--answering.unanswered === 0) answering.last = null;
    });
  });
  const closeIdle = (): void => {
    for (const [socket, answering] of open) if (!isBusy(answering)) socket.destroy();
  };
  fastify.addHook('preClose', async () => {
    if (!server.listening) return;
    await sleep(noticeMs);
    const sweep = setInterval(closeIdle, SWEEP_MS);
    server.once('close', () => clearInterval(sweep));
  });
}

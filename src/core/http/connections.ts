import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;
/** A body that is still on its way when the server stops has this long to arrive. */
const BODY_MS = 1000;

/**
 * Lets a stopping server end as soon as its last request is answered. By itself Node waits, without a limit once it stops,
 * for connections on which no request ever came, for those kept alive by an answer sent while it stops, and for bodies
 * that do not come, answered or not. It also cuts requests that have arrived but are not read yet: so for `noticeMs`
 * everything is still served, each answer asks its client to leave the connection (Fastify adds the header), and only
 * then connections end.
 */
export function endIdleConnections(fastify: FastifyInstance, noticeMs: number): void {
  const { server } = fastify;
  const open = new Set<Socket>();
  /** Since when. */
  const unanswered = new Map<ServerResponse, number>();
  server.on('connection', (socket) => void open.add(socket.once('close', () => open.delete(socket))));
  server.on('request', (_, response) => void unanswered.set(response.once('close', () => unanswered.delete(response)), performance.now()));
  const closeIdle = (): void => {
    const busy = [...unanswered].filter(([{ req }, since]) => req.complete || performance.now() - since < BODY_MS);
    const kept = new Set(busy.map(([{ req }]) => req.socket));
    for (const socket of open) if (!kept.has(socket)) socket.destroy();
  };
  fastify.addHook('preClose', async () => {
    if (!server.listening) return;
    await sleep(noticeMs);
    const sweep = setInterval(closeIdle, SWEEP_MS);
    server.once('close', () => clearInterval(sweep));
  });
}

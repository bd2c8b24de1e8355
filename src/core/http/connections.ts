import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/**
 * Lets a stopping server end as soon as its last request is answered. By itself Node waits for two kinds of connections
 * until a time-out ends them: those on which no request ever came, and those kept alive by an answer sent while it stops.
 * It also cuts requests that have arrived but are not read yet: so for `noticeMs` everything is still served, each answer
 * asks its client to leave the connection (Fastify adds the header), and only then connections end.
 */
export function endIdleConnections(fastify: FastifyInstance, noticeMs: number): void {
  const { server } = fastify;
  const unused = new Set<Socket>();
  server.on('connection', (socket) => void unused.add(socket.once('close', () => unused.delete(socket))));
  server.on('request', ({ socket }) => void unused.delete(socket));
  fastify.addHook('preClose', async () => {
    if (!server.listening) return;
    await sleep(noticeMs);
    for (const socket of unused) socket.destroy();
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.once('close', () => clearInterval(sweep));
  });
}

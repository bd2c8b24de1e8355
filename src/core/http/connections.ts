import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/**
 * Lets a stopping server end as soon as its last request is answered. By itself Node waits for two kinds of connections
 * until a time-out ends them: those on which no request ever came, and those kept alive by an answer sent while it stops.
 */
export function endIdleConnections(fastify: FastifyInstance): void {
  const { server } = fastify;
  const unused = new Set<Socket>();
  server.on('connection', (socket) => void unused.add(socket.once('close', () => unused.delete(socket))));
  server.on('request', ({ socket }) => void unused.delete(socket));
  fastify.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    if (server.listening) {
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      server.once('close', () => clearInterval(sweep));
    }
    done();
  });
}

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpRequestsInFlight } from '../metrics/metrics';
import { describeSocketFailure, type Problems } from './problems';
import { encodeId, newId } from './ids';

/** Answers bytes that are not HTTP, or came too slowly, and closes the connection. */
export function answerSocket(problems: Problems, { code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = encodeId('req', newId());
  const { status, headers, body } = problems.render(describeSocketFailure(code), requestId);
  const lines = Object.entries({
    ...headers,
    'request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

/**
 * Requests that one connection may wait for: clients that send more without reading answers would have us keep them
 * all.
 */
const UNANSWERED_MAX = 8;
const SWEEP_MS = 50;
/** A body that is still on its way when the server stops has this long to arrive. */
const BODY_MS = 1000;

interface Settings {
  /** How long a stopping server serves on. */
  readonly noticeMs: number;
  /** Connections at the same time. */
  readonly max: number;
  /** A client has gone before it had all of this answer. */
  readonly onHangUp: (response: ServerResponse) => void;
}

/** What a connection has to answer. Requests arrive one after the other: all before the last are complete. */
interface Answering {
  readonly unanswered: ServerResponse[];
  last: IncomingMessage | null;
  /** When the last one arrived. */
  since: number;
  /** It asked for too much at once: what it is owed is answered, the rest is not read. */
  isRefused: boolean;
}

const isBusy = ({ unanswered, last, since }: Answering): boolean =>
  unanswered.length > 1 || (last !== null && (last.complete || performance.now() - since < BODY_MS));

/** Bounds what clients can keep busy, notices the ones that leave, and lets a stopping server end. */
export function watchConnections(fastify: FastifyInstance, settings: Settings): void {
  const { server } = fastify;
  server.maxConnections = settings.max;
  // Changed by connections only: a Map that requests come into and leave would keep each of them until the next full
  // collection.
  const open = new Map<Socket, Answering>();
  server.on('connection', (socket) => {
    const answering: Answering = { unanswered: [], last: null, since: 0, isRefused: false };
    open.set(socket, answering);
    // Asked now it is remembered: nobody can ask once the client is gone, and the log wants to know.
    void socket.remoteAddress;
    socket.once('close', () => {
      open.delete(socket);
      // Of answers that wait behind another one Node does not tell.
      for (const response of answering.unanswered.splice(0)) settings.onHangUp(response);
    });
  });
  const [serve] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void];
  server.removeListener('request', serve);
  server.prependListener('request', (request, response) => {
    const answering = open.get(request.socket)!;
    if (refuses(answering, request.socket)) return;
    answering.unanswered.push(response);
    answering.last = request;
    answering.since = performance.now();
    response.once('close', () => {
      if (answered(answering, response) && !response.writableFinished) settings.onHangUp(response);
      if (answering.isRefused && answering.last === null) request.socket.destroySoon();
    });
    serve(request, response);
  });
  endIdleConnections(fastify, open, settings.noticeMs);
}

/** The parser hands over all requests of a packet, whatever is done about the first of them. */
function refuses(answering: Answering, socket: Socket): boolean {
  if (answering.isRefused) return true;
  if (answering.unanswered.length < UNANSWERED_MAX) return false;
  answering.isRefused = true;
  socket.pause();
  return true;
}

/** Whether it was owed until now. */
function answered(answering: Answering, response: ServerResponse): boolean {
  const at = answering.unanswered.indexOf(response);
  if (at !== -1) answering.unanswered.splice(at, 1);
  if (answering.unanswered.length === 0) answering.last = null;
  return at !== -1;
}

/**
 * Lets a stopping server end as soon as its last request is answered. By itself Node waits, without a limit once it
 * stops, for connections on which no request ever came, for those kept alive by an answer sent while it stops, and for
 * bodies that do not come, answered or not. It also cuts requests that have arrived but are not read yet: so for
 * `noticeMs` everything is still served, each answer asks its client to leave the connection (Fastify adds the header),
 * and only then connections end.
 */
function endIdleConnections(fastify: FastifyInstance, open: ReadonlyMap<Socket, Answering>, noticeMs: number): void {
  const { server } = fastify;
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

/** What is recorded where the client did not wait for the answer. */
const CLIENT_GONE = 499;

const REPLY = Symbol('duka:reply');
const STAGE = Symbol('duka:stage');

interface Followed extends FastifyReply {
  /** How far the answer has come; absent: it is being made. */
  [STAGE]?: 'given' | 'gone' | 'recorded';
}

export const EVENT_STREAM = 'text/event-stream';

const isEndless = (reply: FastifyReply): boolean => String(reply.getHeader('content-type')).startsWith(EVENT_STREAM);

/**
 * Requests whose client hangs up. What they asked for takes place all the same, and Fastify tells nobody about it: its
 * `onResponse` comes with an answer that was sent. Here the answer that the handler gives in the end is recorded.
 */
export class HangUps {
  constructor(private readonly record: (request: FastifyRequest, reply: FastifyReply, status: number) => void) {}

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
    else if (isEndless(reply)) this.begin(reply);
    else reply[STAGE] ??= 'given';
    done(null, payload);
  };

  /** Whether `reply` was recorded as one that nobody waited for; marks it as recorded. */
  isRecorded(reply: Followed): boolean {
    if (reply[STAGE] === 'recorded') return true;
    reply[STAGE] = 'recorded';
    return false;
  }

  /** What goes on for hours is answered when it begins: it is no slow request. */
  private begin(reply: Followed): void {
    reply[STAGE] = 'recorded';
    httpRequestsInFlight.dec();
    this.record(reply.request, reply, reply.statusCode);
  }

  private finish(reply: Followed): void {
    reply[STAGE] = 'recorded';
    this.record(reply.request, reply, CLIENT_GONE);
  }
}

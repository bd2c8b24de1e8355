import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Forwarding } from '../cells/forwarding';
import { HEADERS_BYTES_MAX, HOP_BYTES_MAX, Hops } from '../cells/hop';
import { ShownTimes } from '../clock/shown-times';
import type { Env } from '../config/env';
import { NotFound } from '../errors/domain-error';
import { createLog, NestLog } from '../logging/log';
import { mountDocs } from '../openapi/docs-pages';
import { PROJECT } from '../process/project';
import { startTracing } from '../tracing/start-tracing';
import { sendTraits } from './answer';
import { answerJson } from './answer-json';
import { AnsweredRequests, RequestObserver } from './request-observer';
import { addBodyParsers, makeRoomForRows } from './body-parsers';
import { answerSocket, watchConnections } from './connections';
import { newId } from './ids';
import { describeFailure, Problems, RouteTable } from './problems';
import { RateLimiter } from './rate-limiter';
import { beginRequest, headersOfAnswers } from './request-context';
import { LargeBodyDoor, rewriteUrl } from './doors';

const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for connections that are over these times. */
const TIMEOUT_CHECK_MS = 1000;
// An idempotency key of 255 characters, each of them percent-encoded.
const PARAM_LENGTH_MAX = 3 * 255;

/** Fastify with the limits of this service; what it refuses by itself is answered as a problem, too. */
function createAdapter(env: Env, observer: RequestObserver): FastifyAdapter {
  const problems = new Problems(env);
  const proxies = env.TRUST_PROXY.split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADERS_BYTES_MAX + (env.CELL_SECRET === undefined ? 0 : HOP_BYTES_MAX),
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    trustProxy: proxies.length > 0 ? proxies : false,
    // A client on a kept connection would be refused in every rolling restart.
    return503OnClosing: false,
    genReqId: requestIds(env),
    rewriteUrl,
    clientErrorHandler: (error, socket) => answerSocket(problems, error, socket),
    // The router refuses an address before any hook has run.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      beginRequest(request, reply, observer.headers);
      problems.send(reply, describeFailure(error));
      observer.record(request, reply);
    },
  });
}

/** What came from another cell is one and the same request there and here. */
function requestIds({ CELL_SECRET }: Env): (request: IncomingMessage) => string {
  if (CELL_SECRET === undefined) return newId;
  const hops = new Hops(CELL_SECRET);
  return (request) => {
    const hop = hops.of(request);
    return hop === undefined || hop === 'invalid' ? newId() : hop.requestId;
  };
}

/** Of the routes of an application only these: all others are not there. */
export function serveOnly(app: NestFastifyApplication, isServed: (route: string) => boolean): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, reply) => {
      if (!request.is404 && !isServed(request.routeOptions.url ?? '')) reply.callNotFound();
    });
}

/** What watches a process. */
export const WATCHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** The API as it runs in production and in every end-to-end test; not listening yet. */
export async function createHttpApp(appModule: Type | DynamicModule, env: Env): Promise<NestFastifyApplication> {
  await startTracing(env);
  const log = createLog(env);
  const observer = new RequestObserver(log, headersOfAnswers(env));
  const adapter = createAdapter(env, observer);
  adapter.setOnRequestHook(observer.begin);
  adapter.setOnResponseHook(observer.end);
  const app = await NestFactory.create<NestFastifyApplication>(appModule, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(log),
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', app.get(RouteTable).add);
  fastify.addHook('onRoute', makeRoomForRows(app.get(LargeBodyDoor)));
  fastify.setReplySerializer(answerJson);
  fastify.addHook('preSerialization', sendTraits);
  fastify.addHook('preSerialization', app.get(ShownTimes).present);
  fastify.addHook('preSerialization', app.get(AnsweredRequests).keepId);
  fastify.addHook('onSend', observer.hangUps.onSend);
  observer.tell = app.get(AnsweredRequests).tell;
  if (env.CELL_SECRET !== undefined) {
    const forwarding = app.get(Forwarding);
    // After `onRequest`, where a process refuses what it does not serve.
    fastify.addHook('preParsing', forwarding.forward);
    fastify.addHook('preParsing', forwarding.requireDigest);
  }
  // Node answers an expectation that it does not know with a bare 417; RFC 9110 lets a server ignore it.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  addBodyParsers(fastify);
  watchConnections(fastify, {
    noticeMs: env.SHUTDOWN_NOTICE_SECONDS * 1_000,
    max: env.CONNECTIONS_MAX,
    onHangUp: observer.hangUps.leave,
  });
  mountDocs(app);
  mountDashboard(app, app.get(RateLimiter).limitOpen);
  return app;
}

const BUILT = join(PROJECT, 'dashboard', 'dist');

/** No dots at the start, no folders but one: nothing outside of what was built can be named. */
const FILE = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/;
const YEAR_SECONDS = 365 * 24 * 3_600;
/** Everything comes from this service. The components style themselves in place; scripts in place stay forbidden. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/** A page behind the log-in; at home the mode is all there is. */
const INSIDE = /^(?:(test|live)(?:\/.+)?)?$/;

/**
 * What a page will ask for as soon as its scripts run: asked for now, the answers come in the same round trip as the
 * scripts. The browser gives them to the request of the page, which must have the same address.
 */
function firstData(file: string, hasQuery: boolean): string[] {
  const inside = INSIDE.exec(file);
  if (inside === null) return [];
  const mode = inside[1] ?? 'test';
  // A query asks for other figures.
  const isHome = !hasQuery && (file === '' || file === mode);
  return ['/dashboard/api/me', ...(isHome ? [`/dashboard/api/overview?livemode=${mode === 'live'}`] : [])];
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Duka dashboard</title>
<h1>The dashboard is not built</h1>
<p>The API works without it. To have it here, run in the project's folder:</p>
<pre>npm --prefix dashboard ci
npm --prefix dashboard run build</pre></html>`;

/**
 * The pages of the dashboard at `/dashboard`, open to everybody: they hold no data. An address that is no file is a
 * page's own, so it answers the page. Read from `root` at each request: what was built a moment ago is there.
 * `onRequest` runs first.
 */
export function mountDashboard(
  app: NestFastifyApplication,
  onRequest: onRequestAsyncHookHandler | undefined,
  root = BUILT,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  void fastify.register(fastifyStatic, { root, serve: false, cacheControl: false, preCompressed: true });
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/*'])
    fastify.get(path, { onRequest }, (request, reply) => sendPage(request, reply, root));
}

function sendPage({ params, url }: FastifyRequest, reply: FastifyReply, root: string): FastifyReply {
  const file = (params as { '*'?: string })['*'] ?? '';
  const isAsset = file.startsWith('assets/');
  const isFile = FILE.test(file) && existsSync(join(root, file));
  if (/^api(?:\/|$)/.test(file) || ((isAsset || FILE.test(file)) && !isFile)) throw new NotFound('address');
  reply
    .headers(PAGE_HEADERS)
    .header('cache-control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  if (!existsSync(join(root, 'index.html'))) return reply.type('text/html; charset=utf-8').send(NOT_BUILT);
  if (isFile) return reply.sendFile(file, root);
  const early = firstData(file, url.includes('?')).map((address) => `<${address}>; rel=preload; as=fetch; crossorigin`);
  if (early.length > 0) reply.header('link', early.join(', '));
  return reply.sendFile('index.html', root);
}

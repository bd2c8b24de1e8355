import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ShownTimes } from '../clock/shown-times';
import type { Env } from '../config/env';
import { createLog, NestLog } from '../logging/log';
import { mountDocs } from '../openapi/docs-pages';
import { sendTraits } from './answer';
import { AnsweredRequests } from './answered-requests';
import { addBodyParsers } from './body-parsers';
import { answerSocket, watchConnections } from './connections';
import { mountDashboard } from './dashboard-pages';
import { newId } from './ids';
import { describeFailure } from './problem.filter';
import { Problems } from './problems';
import { RateLimiter } from './rate-limiter';
import { beginRequest, headersOfAnswers } from './request-context';
import { RequestObserver } from './request-observer';
import { RouteTable } from './route-table';
import { rewriteUrl } from './session-door';

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
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    trustProxy: proxies.length > 0 ? proxies : false,
    // A client on a kept connection would be refused in every rolling restart.
    return503OnClosing: false,
    genReqId: newId,
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
  fastify.addHook('preSerialization', sendTraits);
  fastify.addHook('preSerialization', app.get(ShownTimes).present);
  fastify.addHook('preSerialization', app.get(AnsweredRequests).keepId);
  fastify.addHook('onSend', observer.hangUps.onSend);
  observer.tell = app.get(AnsweredRequests).tell;
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

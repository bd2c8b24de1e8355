import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ShownTimes } from '../clock/shown-times';
import type { Env } from '../config/env';
import { createLog, NestLog } from '../logging/log';
import { mountDocs } from '../openapi/docs-pages';
import { createAdapter } from './adapter';
import { sendTraits } from './answer';
import { AnsweredRequests } from './answered-requests';
import { addBodyParsers } from './body-parsers';
import { watchConnections } from './connections';
import { mountDashboard } from './dashboard-pages';
import { RateLimiter } from './rate-limiter';
import { headersOfAnswers } from './request-context';
import { RequestObserver } from './request-observer';
import { RouteTable } from './route-table';

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

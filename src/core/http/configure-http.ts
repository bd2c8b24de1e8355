import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../config/env';
import { createLog, NestLog } from '../logging/log';
import { mountDocs } from '../openapi/docs-pages';
import { sendTraits } from './answer';
import { endIdleConnections } from './connections';
import { describeFailure } from './failures';
import { newId } from './ids';
import { parseJsonBody } from './json-body';
import { Problems } from './problems';
import { beginRequest } from './request-context';
import { RequestObserver } from './request-observer';
import { RouteTable } from './route-table';
import { answerSocket } from './socket-problem';

const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for connections that are over these times. */
const TIMEOUT_CHECK_MS = 1000;
const PARAM_LENGTH_MAX = 100;

/** The API as it runs in production and in every end-to-end test; not listening yet. */
export async function createHttpApp(appModule: Type | DynamicModule, env: Env): Promise<NestFastifyApplication> {
  const log = createLog(env);
  const observer = new RequestObserver(log);
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
  // Node answers an expectation that it does not know with a bare 417; RFC 9110 lets a server ignore it.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  endIdleConnections(fastify);
  mountDocs(app);
  return app;
}

function readJson(_: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: object) => void): void {
  let body: object | undefined;
  try {
    body = parseJsonBody(bytes);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

function createAdapter(env: Env, observer: RequestObserver): FastifyAdapter {
  const problems = new Problems(env);
  const proxies = env.TRUST_PROXY.split(',').map((address) => address.trim()).filter(Boolean);
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS, requireHostHeader: false },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    trustProxy: proxies.length > 0 ? proxies : false,
    // A client on a kept connection would be refused in every rolling restart.
    return503OnClosing: false,
    genReqId: newId,
    clientErrorHandler: (error, socket) => answerSocket(problems, error, socket),
    // The router refuses an address before any hook has run.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      beginRequest(request, reply);
      problems.send(reply, describeFailure(error));
      observer.record(request, reply);
    },
  });
}

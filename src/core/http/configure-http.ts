import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Env } from '../config/env';
import { createLog, NestLog } from '../logging/log';
import { mountDocs } from '../openapi/docs-pages';
import { createAdapter } from './adapter';
import { sendTraits } from './answer';
import { endIdleConnections } from './connections';
import { parseJsonBody } from './json-body';
import { RequestObserver } from './request-observer';
import { RouteTable } from './route-table';

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
  endIdleConnections(fastify, env.SHUTDOWN_NOTICE_SECONDS * 1_000);
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

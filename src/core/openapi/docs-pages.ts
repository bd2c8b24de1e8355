import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS_FILE, OPENAPI_FILE } from './document-file';
import { errorPage } from './error-page';

/** Everything comes from this service. Swagger UI styles its elements in place; scripts in place stay forbidden. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** `/openapi.json` (the committed document), `/docs` to read and try it, `/docs/errors` to look codes up. Open to everybody. */
export function mountDocs(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', (route) => {
    if (/^\/docs(\/|$)/.test(route.url)) route.preHandler = asPage;
  });
  const errors = errorPage(readFileSync(ERRORS_FILE, 'utf8'));
  fastify.get('/docs/errors', (_, reply) => reply.type('text/html; charset=utf-8').send(errors));
  SwaggerModule.setup('docs', app, readDocument, { raw: ['json'], jsonDocumentUrl: 'openapi.json', customSiteTitle: 'Duka API' });
}

const readDocument = (): OpenAPIObject => JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenAPIObject;

function asPage(_: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(PAGE_HEADERS);
  done();
}

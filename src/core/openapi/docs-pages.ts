import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../config/env';
import { publicUrl } from '../http/public-url';
import { RateLimiter } from '../http/rate-limiter';
import { ERRORS_FILE, OPENAPI_FILE } from './document-file';
import { errorPage } from './error-page';
import type { OpenApiDocument } from './types';

/** Everything comes from this service. Swagger UI styles its elements in place; scripts in place stay forbidden. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** `/openapi.json` (the committed document, at this address), `/docs` to read and try it, `/docs/errors` to look codes up. Open to everybody. */
export function mountDocs(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', (route) => {
    if (!/^\/(?:docs(?:\/|$)|openapi\.json$)/.test(route.url)) return;
    route.onRequest = app.get(RateLimiter).limitOpen;
    if (route.url !== DOCUMENT_URL) route.preHandler = asPage;
  });
  const errors = errorPage(readFileSync(ERRORS_FILE, 'utf8'));
  fastify.get('/docs/errors', (_, reply) => reply.type('text/html; charset=utf-8').send(errors));
  fastify.get(DOCUMENT_URL, documentSender(publicUrl(app.get(Env))));
  // The page fetches the document: within its script it would be sent anew, and as it is, with every visit.
  SwaggerModule.setup('docs', app, () => undefined as unknown as OpenAPIObject, {
    raw: false,
    swaggerUrl: DOCUMENT_URL,
    customSiteTitle: 'Duka API',
  });
}

const DOCUMENT_URL = '/openapi.json';

/** The document, which names this deployment as its server, is made ready once, and all who read it share the bytes. */
function documentSender(url: string) {
  const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApiDocument;
  const plain = Buffer.from(
    JSON.stringify({ ...document, servers: document.servers.map((server) => ({ ...server, url })) }),
  );
  const zipped = gzipSync(plain);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  return ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim());
    if (known?.some((tag) => tag === '*' || tag === etag)) return reply.code(304).send();
    reply.type('application/json; charset=utf-8');
    return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(headers['accept-encoding'] ?? '')
      ? reply.header('content-encoding', 'gzip').send(zipped)
      : reply.send(plain);
  };
}

function asPage(_: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(PAGE_HEADERS);
  done();
}

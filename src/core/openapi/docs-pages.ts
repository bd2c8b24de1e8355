import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../config/env';
import { publicUrl } from '../http/request-context';
import { RateLimiter } from '../http/rate-limiter';
import { PROJECT } from '../process/project';
import { escapeHtml } from '../text/html';
import type { OpenApiDocument } from './types';

/** Everything comes from this service. Swagger UI styles its elements in place; scripts in place stay forbidden. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/**
 * `/openapi.json` (the committed document, at this address), `/docs` to read and try it, `/docs/errors` to look codes
 * up. Open to everybody.
 */
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

const ROW = /^\| `(\w+)` \|(.+)\|$/;

/**
 * `docs/errors.md` as a page: a heading, what stands above the table, and a row per code that a problem's `type` points
 * to.
 */
export function errorPage(markdown: string): string {
  const lines = markdown.split('\n').filter(Boolean);
  const [title = '', ...intro] = lines.filter((line) => !line.startsWith('|'));
  const [head = ''] = lines.filter((line) => line.startsWith('|'));
  const heading = toHtml(title.replace(/^# /, ''));
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${heading}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
  td, th { border-bottom: 1px solid #8886; padding: .4rem .8rem; text-align: left; vertical-align: top }
  tr:target { background: #fd06 }
</style>
<h1>${heading}</h1>
<p>${toHtml(intro.join(' '))}</p>
<table>
<tr>${cells('th', head)}</tr>
${lines.map(toRow).join('')}</table>
</html>
`;
}

function toRow(line: string): string {
  const code = ROW.exec(line)?.[1];
  return code === undefined ? '' : `<tr id="${code}">${cells('td', line)}</tr>\n`;
}

const cells = (tag: string, line: string): string =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => `<${tag}>${toHtml(cell.trim())}</${tag}>`)
    .join('');

const toHtml = (text: string): string => escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');

/** The committed OpenAPI document. */
export const OPENAPI_FILE = join(PROJECT, 'docs', 'api', 'openapi.json');

/** What was asked and answered for the examples of the document. */
export const EXAMPLES_FILE = join(PROJECT, 'docs', 'api', 'examples.json');

/** The same calls for Postman and whatever imports its collections. */
export const COLLECTION_FILE = join(PROJECT, 'docs', 'api', 'duka.postman_collection.json');

/** The table of error codes. */
export const ERRORS_FILE = join(PROJECT, 'docs', 'errors.md');

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../config/env';
import { NotFound } from '../errors/domain-error';
import { publicUrl } from '../http/request-context';
import { RateLimiter } from '../http/rate-limiter';
import { PROJECT } from '../process/project';
import { escapeHtml } from '../text/html';
import type { OpenApiDocument } from './types';

/** Where the site is, once it is built: `docs-site/`, from what stands in `docs/` and in the document. */
const BUILT = join(PROJECT, 'docs-site', 'dist');
/** No dots but those of a name's end, no folders but one: nothing outside of what was built can be named. */
const ASSET = /^assets\/[\w-]+(?:\.[\w-]+)+$/;
const PAGE = /^(?:[\w-]+\/)?[\w-]+$/;
/** The same for programs that read, and what there is of it. */
const PLAIN = /^(?:(?:[\w-]+\/)?[\w-]+\.md|llms\.txt)$/;
/** The changelog as an Atom feed, which has its type by the name of the file. */
const FEED = { name: 'changelog.xml', file: 'changelog.atom' };
const YEAR_SECONDS = 365 * 24 * 3_600;

/** Everything comes from this service, and nothing stands in place: neither scripts nor styles. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Duka docs</title>
<h1>The documentation is not built</h1>
<p>The API works without it. To have it here, run in the project's folder:</p>
<pre>npm run build:docs</pre>
<p>Until then: <a href="/docs/errors">error codes</a>, <a href="/openapi.json">the OpenAPI document</a>, and the files
in <code>docs/</code>.</p></html>`;

/**
 * `/openapi.json` (the committed document, at this address) and the site at `/docs`, where `/` leads; what it has for
 * programs is told by `/llms.txt`. Open to all.
 * Read from `root` at each request: what was built a moment ago is there.
 */
export function mountDocs(app: NestFastifyApplication, root = BUILT): void {
  const fastify = app.getHttpAdapter().getInstance();
  const onRequest = app.get(RateLimiter).limitOpen;
  fastify.get(DOCUMENT_URL, { onRequest }, documentSender(publicUrl(app.get(Env))));
  fastify.get('/', { onRequest }, (_, reply) => reply.redirect('/docs'));
  fastify.get('/llms.txt', { onRequest }, (_, reply) => sendPage('llms.txt', reply, root));
  for (const path of ['/docs', '/docs/', '/docs/*'])
    fastify.get(path, { onRequest }, ({ params }, reply) =>
      sendPage((params as { '*'?: string })['*'] ?? '', reply, root),
    );
}

function sendPage(name: string, reply: FastifyReply, root: string): FastifyReply {
  const isAsset = ASSET.test(name);
  const isOther = PLAIN.test(name) || name === FEED.name;
  const file = name === FEED.name ? FEED.file : isAsset || isOther ? name : `${name || 'index'}.html`;
  const isThere = (isAsset || isOther || name === '' || PAGE.test(name)) && existsSync(join(root, file));
  const instead = isThere ? undefined : pageInstead(name);
  reply
    .headers(PAGE_HEADERS)
    .header('cache-control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  return instead === undefined ? reply.sendFile(file, root) : reply.type('text/html; charset=utf-8').send(instead);
}

/** What is told without a built site: how to build it, and, since every problem leads there, the codes. */
function pageInstead(name: string): string {
  if (name === '') return NOT_BUILT;
  if (name === 'errors') return errorPage(readFileSync(ERRORS_FILE, 'utf8'));
  throw new NotFound('address');
}

const DOCUMENT_URL = '/openapi.json';

/** Made ready for the first who reads it, and all others share the bytes. */
function documentSender(url: string) {
  let ready: ReturnType<typeof documentOf> | null = null;
  return ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { plain, zipped, etag } = (ready ??= documentOf(url));
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim());
    if (known?.some((tag) => tag === '*' || tag === etag)) return reply.code(304).send();
    reply.type('application/json; charset=utf-8');
    return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(headers['accept-encoding'] ?? '')
      ? reply.header('content-encoding', 'gzip').send(zipped)
      : reply.send(plain);
  };
}

/** The document, which names this deployment as its server. */
function documentOf(url: string): { plain: Buffer; zipped: Buffer; etag: string } {
  const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApiDocument;
  const plain = Buffer.from(
    JSON.stringify({ ...document, servers: document.servers.map((server) => ({ ...server, url })) }),
  );
  const zipped = gzipSync(plain);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  return { plain, zipped, etag };
}

const ROW = /^\| `(\w+)` \|(.+)\|$/;

/**
 * `docs/errors.md` as a plain page, while the site is not built: a heading, what stands above the table, and a row per
 * code that a problem's `type` points to.
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

/** And for Bruno. */
export const BRUNO_FOLDER = join(PROJECT, 'docs', 'api', 'bruno');

/** The table of error codes. */
export const ERRORS_FILE = join(PROJECT, 'docs', 'errors.md');

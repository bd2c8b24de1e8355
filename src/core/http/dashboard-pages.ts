import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { NotFound } from '../errors/not-found';
import { PROJECT } from '../process/project';

const BUILT = join(PROJECT, 'dashboard', 'dist');

/** No dots at the start, no folders but one: nothing outside of what was built can be named. */
const FILE = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/;
const YEAR_SECONDS = 365 * 24 * 3_600;
/** Everything comes from this service. The components style themselves in place; scripts in place stay forbidden. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; " +
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

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

function sendPage({ params }: FastifyRequest, reply: FastifyReply, root: string): FastifyReply {
  const file = (params as { '*'?: string })['*'] ?? '';
  const isAsset = file.startsWith('assets/');
  const isFile = FILE.test(file) && existsSync(join(root, file));
  if (/^api(?:\/|$)/.test(file) || ((isAsset || FILE.test(file)) && !isFile)) throw new NotFound('address');
  reply
    .headers(PAGE_HEADERS)
    .header('cache-control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  if (!existsSync(join(root, 'index.html'))) return reply.type('text/html; charset=utf-8').send(NOT_BUILT);
  return reply.sendFile(isFile ? file : 'index.html', root);
}

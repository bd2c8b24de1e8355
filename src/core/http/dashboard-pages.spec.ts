import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import createFastify, { type FastifyInstance } from 'fastify';
import { NotFound } from '../errors/domain-error';
import { mountDashboard } from './configure-http';

let folder: string;
let root: string;
let fastify: FastifyInstance;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duka-dashboard-'));
  root = join(folder, 'dist');
  writeFileSync(join(folder, 'secret.txt'), 'hunter2');
  fastify = createFastify();
  fastify.setErrorHandler((error, _, reply) => reply.code(error instanceof NotFound ? 404 : 500).send());
  mountDashboard(
    { getHttpAdapter: () => ({ getInstance: () => fastify }) } as unknown as NestFastifyApplication,
    undefined,
    root,
  );
  await fastify.ready();
});
afterEach(async () => {
  await fastify.close();
  rmSync(folder, { recursive: true });
});

function build(): void {
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<p>page</p>');
  writeFileSync(join(root, 'icon.svg'), '<svg/>');
  writeFileSync(join(root, 'assets', 'app-1a2B.js'), 'app');
  writeFileSync(join(root, '.env'), 'hunter2');
}

const get = (url: string) => fastify.inject({ url });

it('says how to build what is not built, and needs no restart after that', async () => {
  const { statusCode, body } = await get('/dashboard');
  expect([statusCode, body]).toEqual([200, expect.stringContaining('npm --prefix dashboard run build')]);
  build();
  expect((await get('/dashboard')).body).toBe('<p>page</p>');
});

it('shows the page at each address that is no file, anew each time', async () => {
  build();
  for (const url of ['/dashboard', '/dashboard/', '/dashboard/test/keys', '/dashboard/test/transactions/txn_1?q=1']) {
    const { body, headers } = await get(url);
    expect([url, body, headers['cache-control']]).toEqual([url, '<p>page</p>', 'no-cache']);
  }
});

it('has a browser ask early for what the page behind the log-in will ask for', async () => {
  build();
  const early = async (url: string) =>
    [...String((await get(url)).headers.link ?? '').matchAll(/<([^>]+)>; rel=preload; as=fetch; crossorigin/g)].map(
      ([, address]) => address,
    );
  const [ME, OVERVIEW] = ['/dashboard/api/me', '/dashboard/api/overview?livemode='];
  expect(await Promise.all(['/dashboard', '/dashboard/', '/dashboard/test', '/dashboard/live'].map(early))).toEqual([
    [ME, `${OVERVIEW}false`],
    [ME, `${OVERVIEW}false`],
    [ME, `${OVERVIEW}false`],
    [ME, `${OVERVIEW}true`],
  ]);
  for (const url of ['/dashboard/live/transactions/txn_1', '/dashboard/test?period=7d'])
    expect([url, await early(url)]).toEqual([url, [ME]]);
  for (const url of ['/dashboard/log-in', '/dashboard/icon.svg', '/dashboard/testing'])
    expect([url, await early(url)]).toEqual([url, []]);
});

it('lets browsers keep what carries its hash in its name', async () => {
  build();
  const [asset, icon] = [await get('/dashboard/assets/app-1a2B.js'), await get('/dashboard/icon.svg')];
  expect([asset.body, asset.headers['cache-control'], asset.headers['content-type']]).toEqual([
    'app',
    'public, max-age=31536000, immutable',
    expect.stringContaining('javascript'),
  ]);
  expect([icon.body, icon.headers['cache-control']]).toEqual(['<svg/>', 'no-cache']);
});

it('sends what the build compressed to those who accept it', async () => {
  build();
  writeFileSync(join(root, 'assets', 'app-1a2B.js.br'), 'smaller');
  const ask = (encoding: string) =>
    fastify.inject({ url: '/dashboard/assets/app-1a2B.js', headers: { 'accept-encoding': encoding } });
  const [compressed, plain] = [await ask('gzip, br'), await ask('identity')];
  expect([compressed.body, compressed.headers['content-encoding'], compressed.headers['content-type']]).toEqual([
    'smaller',
    'br',
    expect.stringContaining('javascript'),
  ]);
  expect([plain.body, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
    'app',
    undefined,
    expect.stringMatching(/accept-encoding/i),
  ]);
});

it('forbids scripts in place, framing and other sites', async () => {
  const policy = (await get('/dashboard')).headers['content-security-policy'] as string;
  expect(policy).toMatch(/default-src 'none'; script-src 'self'; .*connect-src 'self'; .*frame-ancestors 'none'$/);
  expect(
    policy
      .split(';')
      .filter((part) => /script-src|default-src/.test(part))
      .join(),
  ).not.toContain('unsafe');
});

it.each([
  '/dashboard/api',
  '/dashboard/api/nothing',
  '/dashboard/assets/none.js',
  '/dashboard/none.png',
  '/dashboard/assets/..%2f..%2fsecret.txt',
  '/dashboard/assets/%2e%2e/%2e%2e/secret.txt',
])('has nothing at %s', async (url) => {
  build();
  const { statusCode, headers } = await get(url);
  expect([statusCode, headers['cache-control']]).toEqual([404, undefined]);
});

it.each([
  '/dashboard/.env',
  '/dashboard/..%2fsecret.txt',
  '/dashboard/%2e%2e%2fsecret.txt',
  '/dashboard/assets',
  '/dashboard/a/../../secret.txt',
])('hands out no other file at %s', async (url) => {
  build();
  expect((await get(url)).body).not.toContain('hunter2');
});

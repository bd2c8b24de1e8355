import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import createFastify, { type FastifyInstance } from 'fastify';
import { startProbe } from '../../../test/support/http-probe';
import { NotFound } from '../errors/domain-error';
import { errorPage, ERRORS_FILE, mountDocs, OPENAPI_FILE } from './docs-pages';

let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  ({ app, url } = await startProbe({ PUBLIC_URL: 'https://shop.example.com/' }));
});

afterAll(() => app.close());

it('serves the committed document, with its own address as the server', async () => {
  const answer = await fetch(`${url}/openapi.json`);
  const { servers, ...document } = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'));
  expect(servers).toMatchObject([{ url: 'http://localhost:3000' }]);
  expect(await answer.json()).toEqual({ ...document, servers: [{ ...servers[0], url: 'https://shop.example.com' }] });
});

it('leads to the documentation', async () => {
  const answer = await fetch(url, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
});

it('answers what the site does not have with a problem', async () => {
  const answer = await fetch(`${url}/docs/nothing.js`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
});

it('explains every code that the code can answer with, where the problem says', async () => {
  const sources = globSync('src/{core,modules}/**/*.ts', { exclude: (file) => file.endsWith('.spec.ts') }).map((file) =>
    readFileSync(file, 'utf8'),
  );
  // A code of a problem stands beside its kind; others are facts of a transaction.
  const codes = new Set(
    sources.flatMap((text) => [...text.matchAll(/\bcode: '([a-z_]+)',\s+kind:/g)].map(([, code]) => code!)),
  );
  expect(codes.size).toBeGreaterThan(20);
  const html = errorPage(readFileSync(ERRORS_FILE, 'utf8'));
  expect([...codes].filter((code) => !html.includes(`<tr id="${code}">`))).toEqual([]);
});

it('keeps markup in the table of codes from becoming markup of the page', () => {
  expect(errorPage('# A\n\n| Code | <b> |\n|---|---|\n| `a_b` | <script>"x"</script> & `c` |\n')).toContain(
    '<tr id="a_b"><td><code>a_b</code></td><td>&#60;script&#62;&#34;x&#34;&#60;/script&#62; &#38; <code>c</code></td></tr>',
  );
  expect(errorPage(readFileSync(ERRORS_FILE, 'utf8'))).toContain('<tr id="insufficient_funds">');
});

describe('the site', () => {
  let folder: string;
  let root: string;
  let fastify: FastifyInstance;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'duka-docs-'));
    root = join(folder, 'dist');
    for (const name of ['secret.html', 'secret.md']) writeFileSync(join(folder, name), 'hunter2');
    fastify = createFastify();
    fastify.setErrorHandler((error, _, reply) => reply.code(error instanceof NotFound ? 404 : 500).send());
    await fastify.register(fastifyStatic, { root: folder, serve: false, cacheControl: false, preCompressed: true });
    const nest = {
      getHttpAdapter: () => ({ getInstance: () => fastify }),
      get: (token: unknown) => app.get(token as never),
    };
    mountDocs(nest as unknown as NestFastifyApplication, root);
    await fastify.ready();
  });
  afterEach(async () => {
    await fastify.close();
    rmSync(folder, { recursive: true });
  });

  function build(): void {
    mkdirSync(join(root, 'assets'), { recursive: true });
    mkdirSync(join(root, 'guides'));
    writeFileSync(join(root, 'index.html'), 'first');
    writeFileSync(join(root, 'errors.html'), 'codes');
    writeFileSync(join(root, 'errors.md'), '# Codes');
    writeFileSync(join(root, 'llms.txt'), '# Duka');
    writeFileSync(join(root, 'changelog.atom'), '<feed/>');
    writeFileSync(join(root, 'guides', 'add-a-module.html'), 'guide');
    writeFileSync(join(root, 'assets', 'docs-1a2B.js'), 'script');
    writeFileSync(join(root, 'assets', 'docs-1a2B.js.br'), 'smaller');
    writeFileSync(join(root, '.built'), 'hunter2');
  }

  const get = (address: string, headers = {}) => fastify.inject({ url: address, headers });

  it('says how it is built while it is not, explains codes all the same, and needs no restart after that', async () => {
    expect((await get('/docs')).body).toContain('npm run build:docs');
    expect((await get('/docs/errors')).body).toContain('<tr id="insufficient_funds">');
    expect((await get('/docs/wallets')).statusCode).toBe(404);
    build();
    const pages = ['/docs', '/docs/', '/docs/errors', '/docs/guides/add-a-module'].map(
      async (page) => (await get(page)).body,
    );
    expect(await Promise.all(pages)).toEqual(['first', 'first', 'codes', 'guide']);
  });

  it('lets browsers keep what carries its hash in its name, compressed for who takes it, and asks anew for pages', async () => {
    build();
    const [asset, page] = [
      await get('/docs/assets/docs-1a2B.js', { 'accept-encoding': 'gzip, br' }),
      await get('/docs'),
    ];
    expect([asset.body, asset.headers['content-encoding'], asset.headers['cache-control']]).toEqual([
      'smaller',
      'br',
      'public, max-age=31536000, immutable',
    ]);
    expect((await get('/docs/assets/docs-1a2B.js')).body).toBe('script');
    expect([page.headers['cache-control'], page.headers['content-type']]).toEqual([
      'no-cache',
      'text/html; charset=utf-8',
    ]);
  });

  it('has its pages as Markdown, says where, and has a feed', async () => {
    build();
    for (const [address, body, type] of [
      ['/docs/errors.md', '# Codes', 'text/markdown; charset=utf-8'],
      ['/llms.txt', '# Duka', 'text/plain; charset=utf-8'],
      ['/docs/llms.txt', '# Duka', 'text/plain; charset=utf-8'],
      ['/docs/changelog.xml', '<feed/>', 'application/atom+xml'],
    ]) {
      const answer = await get(address!);
      expect([answer.body, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
        body,
        type,
        'no-cache',
      ]);
    }
  });

  it('forbids scripts and styles in place, framing, and other sites', async () => {
    build();
    const policy = String((await get('/docs')).headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|https?:/);
  });

  it.each([
    '/docs/.built',
    '/docs/nothing',
    '/docs/errors/',
    '/docs/errors.html.br',
    '/docs/nothing.md',
    '/docs/..%2fsecret.md',
    '/docs/assets/none.js',
    '/docs/assets/',
    '/docs/..%2fsecret',
    '/docs/%2e%2e/secret',
    '/docs/assets/..%2f..%2fsecret.html',
    '/docs/guides/%2e%2e%2f%2e%2e%2fsecret',
  ])('has nothing at %s', async (address) => {
    build();
    const { statusCode, body, headers } = await get(address);
    expect([statusCode, headers['cache-control']]).toEqual([404, undefined]);
    expect(body).not.toContain('hunter2');
  });
});

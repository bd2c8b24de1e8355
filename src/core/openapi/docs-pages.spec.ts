import { globSync, readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startProbe } from '../../../test/support/http-probe';
import { errorPage, ERRORS_FILE, OPENAPI_FILE } from './docs-pages';

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

it('serves a page whose parts all come from the service, and lets no other part in', async () => {
  const page = await fetch(`${url}/docs`);
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  const parts = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(([, part]) => part!);
  expect(parts).toHaveLength(6);
  for (const part of parts) {
    const answer = await fetch(new URL(part, `${url}/docs`));
    expect([part, answer.status, new URL(answer.url).origin]).toEqual([part, 200, url]);
  }
  expect(html).not.toMatch(/<script(?![^>]*src=)/);
});

it('answers what the page does not have with a problem', async () => {
  const answer = await fetch(`${url}/docs/nothing.js`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
});

it('explains every code that the code can answer with, where the problem says', async () => {
  const html = await (await fetch(`${url}/docs/errors`)).text();
  const sources = globSync('src/{core,modules}/**/*.ts', { exclude: (file) => file.endsWith('.spec.ts') }).map((file) =>
    readFileSync(file, 'utf8'),
  );
  // A code of a problem stands beside its kind; others are facts of a transaction.
  const codes = new Set(
    sources.flatMap((text) => [...text.matchAll(/\bcode: '([a-z_]+)',\s+kind:/g)].map(([, code]) => code!)),
  );
  expect(codes.size).toBeGreaterThan(20);
  expect([...codes].filter((code) => !html.includes(`<tr id="${code}">`))).toEqual([]);
});

it('keeps markup in the table of codes from becoming markup of the page', () => {
  expect(errorPage('# A\n\n| Code | <b> |\n|---|---|\n| `a_b` | <script>"x"</script> & `c` |\n')).toContain(
    '<tr id="a_b"><td><code>a_b</code></td><td>&#60;script&#62;&#34;x&#34;&#60;/script&#62; &#38; <code>c</code></td></tr>',
  );
  expect(errorPage(readFileSync(ERRORS_FILE, 'utf8'))).toContain('<tr id="insufficient_funds">');
});

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { sendRequest } from './support/raw-http';
import { until } from './support/recurring-probe';

const DIST = 'docs-site/dist';
/** What a reader loads before the first page can be read and used, as brotli sends it. */
const FIRST_LOAD_BYTES = 60_000;
/** What the search loads beside, when it is first asked for. */
const SEARCH_BYTES = 200_000;

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

/** Every page of the site, by its address. */
const pages = new Map(
  globSync(`${DIST}/**/*.html`).map((file) => {
    const path = file.replaceAll('\\', '/').slice(DIST.length, -'.html'.length);
    return [path === '/index' ? '/docs' : `/docs${path}`, readFileSync(file, 'utf8')] as const;
  }),
);

const get = (path: string, headers: [string, string][] = []) =>
  sendRequest(Number(new URL(duka.url).port), { method: 'GET', path, headers });

describe('what is served', () => {
  it('has every page, and each link of each page leads somewhere', async () => {
    expect(pages.size).toBeGreaterThan(90);
    const targets = [...pages.values()].flatMap((html) => [...html.matchAll(/ (?:href|src)="(\/[^"#]*)/g)]);
    const wrong: unknown[] = [];
    for (const path of new Set([...pages.keys(), ...targets.map(([, path]) => path!)])) {
      const { status, headers } = await get(path);
      const kept = headers.get('cache-control');
      const expected = path.startsWith('/docs/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
      if (status !== 200 || kept !== expected) wrong.push([path, status, kept]);
    }
    expect(wrong).toEqual([]);
  });

  it('links to anchors that are there, and to each code that a problem may have', () => {
    const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
    const dead = [...pages].flatMap(([address, html]) =>
      [...html.matchAll(/ href="(?<path>\/docs[^"#]*)?#(?<id>[^"]+)"/g)]
        .map(({ groups }) => [groups!.path ?? address, groups!.id!] as const)
        .filter(([path, id]) => !idsOf(pages.get(path)!).has(id))
        .map(([path, id]) => `${address}: ${path}#${id}`),
    );
    expect(dead).toEqual([]);
    const codes = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code!);
    const explained = idsOf(pages.get('/docs/errors')!);
    expect(codes.filter((code) => !explained.has(code))).toEqual([]);
  });

  it('has nothing in place that its policy forbids, and nothing of others', () => {
    for (const [address, html] of pages) {
      const without = html.replace(/<a [^>]*>/g, '');
      expect([address, without.match(/<script(?![^>]*src="\/docs\/)|<style| style="| on\w+="|src="https?:/)]).toEqual([
        address,
        null,
      ]);
    }
  });

  it('weighs little: each page with all that it needs, and the search', () => {
    const bytesOf = (path: string) => statSync(`${DIST}${path.replace(/^\/docs/, '')}.br`).size;
    const heavy = [...pages].filter(([address, html]) => {
      const parts = [...html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+\.(?:js|css|svg))"/g)].map(
        ([, path]) => path!,
      );
      const own = bytesOf(address === '/docs' ? '/index.html' : `${address}.html`);
      return own + [...new Set(parts)].reduce((sum, path) => sum + bytesOf(path), 0) > FIRST_LOAD_BYTES;
    });
    expect(heavy.map(([address]) => address)).toEqual([]);
    const search = globSync(`${DIST}/assets/{search,minisearch,entries}-*.br`).map((file) => statSync(file).size);
    expect(search).toHaveLength(3);
    expect(search.reduce((sum, size) => sum + size)).toBeLessThan(SEARCH_BYTES);
  });
});

describe('for programs that read', () => {
  const plainOf = (address: string) => (address === '/docs' ? '/docs/index.md' : `${address}.md`);
  const linksOf = (text: string) =>
    [...text.replace(/```.*?```|`[^`\n]+`/gs, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href!);

  it('/llms.txt names every page, as llmstxt.org wants it', async () => {
    const { status, headers, text } = await get('/llms.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = text.trim().split('\n');
    const headings = lines.filter((line) => /^#+ /.test(line));
    expect(lines[0]).toBe('# Duka');
    expect(lines[2]).toMatch(/^> Sells airtime/);
    expect(headings.slice(1).every((line) => line.startsWith('## '))).toBe(true);
    expect(headings.at(-1)).toBe('## Optional');
    const listed = lines.slice(lines.indexOf(headings[1]!)).filter((line) => line !== '' && !line.startsWith('## '));
    expect(listed.filter((line) => !/^- \[[^\]]+\]\(\/docs\/[\w/-]+\.md\): \S.*\.$/.test(line))).toEqual([]);
    expect(listed.flatMap(linksOf).sort()).toEqual([...pages.keys()].map(plainOf).sort());
  });

  it('each page is there as Markdown, with links that lead to Markdown and nothing of HTML', async () => {
    const wrong: unknown[] = [];
    const assets = new Set<string>();
    for (const address of pages.keys()) {
      const { status, headers, text } = await get(plainOf(address));
      if (status !== 200 || headers.get('content-type') !== 'text/markdown; charset=utf-8' || !/^#+ \S/.test(text))
        wrong.push([address, status, headers.get('content-type'), text.slice(0, 80)]);
      const prose = text.replace(/^```.*?^```|`[^`\n]+`/gms, '');
      wrong.push(...(prose.match(/<\/?(?:div|p|table|td|code|button|section|a)\b|^:::/gm) ?? []));
      for (const href of linksOf(text).map((one) => one.split('#')[0]!)) {
        if (href.startsWith('/docs/assets/')) assets.add(href);
        else if (/^\/docs\b/.test(href) && ![...pages.keys()].some((page) => plainOf(page) === href))
          wrong.push([address, href]);
        else if (!/^(?:$|https?:|mailto:|\/)/.test(href)) wrong.push([address, href]);
      }
    }
    for (const asset of assets) expect([asset, (await get(asset)).status]).toEqual([asset, 200]);
    expect(wrong).toEqual([]);
  });

  it('/docs/changelog.xml is a feed of the changelog, which every page names', async () => {
    const { status, headers } = await get('/docs/changelog.xml', [['accept-encoding', 'br']]);
    expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([
      200,
      'application/atom+xml',
      'br',
    ]);
    const policy = (await get('/docs')).headers.get('content-security-policy');
    expect([headers.get('content-security-policy'), headers.get('cache-control')]).toEqual([policy, 'no-cache']);
    const feed = '<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.xml">';
    expect([...pages].filter(([, html]) => !html.includes(feed)).map(([address]) => address)).toEqual([]);
  });

  it('has of an operation what a program needs to call it', async () => {
    const { text } = await get('/docs/reference/airtime.md');
    expect(text).toContain('## Send airtime to a phone\n\n`POST` `/v4/airtime/purchase`');
    expect(text).toMatch(/^\| `phone` .*\| string.* \|.*\|$/m);
    expect(text).toMatch(/^```sh\n.*curl.*airtime\/purchase.*?^```$/ms);
    expect(text).toMatch(/^Answer:\n\n```json\n\{/m);
  });
});

/** What people ask, and where the answer stands: a page, or a place in it. */
const QUESTIONS: Record<string, string> = {
  'how do I get an API key': '/docs',
  'what is a test key': '/docs/concepts',
  'retry a request safely after a timeout': '/docs/concepts',
  'pagination cursor': '/docs/concepts',
  'rate limit': '/docs/concepts#rate-limits',
  'which phone numbers fail in the sandbox': '/docs/sandbox',
  'move the clock forward': '/docs/reference/sandbox#advance_sandbox_clock',
  insufficient_funds: '/docs/errors#insufficient_funds',
  'duplicate reference': '/docs/errors#duplicate_reference',
  'verify webhook signature': '/docs/guides/receive-webhooks',
  'transaction.failed event': '/docs/reference/event-types#transaction-failed',
  'buy airtime': '/docs/reference/airtime#buy_airtime',
  'electricity meter token': '/docs/purchases',
  'refund a payment': '/docs/refunds',
  'send money to a bank account': '/docs/payouts',
  'saved recipients': '/docs/beneficiaries',
  'virtual account number for a bank transfer': '/docs/virtual-accounts',
  'exchange rate quote': '/docs/conversions',
  'bulk payments csv': '/docs/batches',
  'account statement': '/docs/statements',
  overdraft: '/docs/wallets',
  'freeze a card': '/docs/reference/cards#freeze_card',
  'approve card authorizations in real time': '/docs/card-authorization',
  chargeback: '/docs/disputes',
  'add a payment provider': '/docs/guides/add-a-payment-gateway',
  'Paystack settings': '/docs/providers/paystack',
  'go live': '/docs/going-live',
  'let an ai agent buy': '/docs/mcp',
  'php library': '/docs/sdk-php',
  'backup the database': '/docs/reliability#backups',
  smtp: '/docs/operating',
};
const FIRST = 3;

it('finds what people ask for among the first three results', () => {
  const [search, entries] = ['search-*.js', 'entries-*.json'].map((name) => globSync(`${DIST}/assets/${name}`)[0]!);
  const program = `const { createSearch } = await import(${JSON.stringify(pathToFileURL(search!).href)});
    const { readFileSync } = await import('node:fs');
    const find = createSearch(JSON.parse(readFileSync(${JSON.stringify(entries)}, 'utf8')));
    const asked = ${JSON.stringify(Object.keys(QUESTIONS))};
    console.log(JSON.stringify(asked.map((question) => find(question).slice(0, ${FIRST}).map(({ url }) => url))));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const found = JSON.parse(stdout) as string[][];
  const missed = Object.entries(QUESTIONS).filter(([, place], index) => {
    const isThere = (url: string) => (place.includes('#') ? url === place : url.split('#')[0] === place);
    return !found[index]!.some(isThere);
  });
  expect(missed.map(([question]) => [question, found[Object.keys(QUESTIONS).indexOf(question)]])).toEqual([]);
});

const LOOKED_AT = [
  '/docs',
  '/docs/errors',
  '/docs/sandbox',
  '/docs/purchases',
  '/docs/reference',
  '/docs/reference/wallets',
];
const NARROW = { width: 360, height: 740 };

describeInBrowser('the site in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function visiting(path: string, window?: { width: number; height: number }) {
    const visitor = await Visitor.of(browser, duka.url, window);
    await visitor.page.goto(duka.url + path);
    return { visitor, page: visitor.page, faults: visitor.faults, close: () => visitor.close() };
  }

  it('has no serious finding of axe in light and dark, and breaks no policy', async () => {
    const { page, faults, close } = await visiting('/docs');
    const found: string[] = [];
    for (const colours of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: colours });
      for (const path of LOOKED_AT) {
        await page.goto(duka.url + path);
        found.push(...(await seriousFindings(page)).map((finding) => `${path}, ${colours}: ${finding}`));
      }
    }
    expect(found).toEqual([]);
    expect(faults.errors).toEqual([]);
    await close();
  });

  it('has a feed with an entry a version, or one for what is unreleased while there is none', async () => {
    const { page, close } = await visiting('/docs/changelog.xml');
    /** As a program reads it that takes nothing but well-formed XML. */
    const entriesOf = (xml: string) =>
      page.evaluate((text) => {
        const { DOMParser } = globalThis as any;
        const feed = new DOMParser().parseFromString(text, 'application/xml');
        if (feed.querySelector('parsererror')) throw new Error(feed.documentElement.textContent);
        return [...feed.querySelectorAll('entry')].map((entry) => {
          const of = (name: string): string => entry.querySelector(name).textContent;
          const html: string = new DOMParser().parseFromString(of('content'), 'text/html').body.textContent.trim();
          const href: string = entry.querySelector('link').getAttribute('href');
          return { title: of('title'), id: of('id'), updated: of('updated'), href, html };
        });
      }, xml);

    const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(.+?)\]/gm)].map(
      ([, version]) => version,
    );
    const released = headings.filter((version) => version !== 'Unreleased');
    const served = await entriesOf((await get('/docs/changelog.xml')).text);
    expect(served.map(({ title }) => title)).toEqual(released.length > 0 ? released : headings);
    expect(served.filter(({ updated }) => !(Date.parse(updated) <= Date.now()))).toEqual([]);
    for (const { href } of served) expect(pages.get('/docs/changelog')).toContain(` id="${href.split('#')[1]}"`);

    const { changelogFeed } = await import(join(process.cwd(), 'docs-site/feed.mjs'));
    const { render } = await import(join(process.cwd(), 'docs-site/markdown.mjs'));
    const feedOf = (markdown: string) =>
      entriesOf(changelogFeed({ address: '/docs/changelog', ...render(markdown, {}) }, new Date('2026-03-04')));
    const unreleased = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Fees <b> & `a < b`.\n';
    const [before] = await feedOf(unreleased);
    expect(before).toMatchObject({ title: 'Unreleased', updated: '2026-03-04T00:00:00.000Z' });
    expect(before!.html).toMatch(/^Added\s+Fees <b> & a < b\.$/);
    const versions = '## [0.2.0] - 2026-02-03\n\n- Two.\n\n## [0.1.0] - 2026-01-02\n\n- One.\n';
    const after = await feedOf(`${unreleased}\n${versions}`);
    expect(after).toMatchObject([
      { title: '0.2.0', updated: '2026-02-03T00:00:00.000Z', href: '/docs/changelog#020---2026-02-03', html: 'Two.' },
      { title: '0.1.0', updated: '2026-01-02T00:00:00.000Z', href: '/docs/changelog#010---2026-01-02', html: 'One.' },
    ]);
    // An id of Python's uuid.uuid5 for the feed's and the version: it stays, whatever else is written there.
    expect(after[1]!.id).toBe('urn:uuid:c5c4011b-cc82-57a9-afe7-9e13592fabaa');
    expect((await feedOf(versions))[1]!.id).toBe(after[1]!.id);
    await close();
  });

  it('fits a window of 360 pixels, with its pages behind a button', async () => {
    const { page, close } = await visiting('/docs', NARROW);
    for (const path of [...LOOKED_AT, '/docs/dashboard', '/docs/benchmarks']) {
      await page.goto(duka.url + path);
      expect([path, await sidewaysPixels(page)]).toEqual([path, 0]);
    }
    const link = page.locator('#sidebar').getByRole('link', { name: 'Sandbox', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    await link.waitFor();
    await close();
  });

  it('is searched by keyboard alone, and goes where the answer stands', async () => {
    const { page, faults, close } = await visiting('/docs');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.type('insufficient_funds');
    const place = '/docs/errors#insufficient_funds';
    const answer = page.locator(`[role=option][data-url="${place}"]`);
    await answer.waitFor();
    while ((await answer.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${place}`);
    expect(faults.errors).toEqual([]);
    await close();
  });

  it('fills in the wallet and a new key of who is signed in, for this tab only', async () => {
    const { visitor, page, faults, close } = await visiting('/docs');
    await visitor.signUp('docs@example.com');
    await page.goto(`${duka.url}/docs/reference/wallets`);
    await page.locator('.fill-in').first().click();
    const form = page.getByRole('dialog', { name: 'Your key and wallet' });
    await form.getByText('Signed in at the dashboard as docs@example.com.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Make a test key' }).click();
    const key = form.getByLabel('Test key');
    await until(async () => (await key.inputValue()).startsWith('sk_test_'));
    const [secret, wallet] = [await key.inputValue(), await form.getByLabel('Wallet').inputValue()];
    await form.getByRole('button', { name: 'Fill in' }).click();
    await page.getByRole('button', { name: 'Python' }).first().click();
    const code = () => textOfExample(page, 'get_wallet', 'python');
    expect(await code()).toContain(`key = "${secret}"`);
    expect(await code()).toContain(`wallet = "${wallet}"`);
    expect(await code()).toContain(duka.url);
    // The key that the page made opens the wallet that it named.
    const answer = await get(`/v4/wallets/${wallet}`, [['Authorization', `Bearer ${secret}`]]);
    expect([answer.status, answer.body.id]).toEqual([200, wallet]);
    const other = await page.context().newPage();
    await other.goto(`${duka.url}/docs/reference/wallets`);
    expect(await textOfExample(other, 'get_wallet', 'python')).toContain('sk_test_YOUR_KEY');
    expect(faults.errors).toEqual([]);
    await close();
  });

  it('takes no live key, and says so', async () => {
    const { page, close } = await visiting('/docs');
    await page.locator('.fill-in').first().click();
    const form = page.getByRole('dialog', { name: 'Your key and wallet' });
    await form.getByText('You are not signed in.').waitFor();
    await form.getByLabel('Test key').fill('sk_live_abc');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await form.getByText('A test key begins with sk_test_.').waitFor();
    await close();
  });
});

const textOfExample = (page: Page, operation: string, language: string): Promise<string> =>
  page.locator(`[data-runs=${operation}][data-language=${language}] code`).innerText();

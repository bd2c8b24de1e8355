import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { runProcess } from '../src/core/process/lifetime';
import { Env } from '../src/core/config/env';
import { openBrowser } from '../test/support/browser';
import { seedDemo } from './demo/demo';
import { describeMachine } from './machine';
import { Service } from './service';

// `npm run bench:pages`: how the pages feel to somebody far away with an old telephone, and over a long list.

/** "Slow 4G" of Chrome's developer tools. */
const SLOW_4G = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const SLOWER_CPU = 4;
const PASSWORD = 'kola nuts and palm wine at dawn';
const ROWS = 5_000;
const ROUNDS = 3;

runProcess(async (lifetime) => {
  lifetime.endWithParent();
  const { values } = parseArgs({ options: { transactions: { type: 'string', default: '8000' } } });
  const service = await Service.start(lifetime);
  service.settings = { RATE_LIMIT_OPEN: '0' };
  const env = Object.assign(new Env(), service.environment());
  const demo = await seedDemo(env, {
    transactions: Number(values.transactions),
    wallets: 301,
    reviews: 80,
    password: PASSWORD,
    says: (line) => console.log(line),
  });
  const { port } = await service.startApi();
  const browser = await lifetime.own(openBrowser(), (opened) => opened.close());
  const home = await measureHome(browser, `http://127.0.0.1:${port}`, demo.emails[0]!);
  const rows = await measureRows(browser, `http://127.0.0.1:${port}`, demo.emails[0]!);
  console.log(`\n${await describeMachine(service.database.url)}\n`);
  console.log(`Home usable, slow 4G (562.5 ms, 180 kB/s) and a CPU four times slower: ${home.join(', ')} ms`);
  console.log(`Longest frame over ${rows.seen} rows: ${rows.longest.toFixed(0)} ms; over 50 ms: ${rows.long}`);
  await lifetime.end(0);
});

async function logIn(browser: Browser, url: string, email: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/log-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL(/\/dashboard\/test$/);
  return { context, page };
}

/** From the address to the account's money, with nothing in the cache. */
async function measureHome(browser: Browser, url: string, email: string): Promise<number[]> {
  const { context, page: before } = await logIn(browser, url, email);
  await before.close();
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await context.newPage();
    const session: CDPSession = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.clearBrowserCache');
    await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
    const begun = performance.now();
    await page.goto(`${url}/dashboard/test`, { waitUntil: 'commit' });
    await page
      .getByText(/NGN [\d,]{15,}\.\d\d/)
      .first()
      .waitFor();
    took.push(Math.round(performance.now() - begun));
    await page.close();
  }
  await context.close();
  return took;
}

const TO_THE_END = 'scrollTo(0, document.body.scrollHeight)';
/** How long each frame takes, a step up at a time. */
const FRAMES = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const all = [];
  let before = await frame();
  for (let y = document.body.scrollHeight; y > 0; y -= 300) {
    scrollTo(0, y);
    const now = await frame();
    all.push(now - before);
    before = now;
  }
  return all;
})()`;

/** Up a long list, a step a frame. */
async function measureRows(browser: Browser, url: string, email: string) {
  const { context, page } = await logIn(browser, url, email);
  await page.goto(`${url}/dashboard/test/transactions`);
  await page.locator('tr[data-index]').first().waitFor();
  const last = async () => Number(await page.locator('tr[data-index]').last().getAttribute('aria-rowindex'));
  for (let before = -1, read = 0; read < ROWS && read !== before;) {
    before = read;
    await page.evaluate(TO_THE_END);
    await page.waitForTimeout(400);
    read = await last();
  }
  const seen = await last();
  const frames = await page.evaluate<number[]>(FRAMES);
  await context.close();
  return { seen, longest: Math.max(...frames), long: frames.filter((ms) => ms > 50).length };
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type PageFaults, watchFaults } from './browser';

const ROOT = join(__dirname, '../..');
const WAIT_MS = 15_000;

export const PASSWORD = 'a long sentence about kola nuts 77';

/** The page as it is in the sources now. */
export function buildDashboard(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build-dashboard.mjs', '--when-stale'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}

/** Somebody at the dashboard, with a browser profile of their own. Counts their clicks. */
export class Visitor {
  clicks = 0;

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly faults: PageFaults,
    private readonly url: string,
  ) {}

  static async of(browser: Browser, url: string, window = { width: 1_280, height: 900 }): Promise<Visitor> {
    const context = await browser.newContext({ viewport: window, reducedMotion: 'reduce' });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    return new Visitor(context, page, watchFaults(page), url);
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Opens a page by its address, and waits for its heading. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/dashboard${path}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Opens it and waits until it has read all that it shows. */
  async see(path: string): Promise<void> {
    await this.open(path);
    await this.page.waitForFunction(() => (globalThis as any).document.querySelectorAll('[aria-label^="Loading:"]').length === 0);
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  press(name: string | RegExp, within?: Page | Locator): Promise<void> {
    return this.click(this.button(name, within));
  }

  dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** The row of a table that has the text. */
  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  async fill(fields: Record<string, string>, within: Page | Locator = this.page): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await within.getByRole('textbox', { name: label }).fill(value);
  }

  /** Types what the sign-up wants; the password field is none of the text boxes. */
  async signUp(email: string): Promise<void> {
    await this.open('/sign-up');
    await this.fill({ 'Your name': 'Ada Obi', 'Business or team': 'Corner Shop', 'E-mail': email });
    await this.page.locator('input[name=password]').fill(PASSWORD);
    await this.press('Create account');
    await this.page.waitForURL('**/dashboard/test');
  }

  /** Until the page says so to everybody, in its live region. */
  told(text: string | RegExp): Promise<void> {
    return this.page.locator('.announcer').getByText(text).first().waitFor();
  }
}

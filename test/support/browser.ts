import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findOnPath } from './programs';

// The first is a browser without its windows: a sixth less work.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser that this machine has: CHROMIUM, or one on PATH. */
function findChromium(): string | null {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const found = findOnPath(...NAMES);
  // A file of that name may be an installer only: it must run.
  return found !== null && spawnSync(found, ['--version'], { timeout: 20_000 }).status === 0 ? found : null;
}

const executablePath = findChromium();

export const hasBrowser = executablePath !== null;

/** A `describe` that runs where there is a Chromium (CHROMIUM, or on PATH), and is reported as skipped elsewhere. */
export function describeInBrowser(name: string, body: () => void): void {
  if (executablePath === null) return describe.skip(`${name} (needs CHROMIUM or chromium on PATH)`, body);
  describe(name, body);
}

/** Without a sandbox of its own: a container's root cannot make one, and only pages of this service are opened. Nothing here looks at what a graphics card would draw. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? undefined,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-software-rasterizer'],
  });
}

/** What a page must never have; each is told with where it was. */
export interface PageFaults {
  /** What the Content-Security-Policy stopped, and whatever the page threw. */
  readonly errors: string[];
}

/** Collects from now on what a page does wrong. A refusal of the service is none: pages show it. */
export function watchFaults(page: Page): PageFaults {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(`${page.url()}: ${message.text()}`);
  });
  return { errors };
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical findings of axe for WCAG 2.2 AA, each with its first element. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Evaluated by the debugger: the page's own policy would stop it as a script tag.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await (globalThis as any).axe.run({ runOnly: { type: 'tag', values: tags } });
    const serious = violations.filter(({ impact }: any) => impact === 'serious' || impact === 'critical');
    return serious.map(
      ({ id, nodes }: any) =>
        `${id}: ${nodes
          .map(({ html, failureSummary }: any) => `${html} ${failureSummary}`)
          .slice(0, 3)
          .join(' | ')}`,
    );
  });
}

/** How many pixels of the page lie beside the window: 0 when nobody has to scroll sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
    return scrollWidth - clientWidth;
  });
}

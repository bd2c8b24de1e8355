// `node scripts/draw-trace.mjs trace.json docs/images/trace.png`: spans of one trace, as test/tracing.e2e-spec.ts records
// them with RECORD_TRACE=trace.json, as a picture: a row each, below what led to it. Chromium draws it.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [from, to] = process.argv.slice(2);
const ROW = 26;
const [NAMES, WIDTH, MARGIN] = [330, 1100, 16];
const COLOURS = { 'duka-api': '#2563eb', 'duka-worker': '#c2410c' };

const spans = JSON.parse(readFileSync(from, 'utf8')).map((span) => ({
  ...span,
  start: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
  end: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
}));
const byId = new Map(spans.map((span) => [span.spanId, span]));
const depthOf = ({ parentSpanId }) => (byId.has(parentSpanId) ? 1 + depthOf(byId.get(parentSpanId)) : 0);
/** A span, and behind it what it led to. */
const within = (parent) =>
  spans
    .filter(({ parentSpanId }) => (parent === null ? !byId.has(parentSpanId) : parentSpanId === parent.spanId))
    .sort((a, b) => a.start - b.start)
    .flatMap((span) => [span, ...within(span)]);
const first = Math.min(...spans.map(({ start }) => start));
const total = Math.max(...spans.map(({ end }) => end)) - first;
const x = (time) => NAMES + ((time - first) / total) * (WIDTH - NAMES - 90);
const escape = (text) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const ms = (span) => `${(span.end - span.start).toFixed(1)} ms`;

const rows = within(null).map((span, i) => {
  const y = MARGIN + ROW * (i + 1);
  const width = Math.max(2, x(span.end) - x(span.start));
  const colour = COLOURS[span.service] ?? '#525252';
  return [
    `<text x="${MARGIN + 14 * depthOf(span)}" y="${y + 17}">${escape(span.name)}</text>`,
    `<rect x="${x(span.start).toFixed(1)}" y="${y + 5}" width="${width.toFixed(1)}" height="${ROW - 10}" rx="3" fill="${colour}"/>`,
    `<text class="time" x="${(x(span.start) + width + 6).toFixed(1)}" y="${y + 17}">${ms(span)}</text>`,
  ].join('\n');
});
const legend = Object.entries(COLOURS).map(
  ([service, colour], i) =>
    `<rect x="${NAMES + 130 * i}" y="${MARGIN}" width="12" height="12" rx="3" fill="${colour}"/>` +
    `<text x="${NAMES + 130 * i + 18}" y="${MARGIN + 11}">${service}</text>`,
);
const height = MARGIN * 2 + ROW * (rows.length + 1);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">
<style>text{font:13px system-ui,sans-serif;fill:#171717}.time{fill:#525252;font-size:12px}</style>
${[...legend, ...rows].join('\n')}
</svg>`;
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: WIDTH, height }, deviceScaleFactor: 2 });
await page.setContent(`<body style="margin:0">${svg}`);
await page.screenshot({ path: to });
await browser.close();

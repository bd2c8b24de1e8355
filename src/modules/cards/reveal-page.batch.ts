import { Html, html } from '../../core/text/html';
import type { Card } from './card.entity';

const STYLE =
  new Html(`body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
dt{color:#595959;font-size:.85rem}dd{margin:0 0 1rem;font:1.25rem ui-monospace,monospace}`);

/** The page that shows a test card. No scripts: there is nothing to steal it with. */
export function revealPage(
  { nameOnCard, brand, expMonth, expYear }: Pick<Card, 'nameOnCard' | 'brand' | 'expMonth' | 'expYear'>,
  shown: { number: string; cvv: string },
): string {
  const expiry = `${String(expMonth).padStart(2, '0')}/${expYear}`;
  const rows = [
    ['Number', shown.number.replace(/\d{4}(?=\d)/g, '$& ')],
    ['Expires', expiry],
    ['CVV', shown.cvv],
    ['Name', nameOnCard],
    ['Brand', brand],
  ] as const;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Card details</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>Card details</h1>
        <p>Shown once. This page cannot be opened again.</p>
        <dl>
          ${rows.map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
      </body>
    </html> `.text;
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { html, Html } from '../../core/text/html';

// https://docs.stripe.com/issuing/elements, https://docs.stripe.com/security/guide#content-security-policy, read on
// 2026-11-25. A browser makes a nonce, we exchange it for a key that shows one card, and Stripe's frames show it.

/** Time to open the page that a link of ours, good for once, leads to. Milliseconds. */
const VALID_MS = 5 * 60_000;

const signatureOf = (about: string, key: string): Buffer =>
  createHmac('sha256', key).update(`card page ${about}`).digest();

/** What a page about one card is opened with: `<card at Stripe>.<end, ms>.<signature>`. */
export function pageToken(card: string, key: string, now = Date.now()): string {
  const about = `${card}.${now + VALID_MS}`;
  return `${about}.${signatureOf(about, key).toString('base64url')}`;
}

/** The card's id at Stripe; null: not a token of ours, or its time is over. */
export function cardOfToken(token: string, key: string, now = Date.now()): string | null {
  const [, about, card, end, signature] = /^((ic_\w{1,200})\.(\d{13}))\.([\w-]{43})$/.exec(token) ?? [];
  if (about === undefined) return null;
  const given = Buffer.from(signature!, 'base64url');
  const own = signatureOf(about, key);
  return given.length === own.length && timingSafeEqual(given, own) && +end! > now ? card! : null;
}

/** Only Stripe.js and the one script of the page run. */
export const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src https://js.stripe.com https://*.js.stripe.com 'nonce-${nonce}'`,
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    "connect-src 'self' https://api.stripe.com",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE = new Html(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;' +
    'color:#1b1b1b;background:#fff}' +
    'dt{color:#595959;font-size:.85rem}dd{margin:0 0 1rem;height:1.5rem}',
);

/** What it needs to know stands in the attributes of its element. */
const SCRIPT = new Html(`
(async () => {
  const { key, card, exchange } = document.currentScript.dataset;
  const failed = () => { document.getElementById('failed').hidden = false; };
  try {
    const stripe = Stripe(key);
    const { nonce, error } = await stripe.createEphemeralKeyNonce({ issuingCard: card });
    if (error) return failed();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(exchange, { method: 'POST', headers, body: JSON.stringify({ nonce }) });
    if (!answer.ok) return failed();
    const { ephemeral_key_secret: ephemeralKeySecret } = await answer.json();
    const elements = stripe.elements();
    for (const what of ['Number', 'Expiry', 'Cvc']) {
      const shown = { issuingCard: card, nonce, ephemeralKeySecret };
      elements.create('issuingCard' + what + 'Display', shown).mount('#card-' + what.toLowerCase());
    }
  } catch { failed(); }
})();
`);

interface Page {
  readonly card: string;
  readonly publishableKey: string;
  /** Where the script exchanges its nonce. */
  readonly exchange: string;
  /** That of the policy. */
  readonly nonce: string;
}

export const cardPage = ({ card, publishableKey, exchange, nonce }: Page): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Card details</title><style>${STYLE}</style></head>
<body><h1>Card details</h1><p id="failed" hidden>The card cannot be shown now. Ask for a new link.</p>
<dl><dt>Number</dt><dd id="card-number"></dd><dt>Expires</dt><dd id="card-expiry"></dd>
<dt>CVV</dt><dd id="card-cvc"></dd></dl>
<script src="https://js.stripe.com/v3/"></script>
<script nonce="${nonce}" data-key="${publishableKey}" data-card="${card}" data-exchange="${exchange}">${SCRIPT}</script>
</body></html>
`.text;

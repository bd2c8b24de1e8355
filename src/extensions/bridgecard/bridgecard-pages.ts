import { html, Html } from '../../core/text/html';

// https://docs.bridgecard.co/reference/api-reference/misc, "Get card details using Token", as of 2026-11-25: a token
// that the API makes for one card shows it at the relay, to whoever has it and without a key.

/** Only the one script of the page runs, and it may ask the relay. */
export const policyOf = (nonce: string, relayUrl: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `connect-src ${new URL(relayUrl).origin}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE = new Html(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;' +
    'color:#1b1b1b;background:#fff}' +
    'dt{color:#595959;font-size:.85rem}dd{margin:0 0 1rem;font:1.25rem ui-monospace,monospace;min-height:1.5rem}',
);

/** The token stands behind the `#`: it is taken out of the address before it is used. */
const SCRIPT = new Html(`
(async () => {
  const { relay } = document.currentScript.dataset;
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  try {
    const answer = await fetch(relay + '?token=' + encodeURIComponent(token), { referrerPolicy: 'no-referrer' });
    const { data } = await answer.json();
    if (!answer.ok || !data.card_number) throw new Error('no card');
    show('card-number', String(data.card_number).replace(/(.{4})(?=.)/g, '$1 '));
    show('card-expiry', data.expiry_month + '/' + data.expiry_year);
    show('card-cvc', data.cvv);
  } catch { document.getElementById('failed').hidden = false; }
})();
`);

/** `nonce`: that of the policy. */
export const cardPage = ({ relayUrl, nonce }: { readonly relayUrl: string; readonly nonce: string }): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Card details</title><style>${STYLE}</style></head>
<body><h1>Card details</h1><p id="failed" hidden>The card cannot be shown now. Ask for a new link.</p>
<dl><dt>Number</dt><dd id="card-number"></dd><dt>Expires</dt><dd id="card-expiry"></dd>
<dt>CVV</dt><dd id="card-cvc"></dd></dl>
<script nonce="${nonce}" data-relay="${new URL('cards/get_card_details_from_token', relayUrl).href}">${SCRIPT}</script>
</body></html>
`.text;

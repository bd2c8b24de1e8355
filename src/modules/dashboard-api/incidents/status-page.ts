import { type Html, html } from '../../../core/text/html';
import { timeOf } from '../../../core/http/ids';
import type { Incident, IncidentUpdate } from './incidents.service';

const document = (title: string, body: Html): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/status/style.css">
<link rel="alternate" type="application/json" href="/status.json">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;

/** What everybody may know: whether it works, what does not, and how it was before. */
export function statusPage(incidents: readonly Incident[], days: number): string {
  const open = incidents.filter(({ endedAt }) => endedAt === null);
  const over = incidents.filter(({ endedAt }) => endedAt !== null);
  const heading =
    open.length === 0 ? 'Everything works' : open.length === 1 ? 'One open incident' : `${open.length} open incidents`;
  return document(
    `${heading} · Duka`,
    html`<h1 class="${open.length === 0 ? 'well' : 'unwell'}">${heading}</h1>
${open.map((incident) => shown(incident, 'h2'))}
<h2>The last ${String(days)} days</h2>
${over.length === 0 ? html`<p class="soft">No other incidents.</p>` : over.map((incident) => shown(incident, 'h3'))}
<p class="soft">All times are UTC. The same for programs: <a href="/status.json">status.json</a>.</p>`,
  );
}

function shown({ title, products, networks, startedAt, endedAt, updates }: Incident, level: 'h2' | 'h3'): Html {
  const concerned = [...products.map((product) => product.replaceAll('_', ' ')), ...networks].join(', ');
  return html`<article>
${level === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
<p class="soft">${concerned === '' ? 'Everything' : concerned} · from ${time(startedAt)}${
    endedAt === null ? null : html` to ${time(endedAt)}`
  }</p>
<ul>
${updates.map(update)}
</ul>
</article>
`;
}

const update = ({ id, state, note }: IncidentUpdate): Html =>
  html`<li><strong>${state}</strong> ${time(timeOf(id))}<p>${note}</p></li>
`;

const time = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')}</time>`;

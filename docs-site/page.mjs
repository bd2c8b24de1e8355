// The frame of a page: head, header, sidebar, the page itself with what comes before and after it, its contents.
import { escape } from './markdown.mjs';
import { plainAddress } from './plain.mjs';

const linkTo = (page, name, current) =>
  `<a href="${page.address}"${page.address === current ? ' aria-current="page"' : ''}>${escape(name)}</a>`;

/** Sections with their pages folded away, but for the one that is read; a section of one page is its link. */
const sidebar = (sections, current) =>
  sections
    .map(({ title, pages }) => {
      if (pages.length === 1) return linkTo(pages[0], title, current);
      const isHere = pages.some(({ address }) => address === current);
      const links = pages.map((page) => `<li>${linkTo(page, page.title, current)}</li>`);
      return `<details${isHere ? ' open' : ''}><summary>${escape(title)}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('\n');

function contents(headings) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escape(text)}</a></li>`,
  );
  return `<nav class="contents" aria-labelledby="contents-title"><p id="contents-title">On this page</p><ul>${links.join('')}</ul></nav>`;
}

const step = (rel, label, page) =>
  page ? `<a rel="${rel}" href="${page.address}"><span>${label}</span> ${escape(page.title)}</a>` : '<span></span>';

export function frame({ page, sections, before, after, assets }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · Duka docs</title>
<meta name="color-scheme" content="light dark">
<link rel="alternate" type="text/markdown" href="${plainAddress(page.address)}">
<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.xml">
<link rel="icon" href="${assets['icon.svg']}">
<script src="${assets['theme.js']}"></script>
<link rel="stylesheet" href="${assets['style.css']}">
<script type="module" src="${assets['docs.js']}"></script>
</head>
<body data-search="${assets['search.js']}">
<a class="skip" href="#main">Skip to the page</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="sidebar" aria-label="Pages" hidden>☰</button>
<a class="brand" href="/docs"><img src="${assets['icon.svg']}" alt="" width="24" height="24"> Duka <span>Docs</span></a>
<button type="button" class="search" hidden>Search <kbd>/</kbd></button>
<a class="to-dashboard" href="/dashboard">Dashboard</a>
<button type="button" class="theme" hidden aria-label="Dark or light">◐</button>
</header>
<div class="columns">
<nav id="sidebar" aria-label="Pages of the documentation">
${sidebar(sections, page.address)}
</nav>
<main id="main" tabindex="-1">
<article>
${page.html}
</article>
<nav class="steps" aria-label="Previous and next page">${step('prev', 'Previous', before)}${step('next', 'Next', after)}</nav>
</main>
${contents(page.headings)}
</div>
</body>
</html>
`;
}

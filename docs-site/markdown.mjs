// Markdown as GitHub shows it (tables, anchors of headings), with links that lead within the site.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import MarkdownIt from 'markdown-it';
import { KEY, ORIGIN, WALLET } from './snippets.mjs';

const LANGUAGES = { bash, go, http, json, php, python, sql, typescript };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
const ALIASES = { sh: 'bash', py: 'python', ts: 'typescript', js: 'typescript', javascript: 'typescript' };

export const escape = (text) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]);

/** The parts of a snippet that a page can fill in for its reader. */
const FILLS = { key: KEY, wallet: WALLET, origin: ORIGIN };

export function highlighted(text, language) {
  const name = ALIASES[language] ?? language;
  let html = name in LANGUAGES ? hljs.highlight(text, { language: name }).value : escape(text);
  for (const [what, placeholder] of Object.entries(FILLS))
    html = html.replaceAll(placeholder, `<span class="fill" data-fill="${what}">${placeholder}</span>`);
  return html;
}

/** Scrolled by itself where it is wider than the window, so that a keyboard must reach it. */
export const codeBlock = (text, language, attributes = '') =>
  `<div class="code"${attributes}><pre tabindex="0"><code>${highlighted(text, language)}</code></pre>` +
  '<button type="button" class="copy" hidden>Copy</button></div>\n';

/** As GitHub makes them of headings. */
export function slugOf(heading, taken = new Set()) {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
  let unique = slug;
  for (let number = 1; taken.has(unique); number++) unique = `${slug}-${number}`;
  taken.add(unique);
  return unique;
}

const textOf = (tokens) =>
  tokens
    .map((token) => (token.children ? textOf(token.children) : token.type === 'softbreak' ? ' ' : token.content))
    .join('');

/**
 * A page of markdown as HTML. `resolve` says where a link leads, or null where the site has nothing; `example` gives the
 * HTML of `::: example <operation>`. Also: its headings, and its text by sections for the search.
 */
export function render(markdown, { resolve, example }) {
  const md = new MarkdownIt({ html: false, linkify: false });
  const tokens = md.parse(markdown.replace(/^<!--.*-->$/gm, ''), {});
  const headings = addAnchors(tokens);
  follow(tokens, resolve);
  align(tokens);
  const { rules } = md.renderer;
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.fence = (all, index) => codeBlock(all[index].content, all[index].info.split(/\s/)[0]);
  rules.code_block = (all, index) => codeBlock(all[index].content, '');
  const html = md.renderer
    .render(tokens, md.options, {})
    .replace(/<p>::: example (\w+)<\/p>/g, (_, operation) => example(operation));
  return { html, headings, sections: sectionsOf(tokens) };
}

function addAnchors(tokens) {
  const taken = new Set();
  const headings = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const text = textOf([tokens[index + 1]]);
      const id = slugOf(text, taken);
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag.slice(1)), id, text });
    }
    // A row that begins with a code, as those of errors, can be linked to.
    if (token.type === 'tr_open' && tokens[index + 1]?.type === 'td_open') {
      const first = tokens[index + 2].children ?? [];
      const code =
        first.length === 1 && first[0].type === 'code_inline' && /^[a-z]+(?:_[a-z]+)*$/.test(first[0].content);
      if (code && !taken.has(first[0].content)) {
        taken.add(first[0].content);
        token.attrSet('id', first[0].content);
      }
    }
  });
  return headings;
}

function follow(tokens, resolve) {
  for (const token of tokens) {
    if (token.children) follow(token.children, resolve);
    if (token.type === 'image') {
      const { src, ...size } = resolve(token.attrGet('src'));
      Object.entries({ src, loading: 'lazy', ...size }).forEach(([name, value]) => token.attrSet(name, String(value)));
    }
    if (token.type !== 'link_open') continue;
    const target = resolve(token.attrGet('href'));
    if (target !== null) token.attrSet('href', target);
    // What is in the repository only: its name is all that the site can tell.
    else dropLink(tokens, token);
  }
}

/** Figures stand at the right by a class: styles in place are forbidden. */
function align(tokens) {
  for (const token of tokens) {
    const style = token.attrGet?.('style');
    if (!style) continue;
    token.attrs = token.attrs.filter(([name]) => name !== 'style');
    token.attrJoin('class', style.replace('text-align:', ''));
  }
}

function dropLink(tokens, token) {
  const close = tokens.slice(tokens.indexOf(token)).find(({ type }) => type === 'link_close');
  for (const part of [token, close])
    Object.assign(part, { type: 'text', tag: '', nesting: 0, attrs: null, content: '' });
}

/** A measured one, or where a test is, which nobody searches for: `34,035`, `1503 ms`, `2 of 17`. */
const FIGURE = /^[\d.,]+ ?(?:ms|s|%|kB|MB|GB)$|^\d[\d,]*[.,]\d+$|^\d+ of \d+$|^`(?:src|test)\/\S+\.ts`$/;

/** What the search looks through: each heading, and each row that can be linked to, with the text below it. */
function sectionsOf(tokens) {
  const sections = [];
  let inRow = null;
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open')
      sections.push({ id: token.attrGet('id'), title: textOf([tokens[index + 1]]), text: '' });
    if (token.type === 'tr_open' && token.attrGet('id'))
      inRow = { id: token.attrGet('id'), title: token.attrGet('id'), text: '' };
    if (token.type === 'tr_close' && inRow) {
      sections.splice(-1, 0, inRow);
      inRow = null;
    }
    const isHeading = tokens[index - 1]?.type === 'heading_open';
    const section = inRow ?? sections.at(-1);
    if (!section || isHeading) return;
    if (token.type === 'inline' && !FIGURE.test(token.content)) section.text += `${textOf([token])} `;
    if (token.type === 'fence') section.text += `${token.content} `;
  });
  return sections;
}

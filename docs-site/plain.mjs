// The pages as Markdown, for programs that read: the file itself with links that lead within the site, and what the site
// makes as HTML made into Markdown.
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ENTITIES[name]);
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Where the Markdown of a page stands: beside it. */
export const plainAddress = (address) => (address === '/docs' ? '/docs/index.md' : `${address}.md`);

/** A link to a page as one to its Markdown. */
function plainLink(href) {
  const [path, hash] = href.split('#');
  const isPage = /^\/docs(?:\/|$)/.test(path) && !path.startsWith('/docs/assets/');
  if (!isPage) return href;
  // Operations have names there, and headings here.
  return plainAddress(path) + (hash && !path.startsWith('/docs/reference') ? `#${hash}` : '');
}

/** A file, but for what only the repository has, and with what `::: example <operation>` and `::: scenarios` stand for. */
export function plainFile(markdown, { resolve, example, scenarios }) {
  const code = /(^```.*?^```$|`[^`\n]+`)/ms;
  return markdown
    .replace(/^<!--.*-->\n?/gm, '')
    .split(code)
    .map((part, index) => (index % 2 === 1 ? part : followed(part, resolve)))
    .join('')
    .replace(/^::: example (\w+)$/gm, (_, operation) => plainHtml(example(operation)))
    .replace(/^::: scenarios$/m, () => plainHtml(scenarios));
}

// A text in brackets may have been split at its code: only what stands between `](` and `)` is looked at.
const followed = (text, resolve) =>
  text.replace(/\]\(([^)\s]+)\)/g, (_, href) => {
    const target = resolve(href);
    return target === null ? ']' : `](${typeof target === 'string' ? plainLink(target) : target.src})`;
  });

/** Stands around the numbers of what is made last. */
const MARK = '\uE000';

/** What reference.mjs and scenarios.mjs write. */
export function plainHtml(html) {
  const blocks = [];
  const kept = (text) => `${MARK}${blocks.push(text) - 1}${MARK}`;
  const text = html
    .replace(/<div class="languages".*?<\/div>/gs, '')
    .replace(/<button.*?<\/button>/gs, '')
    .replace(/<div class="code"([^>]*)><pre[^>]*><code>(.*?)<\/code><\/pre>/gs, (_, attributes, code) =>
      kept(fenced(/data-language="(\w+)"/.exec(attributes)?.[1] ?? 'json', code)),
    )
    .replace(/<div class="table"[^>]*><table>(.*?)<\/table><\/div>/gs, (_, rows) => kept(table(rows)))
    .replace(/<h(\d)[^>]*>(.*?)<\/h\1>/gs, (_, level, title) => `\n\n${'#'.repeat(Number(level))} ${inline(title)}\n\n`)
    .replace(/<summary>(.*?)<\/summary>/gs, (_, title) => `\n\n${inline(title)}:\n\n`)
    .replace(/<p class="address"><span class="method">(\w+)<\/span>/g, '<p><code>$1</code>')
    .replace(/<p[^>]*>(.*?)<\/p>/gs, (_, words) => `\n\n${inline(words)}\n\n`)
    .replace(/<\/?(?:section|div|details)[^>]*>/g, '');
  return text
    .replace(/\uE000(\d+)\uE000/g, (_, index) => `\n\n${blocks[Number(index)]}\n\n`)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const fenced = (language, html) =>
  `\`\`\`${language === 'curl' ? 'sh' : language}\n${unescaped(html.replace(/<[^>]*>/g, '')).trimEnd()}\n\`\`\``;

function table(html) {
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell]) => inline(cell).replaceAll('|', '\\|')),
  );
  const [head, ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${'---|'.repeat(rows[0].length)}`, ...rest].join('\n');
}

const inline = (html) =>
  oneLine(
    unescaped(
      html
        .replace(/<a href="#[^"]*">(.*?)<\/a>/gs, '$1')
        .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href, text) => `[${text}](${plainLink(href)})`)
        .replace(/<code>(.*?)<\/code>/gs, '`$1`')
        .replace(/<[^>]*>/g, ''),
    ),
  );

/** https://llmstxt.org: what there is, with a sentence about each. */
export function llmsTxt({ title, description, sections }) {
  const lists = sections.map(({ title: heading, optional, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${plainAddress(page.address)}): ${page.about}`);
    return `## ${optional ? 'Optional' : heading}\n\n${lines.join('\n')}\n`;
  });
  const [about, ...notes] = description.split('\n\n');
  return `# ${title}\n\n> ${about}\n\n${[...notes, NOTES].join('\n\n')}\n\n${lists.join('\n')}`;
}

const NOTES = `Whatever changes something takes an \`Idempotency-Key\`: send the same one when a request is sent again.

Every page is there as Markdown, at its address with \`.md\`. The whole interface as one file: [OpenAPI 3.1](/openapi.json).`;

const ABOUT_LENGTH_MIN = 60;

/** What a page is about: its first paragraph, by sentences until they say something. */
export function aboutOf(markdown) {
  const paragraph = markdown.split(/\n{2,}/).find((block) => /^(?!```)[\w`*["“/]/.test(block)) ?? '';
  const sentences = oneLine(paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')).split(/(?<=[.?!])\s+(?=[A-Z`])/);
  let about = '';
  for (const sentence of sentences) if (about.length < ABOUT_LENGTH_MIN) about += ` ${sentence}`;
  return about
    .trim()
    .replaceAll('*', '')
    .replace(/[:.]?$/, '.');
}

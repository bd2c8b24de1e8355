// Builds the site into dist/: a page per file of markdown and per resource of the OpenAPI document, what they need under
// names that carry a hash, and what the search looks through. Fails at a link that leads nowhere.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, posix } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { changelogFeed } from './feed.mjs';
import { frame } from './page.mjs';
import { render } from './markdown.mjs';
import { aboutOf, llmsTxt, plainAddress, plainFile, plainHtml } from './plain.mjs';
import { openapi } from './calls.mjs';
import { exampleHtml, referencePages } from './reference.mjs';
import { scenarioTables } from './scenarios.mjs';
import { addressOf, ALSO, ROOT, SECTIONS } from './site.mjs';

const HERE = import.meta.dirname;
const DIST = join(HERE, 'dist');
/** Written beside and put in its place at the end: who reads meanwhile sees the site of before. */
const NEXT = join(HERE, 'node_modules', '.next');
const files = SECTIONS.flatMap((section) => section.files);
const addresses = new Map(files.map((file) => [file, addressOf(file)]));
/** Folders that are linked to, and what stands for them. */
const FOLDERS = {
  'docs/api': '/docs/reference',
  'docs/guides': addressOf('docs/guides/add-a-provider.md'),
  'docs/decisions': '/docs/decisions',
  'README.md': '/docs',
};

function checkThatAllAreReached() {
  const written = readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'));
  const missing = written.filter((file) => !addresses.has(file));
  if (missing.length > 0) throw new Error(`site.mjs does not name ${missing.join(', ')}`);
}

function write(path, content) {
  mkdirSync(dirname(join(NEXT, path)), { recursive: true });
  writeFileSync(join(NEXT, path), content);
  if (!/\.(?:js|css|html|svg|json|md|txt|atom)$/.test(path)) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  writeFileSync(join(NEXT, `${path}.br`), brotliCompressSync(content, quality));
  writeFileSync(join(NEXT, `${path}.gz`), gzipSync(content));
}

/** Adds a file under a name that carries its hash; tells its address. */
function addAsset(name, content) {
  const hash = createHash('sha256')
    .update(content)
    .digest('base64url')
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 10);
  const extension = extname(name);
  const path = `assets/${basename(name, extension)}-${hash}${extension}`;
  if (!existsSync(join(NEXT, path))) write(path, content);
  return `/docs/${path}`;
}

/** Width and height of a PNG: with them the page does not jump when it arrives. */
const sizeOf = (png) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** Where a link of a file leads on the site; an image with its size. */
function resolver(file) {
  return (href) => {
    if (/^(?:https?:|mailto:|#|\/(?!\/))/.test(href)) return href;
    const [path, hash] = href.split('#');
    const target = posix.join(posix.dirname(file), decodeURIComponent(path)).replace(/\/$/, '');
    const address = addresses.get(target) ?? FOLDERS[target];
    if (address) return hash ? `${address}#${hash}` : address;
    if (!existsSync(join(ROOT, target))) throw new Error(`${file} links to ${href}, which is not there`);
    if (extname(target) !== '.png') return null;
    const content = readFileSync(join(ROOT, target));
    return { src: addAsset(basename(target), content), ...sizeOf(content) };
  };
}

function markdownPage(file) {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/^---\n.*?^---\n/ms, '');
  const page = render(text, { resolve: resolver(file), example: exampleHtml });
  const plain = plainFile(text, { resolve: resolver(file), example: exampleHtml, scenarios: scenarioTables() });
  const title = page.headings[0]?.text ?? basename(file, '.md');
  return {
    ...page,
    html: page.html.replace('<p>::: scenarios</p>', scenarioTables),
    plain,
    about: aboutOf(plain),
    address: addresses.get(file),
    title,
    also: ALSO[file] ?? '',
  };
}

function readSections(postman) {
  return SECTIONS.map(({ title, files: own, reference, optional }) => {
    const pages = reference
      ? referencePages().map((page) => ({
          ...page,
          html: page.html.replace('@postman', postman),
          address: `/docs/${page.path}`,
          also: '',
        }))
      : own.map(markdownPage);
    return { title, optional, pages };
  });
}

/** `/docs/a#b` must be there, with that anchor. */
function checkLinks(pages) {
  const anchors = new Map(
    pages.map(({ address, html }) => [
      address,
      new Set(['main', ...[...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
    ]),
  );
  const dead = pages.flatMap(({ address, html }) =>
    [...html.matchAll(/ href="([^"]+)"/g)]
      .map(([, href]) => href)
      .filter((href) => href.startsWith('#') || (/^\/docs(?:[/#]|$)/.test(href) && !href.startsWith('/docs/assets/')))
      .filter((href) => {
        const [path, hash] = href.split('#');
        const there = anchors.get(path || address);
        return !there || (hash && !there.has(decodeURIComponent(hash)));
      })
      .map((href) => `${address} → ${href}`),
  );
  if (dead.length > 0) throw new Error(`links that lead nowhere:\n${dead.join('\n')}`);
}

/** Says in short what other pages tell, or is tables of figures: of these only headings are found. Pages, or parts. */
const BY_HEADINGS = new Set([
  '/docs/changelog',
  '/docs/benchmarks',
  '/docs/budget',
  '/docs/migrations',
  '/docs/reliability#the-gauntlet',
  '/docs/reliability#what-notices-a-missing-protection',
]);

/** One entry a heading: address, heading, page, what else it is called, text. */
const searchEntries = (sections) =>
  sections.flatMap(({ title, pages }) => pages.flatMap((page) => entriesOf(page, title)));

function entriesOf({ address, title, also, headings, sections }, section) {
  const inner = new Set(headings.filter(({ level }) => level > 1).map(({ id }) => id));
  return sections.map(({ id, title: heading, text }, index) => ({
    url: index === 0 && !inner.has(id) ? address : `${address}#${id}`,
    heading,
    page: title,
    section,
    also: index === 0 ? also : '',
    text: BY_HEADINGS.has(address) || BY_HEADINGS.has(`${address}#${id}`) ? '' : text.replace(/\s+/g, ' ').trim(),
  }));
}

const read = (path) => readFileSync(join(HERE, path));

function addScripts(sections) {
  const minisearch = addAsset(
    'minisearch.js',
    read('node_modules/minisearch/dist/es/index.js')
      .toString()
      .replace(/^\/\/# sourceMappingURL.*$/m, ''),
  );
  const entries = addAsset('entries.json', JSON.stringify(searchEntries(sections)));
  const search = read('client/search.js')
    .toString()
    .replace('@minisearch', minisearch.replace('/docs/assets', '.'))
    .replace('@entries', entries);
  const scripts = { 'search.js': addAsset('search.js', search) };
  const docs = read('client/docs.js')
    .toString()
    .replace('@fill-in', addAsset('fill-in.js', read('client/fill-in.js')));
  scripts['docs.js'] = addAsset('docs.js', docs);
  for (const name of ['theme.js', 'style.css']) scripts[name] = addAsset(name, read(`client/${name}`));
  scripts['icon.svg'] = addAsset('icon.svg', readFileSync(join(ROOT, 'dashboard/public/icon.svg')));
  return scripts;
}

checkThatAllAreReached();
rmSync(NEXT, { recursive: true, force: true });
const postman = addAsset(
  'duka.postman_collection.json',
  readFileSync(join(ROOT, 'docs/api/duka.postman_collection.json')),
);
const sections = readSections(postman);
const pages = sections.flatMap((section) => section.pages);
checkLinks(pages);
const assets = addScripts(sections);
pages.forEach((page, index) => {
  const path = page.address === '/docs' ? 'index.html' : `${page.address.slice('/docs/'.length)}.html`;
  write(path, frame({ page, sections, before: pages[index - 1], after: pages[index + 1], assets }));
  write(plainAddress(page.address).slice('/docs/'.length), `${page.plain ?? plainHtml(page.html)}\n`);
});
write('llms.txt', llmsTxt({ ...openapi.info, sections }));
// The service has it at /docs/changelog.xml; by this name it gets its type.
write(
  'changelog.atom',
  changelogFeed(
    pages.find(({ address }) => address === '/docs/changelog'),
    statSync(join(ROOT, 'CHANGELOG.md')).mtime,
  ),
);
rmSync(DIST, { recursive: true, force: true });
renameSync(NEXT, DIST);

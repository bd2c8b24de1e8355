// The search: an index made in the browser, when it is first asked for, from what the build wrote down of each page.
import MiniSearch from '@minisearch';

const SMALL = new Set(
  'a about all an and any are as at be by can do does for from get has have how i if in into is it its me my of on one or our so that the their there this to up us was what when where which who why will with you your'.split(
    ' ',
  ),
);

/** A word as the index knows it: without an ending that says nothing; null for one that is in every sentence. */
function termOf(word) {
  const term = word.toLowerCase();
  if (SMALL.has(term) || term.length < 2) return null;
  return term.length > 4 ? term.replace(/(?:ing|ed|es|s|e)$/, '') : term.replace(/s$/, '');
}

const LESS = { 'Change it': 0.3, Companies: 0.7 };

export function createSearch(entries) {
  const index = new MiniSearch({
    fields: ['heading', 'page', 'also', 'text'],
    storeFields: ['url', 'heading', 'page', 'section', 'text'],
    processTerm: termOf,
    searchOptions: {
      boost: { heading: 4, also: 3, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { fuzzy: 0.2, prefix: 0.4 },
      // Who asks wants to use it, far more often than to change it.
      boostDocument: (_id, _term, { section }) => LESS[section] ?? 1,
    },
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  /** The best places, of each page at most two. */
  return (question) => {
    const ofPage = new Map();
    return index.search(question).filter(({ page }) => {
      ofPage.set(page, (ofPage.get(page) ?? 0) + 1);
      return ofPage.get(page) <= 2;
    });
  };
}

const SHOWN = 12;
let shown = null;

async function build() {
  const entries = await (await fetch('@entries')).json();
  const find = createSearch(entries);
  const dialog = document.createElement('dialog');
  dialog.className = 'finder';
  dialog.setAttribute('aria-label', 'Search');
  dialog.innerHTML =
    '<input type="search" role="combobox" aria-label="Search the documentation" aria-controls="found" aria-expanded="false" autocomplete="off" placeholder="Search: webhooks, refund, insufficient_funds…">' +
    '<ul id="found" role="listbox" aria-label="Results"></ul><p role="status"></p>';
  document.body.append(dialog);
  const [input, list, status] = dialog.children;
  let chosen = 0;

  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute('aria-selected', String(index === chosen)));
    const item = list.children[chosen];
    if (item) input.setAttribute('aria-activedescendant', item.id);
    else input.removeAttribute('aria-activedescendant');
    item?.scrollIntoView({ block: 'nearest' });
  };
  const show = () => {
    const results = find(input.value).slice(0, SHOWN);
    list.replaceChildren(...results.map(itemOf));
    chosen = 0;
    input.setAttribute('aria-expanded', String(results.length > 0));
    const count = results.length === 1 ? '1 result' : `${results.length} results`;
    status.textContent = input.value.trim() === '' ? '' : results.length === 0 ? 'Nothing found.' : count;
    mark();
  };
  const go = () => {
    const url = list.children[chosen]?.dataset.url;
    if (!url) return;
    dialog.close();
    location.assign(url);
  };
  input.addEventListener('input', show);
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.children.length > 0) chosen = (chosen + step + list.children.length) % list.children.length;
    if (step) mark();
    if (event.key === 'Enter') go();
    if (step || event.key === 'Enter') event.preventDefault();
  });
  list.addEventListener('click', ({ target }) => {
    chosen = [...list.children].indexOf(target.closest('li'));
    go();
  });
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  return { dialog, input };
}

function itemOf({ url, heading, page, section, text }, index) {
  const item = document.createElement('li');
  item.id = `found-${index}`;
  item.setAttribute('role', 'option');
  item.dataset.url = url;
  const place = page === heading ? section : `${section} › ${page}`;
  for (const [name, content] of Object.entries({ strong: heading, small: place, span: text.slice(0, 140) })) {
    const part = document.createElement(name);
    part.textContent = content;
    item.append(part);
  }
  return item;
}

export async function open() {
  shown ??= build();
  const { dialog, input } = await shown;
  dialog.showModal();
  input.select();
}

// What a page does beside being read: colours, menu, language of examples, copying, filling in, and the search when it is
// asked for.
const root = document.documentElement;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const store = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds for this page then.
  }
};

for (const part of all('[hidden]')) part.hidden = false;

document.querySelector('.theme').addEventListener('click', () => {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  store('mantine-color-scheme-value', root.dataset.theme);
});

const menu = document.querySelector('.menu');
menu.addEventListener('click', () => {
  const isOpen = menu.getAttribute('aria-expanded') === 'true';
  menu.setAttribute('aria-expanded', String(!isOpen));
  document.body.classList.toggle('menu-open', !isOpen);
});

function choose(language) {
  root.dataset.language = language;
  for (const button of all('[data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset.choose === language));
}
choose(root.dataset.language);

async function copy(button) {
  const code = button.parentElement.querySelector('code');
  await navigator.clipboard.writeText(code.textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button?.dataset.choose) {
    // What was pressed stays where it is: examples above may become longer or shorter.
    const before = button.getBoundingClientRect().top;
    choose(button.dataset.choose);
    store('duka-docs-language', button.dataset.choose);
    scrollBy(0, button.getBoundingClientRect().top - before);
  }
  if (button?.matches('.copy')) void copy(button);
  if (button?.matches('.fill-in')) void import('@fill-in').then(({ open }) => open(fill));
  if (button?.matches('.search')) void search();
});

/** Puts into all examples what is known of the reader. It is kept for this tab, and goes nowhere. */
function fill() {
  const known = { origin: location.origin };
  try {
    for (const name of ['key', 'wallet']) known[name] = sessionStorage.getItem(`duka-docs-${name}`);
  } catch {
    // The placeholders stay.
  }
  for (const part of all('[data-fill]')) {
    part.dataset.placeholder ??= part.textContent;
    const value = known[part.dataset.fill];
    part.textContent = value ?? part.dataset.placeholder;
    part.classList.toggle('filled', Boolean(value));
  }
}
fill();

const search = () => import(document.body.dataset.search).then(({ open }) => open());

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!isAsked || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  void search();
});

document.querySelector('#sidebar [aria-current]')?.scrollIntoView({ block: 'center' });

/** Text that is HTML already. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/** Text as it is, for HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Part = Html | readonly Html[] | string | null;

/** A template whose values are escaped, unless `html` made them. Safe for text and for attributes in double quotes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, string, i) => text + textOf(parts[i - 1]!) + string));

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return part.map(({ text }) => text).join('');
}

import { escapeHtml } from '../text/html';

const ROW = /^\| `(\w+)` \|(.+)\|$/;

/** `docs/errors.md` as a page: a heading, what stands above the table, and a row per code that a problem's `type` points to. */
export function errorPage(markdown: string): string {
  const lines = markdown.split('\n').filter(Boolean);
  const [title = '', ...intro] = lines.filter((line) => !line.startsWith('|'));
  const [head = ''] = lines.filter((line) => line.startsWith('|'));
  const heading = toHtml(title.replace(/^# /, ''));
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${heading}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
  td, th { border-bottom: 1px solid #8886; padding: .4rem .8rem; text-align: left; vertical-align: top }
  tr:target { background: #fd06 }
</style>
<h1>${heading}</h1>
<p>${toHtml(intro.join(' '))}</p>
<table>
<tr>${cells('th', head)}</tr>
${lines.map(toRow).join('')}</table>
</html>
`;
}

function toRow(line: string): string {
  const code = ROW.exec(line)?.[1];
  return code === undefined ? '' : `<tr id="${code}">${cells('td', line)}</tr>\n`;
}

const cells = (tag: string, line: string): string =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => `<${tag}>${toHtml(cell.trim())}</${tag}>`)
    .join('');

const toHtml = (text: string): string => escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');

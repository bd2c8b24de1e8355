// What the values of the sandbox do, as its own answer tells it.
import { exampleOf } from './calls.mjs';
import { escape } from './markdown.mjs';

const VALUES = [
  'suffix',
  'evidence',
  'label',
  'phone',
  'outcome',
  'customer_identifier',
  'last_name',
  'account_number',
  'name',
];

const words = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');
const inline = (text) => escape(String(text)).replace(/`([^`]*)`/g, '<code>$1</code>');

function rowsOf(rows) {
  const told = rows.filter((row) => row.description);
  if (told.length === 0) return '';
  const cells = told.map((row) => {
    const name = VALUES.find((field) => row[field] !== undefined);
    const value = name ? row[name] : Object.values(row).find((field) => typeof field === 'string');
    return `<tr><td><code>${inline(value)}</code></td><td>${inline(row.description)}</td></tr>`;
  });
  return `<div class="table" tabindex="0"><table><thead><tr><th>Value</th><th>What happens</th></tr></thead><tbody>${cells.join('')}</tbody></table></div>`;
}

function partOf([name, part]) {
  if (typeof part !== 'object' || part === null) return '';
  const lists = Array.isArray(part) ? [part] : Object.values(part).filter(Array.isArray);
  const tables = lists.map(rowsOf).join('');
  if (!tables) return '';
  return `<h3>${words(name)}</h3>\n${part.description ? `<p>${inline(part.description)}</p>` : ''}${part.pattern ? `<p><code>${inline(part.pattern)}</code></p>` : ''}${tables}\n`;
}

export function scenarioTables() {
  const { answer } = exampleOf('list_sandbox_scenarios').calls.at(-1);
  return Object.entries(answer).map(partOf).join('');
}

// Part of `npm run format`: where a page names a file and shows it in a block below, the block is the file as it is; where
// names stand behind the file (`file.ts`: `one`, `Class.method`), it is what the file declares under them.
// With --check it only says which pages show something else.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const QUOTED = /^`([\w./-]+)`(?:: (`[\w.]+`(?:, `[\w.]+`)*))?\n\n```(\w+)\n(.*?)^```$/gms;

for (const page of globSync('docs/**/*.md')) {
  const text = readFileSync(page, 'utf8');
  const fresh = text.replace(QUOTED, (whole, file, names, language) => {
    if (!existsSync(file)) return whole;
    const [head] = whole.split('\n', 1);
    const source = readFileSync(file, 'utf8');
    const shown = names ? names.replaceAll('`', '').split(', ').map(declaredIn(file, source)).join('\n') : source;
    return `${head}\n\n\`\`\`${language}\n${shown}\`\`\``;
  });
  if (fresh === text) continue;
  if (!process.argv.includes('--check')) writeFileSync(page, fresh);
  else {
    console.error(`${page} shows what is not in the repository: run \`npm run format\`.`);
    process.exitCode = 1;
  }
}

/** A declaration, or a method, with the comment above it, as far to the left as it goes. */
function declaredIn(file, source) {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return (path) => {
    let found = { members: parsed.statements };
    for (const name of path.split('.')) found = (found?.members ?? []).find((node) => isCalled(node, name));
    if (!found) throw new Error(`${file} declares no ${path}`);
    const text = found.getFullText().replace(/^\s*\n/, '');
    const [indent] = /^ */.exec(text);
    return `${text.trimEnd().replaceAll(`\n${indent}`, '\n').trimStart()}\n`;
  };
}

function isCalled(node, name) {
  return (node.name ?? node.declarationList?.declarations[0].name)?.text === name;
}

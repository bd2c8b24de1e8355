// Part of `npm run format`: where a page names a file and shows it in a block below, the block is the file as it is.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';

const QUOTED = /^`([\w./-]+)`\n\n```(\w+)\n(.*?)^```$/gms;

for (const page of globSync('docs/**/*.md')) {
  const text = readFileSync(page, 'utf8');
  const fresh = text.replace(QUOTED, (whole, file, language) =>
    existsSync(file) ? `\`${file}\`\n\n\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\`` : whole,
  );
  if (fresh !== text) writeFileSync(page, fresh);
}

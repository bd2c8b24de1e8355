/** What somebody is told by mail, as the code says it. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** `path`: below the address of the service. */
  readonly link?: { readonly label: string; readonly path: string };
}

/** A letter as it is sent. */
export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

const STYLE = 'font-family:sans-serif;line-height:1.5';

/** `origin`: where links of the service begin. */
export function contentOf({ subject, paragraphs, link }: Letter, origin: string): Content {
  const url = link && origin + link.path;
  const lines = paragraphs.map((text) => `<p>${escaped(text)}</p>`);
  if (url !== undefined) lines.push(`<p><a href="${escaped(url)}">${escaped(link!.label)}</a></p>`);
  return {
    subject,
    text: [...paragraphs, ...(url === undefined ? [] : [`${link!.label}:\n${url}`])].join('\n\n') + '\n',
    html: `<!doctype html><html lang="en"><body style="${STYLE}">${lines.join('')}</body></html>`,
  };
}

/**
 * A name that somebody chose, for a letter to somebody else: without what could make it a link or a sentence.
 */
export const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{M}\p{N} '&-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 60);

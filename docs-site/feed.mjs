// The changelog as an Atom feed: an entry a version, and one for what is unreleased while no version is. Addresses are
// relative, as the site does not know where it will be served.
import { createHash } from 'node:crypto';
import { escape } from './markdown.mjs';

/** Names the feed for ever, and with a version its entry. */
const FEED_ID = '6060562b-ca5c-45cd-aa38-215db9e19e6e';

/** A UUID of version 5. */
function idOf(version) {
  const namespace = Buffer.from(FEED_ID.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(version).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `page` is the changelog as a page; `changedAt` is when what is unreleased was last written to. */
export function changelogFeed({ address, html }, changedAt) {
  const sections = html.split(/(?=<h2 )/).flatMap((text) => {
    const [heading, anchor, version, date] = /^<h2 id="([^"]*)">\[([^\]]+)\](?: - ([\d-]+))?<\/h2>/.exec(text) ?? [];
    if (heading === undefined) return [];
    return [
      { anchor, version, at: date ? new Date(date) : changedAt, isReleased: !!date, html: text.slice(heading.length) },
    ];
  });
  const released = sections.filter(({ isReleased }) => isReleased);
  const shown = released.length > 0 ? released : sections;
  const entries = shown.map(
    ({ anchor, version, at, html: content }) => `<entry>
<title>${escape(version)}</title>
<id>urn:uuid:${idOf(version)}</id>
<link rel="alternate" type="text/html" href="${address}#${anchor}"/>
<updated>${at.toISOString()}</updated>
<content type="html">${escape(content.trim())}</content>
</entry>
`,
  );
  const [latest = changedAt] = shown.map(({ at }) => at).sort((a, b) => b - a);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>Changelog of Duka</title>
<id>urn:uuid:${FEED_ID}</id>
<author><name>Duka</name></author>
<link rel="self" type="application/atom+xml" href="/docs/changelog.xml"/>
<link rel="alternate" type="text/html" href="${address}"/>
<updated>${latest.toISOString()}</updated>
${entries.join('')}</feed>
`;
}

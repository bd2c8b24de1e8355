import { probeEnv } from '../../../test/support/http-probe';
import { type Page, Pages } from './pages';

const pages = new Pages(probeEnv());
const OWNER = { accountId: '01900000-0000-7000-8000-00000000000a', livemode: true };
const ROWS = Array.from({ length: 45 }, (_, index) => String(index));

const read = (page: Page) => {
  const start = page.after === null ? 0 : ROWS.indexOf(page.after[0]!) + 1;
  return page.of(
    ROWS.slice(start, start + page.take),
    (row) => row,
    (row) => [row],
  );
};
const cursorOf = (filters: object = {}) => read(pages.open(OWNER, 'things', { limit: 2, ...filters })).next_cursor!;

describe('pages', () => {
  it('lead to the end, each row once', () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const list = read(pages.open(OWNER, 'things', { limit: 20, cursor }));
      seen.push(...list.data);
      cursor = list.next_cursor;
      expect(list).toMatchObject({ object: 'list', has_more: cursor !== null });
    }
    expect(seen).toEqual(ROWS);
  });

  it('end with a page that is just full', () =>
    expect(pages.open(OWNER, 'things', { limit: 2 }).of(['1', '2'], String, () => [])).toMatchObject({
      has_more: false,
      next_cursor: null,
    }));

  it('may change their size on the way', () =>
    expect(pages.open(OWNER, 'things', { limit: 50, cursor: cursorOf() }).after).toEqual(['1']));

  it.each([
    ['another account', { ...OWNER, accountId: '01900000-0000-7000-8000-00000000000b' }, 'things', {}],
    ['the other mode', { ...OWNER, livemode: false }, 'things', {}],
    ['another list', OWNER, 'others', {}],
    ['other filters', OWNER, 'things', { status: 'failed' }],
  ])('refuse the cursor of %s', (_, caller, list, filters) =>
    expect(() => pages.open(caller, list, { limit: 2, cursor: cursorOf(), ...filters })).toThrow('cursor is not one'),
  );

  it('refuse a cursor that was touched', () => {
    const cursor = cursorOf();
    const touched = [...cursor].map(
      (char, at) => cursor.slice(0, at) + (char === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    for (const wrong of [...touched, '', 'x', `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.slice(0, 22)]) {
      expect(() => pages.open(OWNER, 'things', { limit: 2, cursor: wrong })).toThrow('cursor is not one');
    }
  });

  it('keep their filters in any order', () => {
    const cursor = cursorOf({ a: '1', b: new Date(0) });
    expect(pages.open(OWNER, 'things', { limit: 2, cursor, b: new Date(0), a: '1' } as never).after).toEqual(['1']);
  });
});

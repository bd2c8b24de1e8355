import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { live, onLiveEvents } from '../session/live-state';

const AGAIN_MS = 2_000;

interface Identified {
  readonly id?: string;
}

/** A page of a list of the API. */
export interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor?: string | null;
  /** Rows of all pages, where the list says it. */
  readonly total?: number;
}

/** What a list has at its top now, beside what is shown of it. */
export interface NewRows {
  readonly count: number;
  /** More than a page of them. */
  readonly isMore: boolean;
  readonly show: () => void;
}

interface Watched<Page> {
  readonly key: readonly unknown[];
  /** The first page. */
  readonly read: () => Promise<Page>;
  /** First words of the types of events after which the list is looked at; empty: of none. */
  readonly words: readonly string[];
}

/**
 * After events looks at the top of a list: rows that are shown get their new state, those that are not are counted.
 * Nothing moves until the person asks for it.
 */
export function useNewRows<Row, Page extends AnyPage<Row>>({ key, read, words }: Watched<Page>): NewRows | null {
  const queries = useQueryClient();
  const [top, setTop] = useState<{ readonly name: string; readonly page: Page } | null>(null);
  const name = JSON.stringify(key);
  const wanted = words.join(' ');
  const latest = useRef({ key, read });
  useEffect(() => {
    latest.current = { key, read };
  });
  useEffect(() => {
    if (wanted === '') return;
    const heard = new Set(wanted.split(' '));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const look = async () => {
      if (live.get().status === 'paused') {
        timer = undefined;
        return;
      }
      const page = await latest.current.read().catch(() => null);
      timer = undefined;
      if (page === null || isGone) return;
      const { key: shown } = latest.current;
      queries.setQueryData<InfiniteData<Page>>(shown, (data) => data && withStateOf(page, data));
      setTop({ name, page });
    };
    const stop = onLiveEvents((events) => {
      const isAbout = heard.has('*') || events.some(({ type }) => heard.has(type.split('.')[0] ?? ''));
      if (isAbout) timer ??= setTimeout(() => void look(), AGAIN_MS / 2);
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop();
    };
  }, [queries, name, wanted]);
  const show = useCallback(() => {
    if (top === null) return;
    const { key: shown } = latest.current;
    queries.setQueryData(shown, { pages: [top.page], pageParams: [undefined] });
    setTop(null);
    // Sums of the same rows.
    void queries.invalidateQueries({ queryKey: shown.slice(0, 2), predicate: ({ meta }) => meta?.live !== true });
    scrollTo({ top: 0 });
  }, [queries, top]);
  if (top === null || top.name !== name) return null;
  const known = idsOf<Row>(queries.getQueryData<InfiniteData<Page>>(key)?.pages ?? []);
  const count = top.page.data.filter((row) => !known.has(idOf(row))).length;
  return count === 0 ? null : { count, isMore: count === top.page.data.length && Boolean(top.page.next_cursor), show };
}

const idOf = (row: unknown): string | undefined => (row as Identified).id;

const idsOf = <Row>(pages: readonly AnyPage<Row>[]): ReadonlySet<string | undefined> =>
  new Set(pages.flatMap(({ data }) => data.map(idOf)));

/** The same rows in the same places, as they are now. */
function withStateOf<Page extends AnyPage<unknown>>(top: Page, shown: InfiniteData<Page>): InfiniteData<Page> {
  const now = new Map(top.data.map((row) => [idOf(row), row]));
  const pages = shown.pages.map((page) => ({ ...page, data: page.data.map((row) => now.get(idOf(row)) ?? row) }));
  return { ...shown, pages };
}

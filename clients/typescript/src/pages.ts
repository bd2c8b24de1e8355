export interface Page<T> {
  readonly data: T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A list: `for await` goes through all of its rows, and `page()` fetches the first of its pages only. */
export class Pages<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | null) => Promise<Page<T>>) {}

  page(): Promise<Page<T>> {
    return this.fetchPage(null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: Page<T> = await this.fetchPage(cursor);
      yield* page.data;
      cursor = page.has_more ? page.next_cursor : null;
    } while (cursor !== null);
  }
}

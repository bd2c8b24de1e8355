import { until } from './recurring-probe';

/** A message of a stream. `name` is `event` for what happened. */
export interface Told {
  readonly name: string;
  readonly id: string | null;
  readonly data: { id?: string; type?: string; object?: string; reason?: string };
}

/** Reads `GET /dashboard/api/stream` as a browser does. */
export class LiveStream {
  readonly told: Told[] = [];
  comments = 0;
  isOver = false;
  private rest = '';
  private readonly stopping = new AbortController();

  private constructor(readonly response: Response) {}

  static async open(
    url: string,
    token: string | null,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<LiveStream> {
    const stopping = new AbortController();
    const response = await fetch(`${url}/dashboard/api/stream${query}`, {
      headers: { 'sec-fetch-site': 'same-origin', ...(token && { cookie: `session=${token}` }), ...headers },
      signal: stopping.signal,
    });
    const stream = new LiveStream(response);
    stopping.signal.addEventListener('abort', () => (stream.isOver = true));
    Object.assign(stream, { stopping });
    if (response.status === 200) void stream.read();
    return stream;
  }

  get status(): number {
    return this.response.status;
  }

  /** Types of what happened, in the order in which it was told. */
  get types(): (string | undefined)[] {
    return this.events.map(({ data }) => data.type);
  }

  get events(): Told[] {
    return this.told.filter(({ name }) => name === 'event');
  }

  /** Where a browser would go on. */
  get lastId(): string {
    return this.told.findLast(({ id }) => id !== null)!.id!;
  }

  async ready(): Promise<this> {
    await until(() => this.told.some(({ name }) => name === 'ready'));
    return this;
  }

  async over(): Promise<Told | undefined> {
    await until(() => this.isOver);
    return this.told.at(-1);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await until(() => this.isOver);
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response.body!) this.take(decoder.decode(bytes, { stream: true }));
    } catch {
      // Cut by the test, or by the end of the process.
    }
    this.isOver = true;
  }

  private take(text: string): void {
    const messages = (this.rest + text).split('\n\n');
    this.rest = messages.pop()!;
    for (const lines of messages) {
      if (lines.startsWith(':')) this.comments++;
      else this.told.push(messageOf(lines));
    }
  }
}

function messageOf(lines: string): Told {
  const fields = new Map(
    lines
      .split('\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(' ') + 1)]),
  );
  return { name: fields.get('event')!, id: fields.get('id') ?? null, data: JSON.parse(fields.get('data')!) as object };
}

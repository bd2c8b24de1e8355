import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { answerOf, eventOf, requestOf } from './duka-api';
import { type Answer, type Ask, type End, FORM, type Heard, isOrder, type Kind, type Line, type Lost } from './form';

const ANSWER_MAX_MS = 30_000;

/** Microseconds of a clock that all processes of a machine share, and that nobody sets. */
const now = (): number => Number(process.hrtime.bigint() / 1_000n);

/**
 * Writes a history to a file as it happens, and keeps nothing of it in memory: it can run for hours, and whoever is killed leaves what
 * was written.
 */
export class Recorder {
  private readonly file: WriteStream;
  private ops = 0;

  /** `name`: begins the names of its requests; of several that record at once, each has its own. */
  constructor(
    path: string,
    private readonly name = 'r',
  ) {
    this.file = createWriteStream(path);
    this.write({ history: FORM });
  }

  client(name: string, place: Place): RecordingClient {
    return new RecordingClient(this, name, place);
  }

  /** The body of a webhook, as the receiver `told` got it. */
  told(told: string, account: string, body: object): void {
    const event = eventOf(body);
    if (event !== null) this.write({ at: now(), told, account, event });
  }

  nextOp(): string {
    return `${this.name}${++this.ops}`;
  }

  write(line: Line): void {
    this.file.write(`${JSON.stringify(line)}\n`);
  }

  /** Clients wait here while the disk is behind. */
  async room(): Promise<void> {
    if (this.file.writableNeedDrain) await once(this.file, 'drain');
  }

  /** `whole`: what was read until nothing more came. */
  async end(whole: End['end']): Promise<void> {
    this.write({ at: now(), end: whole });
    await new Promise<void>((done) => this.file.end(done));
  }
}

/** Where a client sends to, and with whose key. */
export interface Place {
  readonly url: () => string;
  readonly key: string;
  /** A name for whose key it is. */
  readonly account: string;
}

export type Outcome = Heard | Lost;

/** No answer, or one that leaves open what happened: to be sent again under its key. */
export const isOpen = (outcome: Outcome): boolean =>
  'lost' in outcome ||
  outcome.heard >= 500 ||
  [408, 429].includes(outcome.heard) ||
  outcome.code === 'request_in_progress';

/** A wrapper of `fetch` that notes what it sends and hears. */
export class RecordingClient {
  constructor(
    private readonly recorder: Recorder,
    readonly name: string,
    private readonly place: Place,
  ) {}

  /** Sends once. Reads have no key. */
  async send(
    kind: Kind,
    ask: Ask,
    { key = randomUUID(), cursor, answerMaxMs = ANSWER_MAX_MS }: Sending = {},
  ): Promise<Outcome & { next?: string | null }> {
    const { recorder, place, name } = this;
    await recorder.room();
    const op = recorder.nextOp();
    const { method, path, body } = requestOf(kind, ask, key, cursor);
    const named = isOrder(kind) ? { key } : {};
    recorder.write({ at: now(), op, client: name, account: place.account, sent: kind, ...named, ask });
    try {
      const response = await fetch(place.url() + path, {
        method,
        headers: {
          authorization: `Bearer ${place.key}`,
          prefer: 'wait=1',
          ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(answerMaxMs),
      });
      const heard = (await response.json()) as any;
      return this.heard(kind, op, response.status, heard);
    } catch (error) {
      const line = { at: now(), op, lost: codeOf(error) };
      recorder.write(line);
      return line;
    }
  }

  private heard(kind: Kind, op: string, status: number, body: any): Heard & { next?: string | null } {
    const said = status < 300 ? { answer: answerOf(kind, body) } : { code: body.code };
    const line: Heard = { at: now(), op, heard: status, ...said };
    this.recorder.write(line);
    return { ...line, next: body.next_cursor };
  }

  /** Sends the same again under the same key until the outcome is known. `rest`: waits before each time but the first. */
  async settle(
    kind: Kind,
    ask: Ask,
    rest: () => Promise<unknown>,
    sending: Sending = {},
  ): Promise<Heard & { next?: string | null }> {
    const same = { key: randomUUID(), ...sending };
    for (;;) {
      const outcome = await this.send(kind, ask, same);
      if (!isOpen(outcome)) return outcome as Heard;
      await rest();
    }
  }

  /** What there is. Throws when it is refused. */
  async read(
    kind: Kind,
    ask: Ask,
    rest: () => Promise<unknown>,
    cursor?: string,
  ): Promise<{ answer: Answer; next?: string | null }> {
    const { answer, next, heard, code } = await this.settle(kind, ask, rest, { cursor });
    if (answer === undefined) throw new Error(`${kind}: ${heard} ${code} (${JSON.stringify(ask)}, ${cursor})`);
    return { answer, next };
  }

  /** All entries of a wallet, or its transactions, page by page. */
  async walk(kind: 'entries' | 'transactions', wallet: string, rest: () => Promise<unknown>): Promise<void> {
    const walk = randomUUID();
    let [cursor, before] = [undefined as string | undefined, undefined as number | undefined];
    do {
      const { answer, next } = await this.read(kind, { wallet, walk, ...(before && { before }) }, rest, cursor);
      before = answer.entries?.at(-1)?.sequence;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }

  /** What is in the feed behind `cursor`; returns where to go on. */
  async follow(reader: string, rest: () => Promise<unknown>, from?: string): Promise<string | undefined> {
    for (let cursor = from; ;) {
      const { answer, next } = await this.read('events', { reader }, rest, cursor);
      cursor = next ?? cursor;
      if (answer.more !== true) return cursor;
    }
  }
}

export interface Sending {
  readonly key?: string;
  readonly cursor?: string;
  readonly answerMaxMs?: number;
}

function codeOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { DukaError, signWebhook } from '@duka/client';
import { say, type Session, sessionOf, wholeNumber } from './command.js';
import { keep, readKept, VERSION } from './profiles.js';
import { mayPass, Refused, Usage } from './refusals.js';
import { EVENT_TYPES } from './table.js';

const PAGE = 100;
const WAIT_SECONDS = 30;
const RECEIVER_TIMEOUT_MS = 15_000;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 5_000;

type Page = Awaited<ReturnType<ReturnType<Session['duka']['events']['list']>['page']>>;
type Event = Page['data'][number];

/** Where a listener stands among the events of one mode of an account. */
interface Place {
  readonly account: string;
  readonly mode: string;
  /** The first event that was of interest was not older. Cursors are good only for it. */
  readonly since: string | null;
  /** Null: before the first one. */
  readonly cursor: string | null;
  /** The last one behind the cursor that is done. */
  readonly done: string | null;
}

/** What a profile keeps for it. */
interface Kept {
  readonly secret: string;
  readonly place: Place | null;
}

interface Wanted {
  readonly forwardTo: string;
  readonly events: readonly string[];
  readonly from?: string;
  readonly retries: number;
}

/** What a receiver made of an event. `status` null: it did not answer in time. */
interface Attempt {
  readonly status: number | null;
  readonly ms: number;
}

/** A cursor with the moment that it belongs to, as it is printed and as `--from` takes it. */
const textOf = ({ cursor, since }: Place): string => `${cursor ?? ''}@${since ?? ''}`;

function parsePlace(text: string): Pick<Place, 'cursor' | 'since' | 'done'> {
  const [, cursor, since] = /^([\w-]*)@([\dTZ:.+-]*)$/.exec(text) ?? [];
  if (cursor === undefined) throw new Usage('--from takes now, last, or a cursor that this command has printed.');
  return { cursor: cursor || null, since: since || null, done: null };
}

const isMeant = (pattern: string, type: string): boolean =>
  pattern === '*' || type === pattern || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

function requireKnown(patterns: readonly string[]): void {
  const unknown = patterns.find((pattern) => !EVENT_TYPES.some((type) => isMeant(pattern, type)));
  if (unknown !== undefined)
    throw new Usage(`${unknown} is neither a type of events nor a pattern such as transaction.* or *.`);
}

/** Forwards events one by one, in the order of their commits. An event is done when the receiver has answered. */
class Listener {
  private readonly file: string;
  private readonly end = new AbortController();
  private kept: Kept;
  private place!: Place;
  private isAway = false;

  constructor(
    private readonly session: Session,
    private readonly wanted: Wanted,
  ) {
    if (!/^https?:$/.test(URL.parse(wanted.forwardTo)?.protocol ?? ''))
      throw new Usage('--forward-to takes an address such as http://localhost:3000/hooks');
    requireKnown(wanted.events);
    this.file = `listen-${session.profile}.json`;
    this.kept = readKept<Kept>(this.file) ?? { secret: `whsec_${randomBytes(24).toString('base64')}`, place: null };
  }

  async run(): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => this.end.abort());
    try {
      await this.begin();
      for (;;) await this.takePage();
    } catch (error) {
      if (!this.end.signal.aborted) throw error;
    }
    say(`\nStopped. Go on with --from last, or --from ${textOf(this.place)}`);
  }

  private async begin(): Promise<void> {
    const { forwardTo, events, from } = this.wanted;
    const { id: account, mode, name } = await this.patiently(() => this.session.duka.account.get(this.call()));
    const { place } = this.kept;
    const known = place?.account === account && place.mode === mode ? place : null;
    if (from === 'last' && known === null)
      throw new Refused('no_cursor', 'This profile has not listened to this account yet.');
    if (from !== undefined && from !== 'now' && from !== 'last') this.place = { account, mode, ...parsePlace(from) };
    else this.place = from !== 'now' && known !== null ? known : { account, mode, ...(await this.now()) };
    this.keepPlace();
    const ready = { object: 'listening', account, mode, secret: this.kept.secret, cursor: textOf(this.place) };
    if (this.session.json) console.log(JSON.stringify(ready));
    else {
      say(`Webhook secret: ${this.kept.secret}`);
      say(`${events.join(', ')} of ${name} (${mode}) → ${forwardTo}. Ctrl-C ends it.\n`);
    }
  }

  /** Behind all that there is. */
  private async now(): Promise<Pick<Place, 'cursor' | 'since' | 'done'>> {
    const newest = await this.patiently(() => this.session.duka.events.list({ limit: 1 }, this.call()).page());
    const since = newest.data[0]?.created_at ?? null;
    for (let cursor: string | null = null; ;) {
      const page = await this.patiently(() => this.fetch(since, cursor, 0));
      cursor = page.next_cursor;
      if (!page.has_more) return { cursor, since, done: null };
    }
  }

  private async takePage(): Promise<void> {
    const { since, cursor, done } = this.place;
    const page = await this.patiently(() => this.fetch(since, cursor, done === null ? WAIT_SECONDS : 0));
    // Of a page that was begun, those before are done; the order of a page does not change.
    for (const event of page.data.slice(page.data.findIndex(({ id }) => id === done) + 1)) {
      if (this.wanted.events.some((pattern) => isMeant(pattern, event.type))) await this.forward(event);
      this.keepPlace({ done: event.id });
    }
    this.keepPlace({ cursor: page.next_cursor, done: null });
  }

  private fetch(since: string | null, cursor: string | null, wait: number): Promise<Page> {
    const query = {
      order: 'asc' as const,
      limit: PAGE,
      ...(since && { created_gte: since }),
      ...(cursor && { after: cursor }),
    };
    return this.session.duka.events.list(query, { ...this.call(), wait }).page();
  }

  private readonly call = () => ({ signal: this.end.signal, maxRetries: 0 });

  /** Until the service answers; refusals that will stay are thrown. */
  private async patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await ask();
        if (this.isAway) say('The service answers again.');
        this.isAway = false;
        return answer;
      } catch (error) {
        if (DukaError.is(error, 'invalid_cursor'))
          throw new Refused(
            'invalid_cursor',
            'The place where it stopped is good no more. Begin anew with --from now.',
          );
        if (!mayPass(error) || this.end.signal.aborted) throw error;
        if (!this.isAway) say(`The service does not answer (${error.message}) Trying again; nothing is lost.`);
        this.isAway = true;
        const asked = error instanceof DukaError ? (error.retryAfter ?? 0) * 1_000 : 0;
        await sleep(Math.max(asked, pauseMs(tries)), undefined, this.end);
      }
    }
  }

  private async forward(event: Event): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const made = await this.post(event, attempt);
      this.report(event, made, attempt);
      const isTaken = made.status !== null && made.status >= 200 && made.status < 300;
      if (isTaken || attempt > this.wanted.retries) return;
      await sleep(pauseMs(attempt), undefined, this.end);
    }
  }

  /** Waits for a receiver that is not there: nobody has refused the event. */
  private async post(event: Event, attempt: number): Promise<Attempt> {
    for (let tries = 0; ; tries++) {
      const startedAt = Date.now();
      try {
        const status = await this.send(event, attempt);
        return { status, ms: Date.now() - startedAt };
      } catch (error) {
        this.end.signal.throwIfAborted();
        if (error instanceof Error && error.name === 'TimeoutError')
          return { status: null, ms: Date.now() - startedAt };
        if (tries === 0)
          say(
            `Nobody answers at ${this.wanted.forwardTo} (${reasonOf(error)}). Is your receiver running? ${event.id} waits for it.`,
          );
        await sleep(pauseMs(tries), undefined, this.end);
      }
    }
  }

  private async send(event: Event, attempt: number): Promise<number> {
    const body = JSON.stringify(event);
    const response = await fetch(this.wanted.forwardTo, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `duka-cli/${VERSION}`,
        ...(await signWebhook(body, { id: event.id, secret: this.kept.secret })),
        'webhook-event-type': event.type,
        'webhook-attempt': String(attempt),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([this.end.signal, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  }

  private report({ id, type, created_at }: Event, { status, ms }: Attempt, attempt: number): void {
    const at = new Date().toISOString();
    const line = { object: 'forwarded', at, id, type, created_at, status, ms, attempt };
    if (this.session.json) console.log(JSON.stringify(line));
    else console.log([at.slice(11, 19), type.padEnd(26), id, status ?? 'no answer in 15 s', `${ms} ms`].join('  '));
  }

  private keepPlace(change: Partial<Place> = {}): void {
    this.place = { ...this.place, ...change };
    this.kept = { ...this.kept, place: this.place };
    keep(this.file, this.kept);
  }
}

const pauseMs = (tries: number): number => Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** tries);

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (cause as NodeJS.ErrnoException).code ?? String((cause as Error).message);
}

export function addListen(program: Command): void {
  const command = program
    .command('listen')
    .description(
      'Forward events to a receiver on your machine, signed as real deliveries are. What happened while it was stopped comes first, in order; an event that was under way when it stopped may come twice.',
    )
    .requiredOption('--forward-to <url>', 'your receiver, such as http://localhost:3000/hooks')
    .option(
      '--events <list>',
      'types and patterns by commas, such as transaction.*,wallet.credited',
      (text) => text.split(','),
      ['*'],
    )
    .option('--from <place>', 'now, last (where it stopped), or a cursor that it has printed; last where there is one')
    .option('--retries <n>', 'how often an event that the receiver refuses is sent again', wholeNumber(0, 100), 0);
  command.action(() => new Listener(sessionOf(command), command.opts<Wanted>()).run());
}

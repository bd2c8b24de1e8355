import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { say, type Session, sessionOf, wholeNumber } from './command.js';
import { plain } from './output.js';
import { mayPass } from './refusals.js';

const LOOK_EVERY_MS = 1_000;
/** A request is in the log once it is answered, and an answer may be held back for half a minute. */
const LATE_MS = 60_000;
const PAGE = 100;

type Query = NonNullable<Parameters<Session['duka']['requestLogs']['list']>[0]>;
type Logged = Awaited<ReturnType<Session['duka']['requestLogs']['get']>>;

function show({ json }: Session, logged: Logged): void {
  if (json) return console.log(JSON.stringify(logged));
  const { created_at: at, status, method, path, duration_ms: ms, error_code: code, id } = logged;
  const time = at.slice(0, 19).replace('T', ' ');
  const facts = [time, status, method.padEnd(6), plain(path), `${ms} ms`, code, id];
  console.log(facts.filter((fact) => fact !== null).join('  '));
}

/** Shows requests as they are answered, each once, those of before not. */
class Tail {
  private readonly end = new AbortController();
  private readonly startedAt = Date.now();
  /** Shown, or of before; with when they began. */
  private readonly known = new Map<string, number>();
  private isAway = false;

  constructor(
    private readonly session: Session,
    private readonly filters: Query,
  ) {}

  async run(): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => this.end.abort());
    say('Requests as they are answered. Ctrl-C ends it.\n');
    while (!this.end.signal.aborted) {
      await this.look().catch((error: unknown) => this.bear(error));
      await sleep(LOOK_EVERY_MS, undefined, this.end).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const since = Math.max(this.startedAt, Date.now() - LATE_MS);
    const found: Logged[] = [];
    const query = { ...this.filters, limit: PAGE, created_gte: new Date(since).toISOString() };
    for await (const logged of this.session.duka.requestLogs.list(query, { signal: this.end.signal, maxRetries: 0 }))
      if (!this.known.has(logged.id)) found.push(logged);
    if (this.isAway) say('The service answers again.');
    this.isAway = false;
    for (const logged of found.reverse()) {
      this.known.set(logged.id, Date.parse(logged.created_at));
      show(this.session, logged);
    }
    for (const [id, at] of this.known) if (at < since) this.known.delete(id);
  }

  /** What will pass is waited for. */
  private bear(error: unknown): void {
    if (this.end.signal.aborted) return;
    if (!mayPass(error)) throw error;
    if (!this.isAway) say(`The service does not answer (${error.message}) Trying again.`);
    this.isAway = true;
  }
}

const filtersOf = ({ status, method, path, key, error }: Record<string, string | undefined>): Query => ({
  ...(status && { status }),
  ...(method && { method: method.toUpperCase() as NonNullable<Query['method']> }),
  ...(path && { path }),
  ...(key && { key_id: key }),
  ...(error && { error_code: error }),
});

const filtered = (command: Command): Command =>
  command
    .option('--status <status>', 'a status such as 404, or a class such as 4xx')
    .option('--method <method>', 'GET, POST, …')
    .option('--path <text>', 'a part of the path')
    .option('--key <id>', 'only of this key')
    .option('--error <code>', 'only refused with this code');

export function addLogs(program: Command): void {
  const command = filtered(program.command('logs'))
    .description("The requests of your account's keys, newest last. `duka request-logs get <id>` has the answer.")
    .option('--limit <n>', 'how many', wholeNumber(1, PAGE), 20);
  command.action(async () => {
    const session = sessionOf(command);
    const { limit, ...filters } = command.opts<{ limit: number }>();
    const { data } = await session.duka.requestLogs.list({ ...filtersOf(filters), limit }).page();
    for (const logged of data.toReversed()) show(session, logged);
  });
  const tail = filtered(command.command('tail')).description('Follow them.');
  // An option before `tail` is of `logs`.
  tail.action(() => new Tail(sessionOf(tail), filtersOf({ ...command.opts(), ...tail.opts() })).run());
}

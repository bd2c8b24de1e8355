import { Command, CommanderError } from 'commander';
import { DomainError } from '../core/errors/domain-error';
import type { Lifetime } from '../core/process/lifetime';
import { CannotStart } from '../core/errors/cannot-start';
import { Session } from './session';

/** What a command has to say. */
export interface Report {
  /** For people. */
  readonly text: string;
  /** For programs, with `--json`. */
  readonly json: object;
  /** The command did its work, and what it found is bad. */
  readonly failed?: boolean;
  /** It is noted, and nothing is done until a second person orders the same. */
  readonly waits?: boolean;
}

/**
 * Exit codes: 0 done, 1 refused or failed, 2 asked in a way that the command does not understand, 3 noted until a
 * second person orders the same.
 */
const [DONE, FAILED, USAGE, WAITS] = [0, 1, 2, 3];

/** A command with its options. Opens a session, says what came of it, and ends the process. */
export class DukaCommand extends Command {
  constructor(
    name: string,
    private readonly lifetime: Lifetime,
  ) {
    super(name);
    this.option('--json', 'answer with one line of JSON').exitOverride(onUsageError);
  }

  does<Options>(act: (session: Session, options: Options) => Promise<Report>): this {
    return this.answers<Options>(async (options, where) => {
      const session = await Session.open(this.lifetime);
      where.database = session.database;
      return act(session, options);
    });
  }

  /** For what needs no database. */
  says<Options>(act: (options: Options, words: readonly string[]) => Report | Promise<Report>): this {
    return this.answers<Options>(async (options, _where, words) => act(options, words));
  }

  private answers<Options>(
    act: (options: Options, where: { database?: string }, words: readonly string[]) => Promise<Report>,
  ): this {
    return this.action(async () => {
      const options = this.opts<Options & { json?: boolean }>();
      const where: { database?: string } = {};
      const report = await act(options, where, this.processedArgs as readonly string[]).catch(reportOf);
      const write = report.failed && !options.json ? console.error : console.log;
      write(options.json ? JSON.stringify({ ...report.json, ...where }) : report.text);
      // Whoever has several must not take one for another.
      if (where.database !== undefined && !options.json) console.error(`\nDatabase ${where.database}`);
      await this.lifetime.end(report.failed ? FAILED : report.waits ? WAITS : DONE);
    });
  }
}

/** A refusal is an answer; anything else is a fault of ours and keeps its stack. */
function reportOf(error: unknown): Report {
  if (error instanceof DomainError) {
    const { code, detail, param = null } = error.details;
    return { failed: true, text: `${detail} (${code})`, json: { error: { code, detail, param } } };
  }
  if (error instanceof CannotStart)
    return { failed: true, text: error.message, json: { error: { code: 'cannot_start', detail: error.message } } };
  throw error;
}

export function onUsageError({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : USAGE);
}

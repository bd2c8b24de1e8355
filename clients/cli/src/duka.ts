#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addCompletion } from './completion.js';
import type { Common } from './command.js';
import { addListen } from './listen.js';
import { addLogin } from './login.js';
import { addLogs } from './logs.js';
import { addOpen } from './open.js';
import { listed, plain } from './output.js';
import { VERSION } from './profiles.js';
import { factsOf, Usage } from './refusals.js';
import { addRoutes } from './routes.js';
import { addTrigger } from './trigger.js';

/** Exit codes: 0 done, 1 refused or failed, 2 asked in a way that the command does not understand. */
const [DONE, FAILED, USAGE] = [0, 1, 2];

const program = new Command('duka')
  .description('Duka at the command line. Keys come from `duka login`, or from DUKA_API_KEY and DUKA_BASE_URL.')
  .version(VERSION, '--version')
  .option('--profile <name>', 'which login is used', 'default')
  .option('--json', 'answer with JSON, for programs')
  .option('--yes', 'do not ask before something is done with a live key')
  .showHelpAfterError('(--help says more)')
  .exitOverride();

for (const add of [addLogin, addListen, addTrigger, addLogs, addOpen, addCompletion, addRoutes]) add(program);

function report(error: unknown): number {
  // What commander has to say is said.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE;
  if (error instanceof Usage) {
    console.error(`duka: ${error.message}`);
    return USAGE;
  }
  const facts = factsOf(error) ?? systemFault(error);
  if (facts === null) throw error;
  if (program.opts<Common>().json) console.log(JSON.stringify({ error: facts }));
  else {
    const { code, message, ...more } = facts;
    console.error(plain(`duka: ${String(message)} (${String(code)})`));
    const text = listed(more);
    if (text !== '') console.error(text);
  }
  return FAILED;
}

/** No room on the disk, a folder that is another's. */
const systemFault = (error: unknown): Record<string, unknown> | null =>
  error instanceof Error && 'syscall' in error ? { code: 'system', message: error.message } : null;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the output has had enough of it.
  if (error.code === 'EPIPE') process.exit(DONE);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

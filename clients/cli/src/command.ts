import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError } from 'commander';
import { type Access, accessOf, clientOf } from './profiles.js';
import { shown } from './output.js';
import { Usage } from './refusals.js';

/** Options that every command has. */
export interface Common {
  readonly profile: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** What a command works with. */
export interface Session extends Common {
  readonly access: Access;
  readonly duka: ReturnType<typeof clientOf>;
}

export function sessionOf(command: Command): Session {
  const common = command.optsWithGlobals<Common>();
  const access = accessOf(common.profile);
  return { ...common, access, duka: clientOf(access) };
}

/** One answer: a table or facts for people, with `--json` a line for programs. */
export function print({ json }: Common, answer: unknown, text = () => shown(answer)): void {
  console.log(json ? JSON.stringify(answer) : text());
}

/** What goes to people beside the answer. */
export const say = (text: string): void => console.error(text);

/** A person must mean it; where there is none, `--yes` must say so. */
export async function confirm(question: string, { yes }: Common): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Usage(`${question} Add --yes if you mean it.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} Type yes: `);
  lines.close();
  if (answer.trim() !== 'yes') throw new Usage('Nothing was done.');
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    if (value < min || value > max) throw new InvalidArgumentError(`It takes a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** All that comes in by stdin. */
export async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

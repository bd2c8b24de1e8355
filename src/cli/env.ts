import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env, type Given, givenSettings, InvalidEnvironment, loadEnv, SECRET_SETTINGS } from '../core/config/env';
import { Settings, type Variable } from '../core/config/settings';
import type { Lifetime } from '../core/process/lifetime';
import { PROJECT } from '../core/process/project';
import { DukaCommand, type Report } from './commands';

/** One setting as it is shown. */
interface Shown {
  readonly name: string;
  /** Null: a setting of the service. */
  readonly team: string | null;
  /** Stars for what is secret; null: nothing is set, and there is no default. */
  readonly value: string | null;
  readonly from: Given['from'] | 'default' | null;
  readonly default: string | null;
  readonly secret: boolean;
}

const STARS = '********';
const EXAMPLE = join(PROJECT, '.env.example');
const TEAMS =
  '\n# Settings of teams, written by `npm run duka -- env --write`. Where none is set, what needs them is off.\n';

export const envCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('env', lifetime)
    .description('list every setting, of the service and of teams: what it is, where from; fails when one is wrong')
    .option('--write', 'write the settings of teams into .env.example')
    .says<{ write?: true }>(({ write }) => {
      if (write) writeFileSync(EXAMPLE, withTeamSection(readFileSync(EXAMPLE, 'utf8')));
      return listSettings();
    }),
];

export function listSettings(): Report {
  const given = givenSettings();
  const faults = faultsOf();
  const settings = [
    ...Object.entries(new Env()).map(([name, value]) =>
      shown(name, null, value === undefined || value === '' ? null : String(value), SECRET_SETTINGS.has(name)),
    ),
    ...Settings.all.flatMap(({ team, variables }) =>
      variables.map(({ name, reader }) => shown(name, team, reader.default, reader.isSecret)),
    ),
  ];
  return {
    failed: faults.length > 0,
    text: [...settings.map(lineOf), '', verdictOn(settings.length, faults)].join('\n'),
    json: { settings, faults },
  };

  function shown(name: string, team: string | null, byDefault: string | null, secret: boolean): Shown {
    const found = given(name);
    const value = found?.value ?? byDefault;
    return {
      name,
      team,
      value: value !== null && secret ? STARS : value,
      from: found?.from ?? (byDefault === null ? null : 'default'),
      default: byDefault,
      secret,
    };
  }
}

/** What a process would not start with. A sandbox makes a key of its own. */
function faultsOf(): readonly string[] {
  try {
    const env = loadEnv({ defaults: { SECRETS_KEY: Buffer.alloc(32).toString('base64') } });
    if (env.DATABASE_URL || env.DATABASE_APP_URL) loadEnv();
    return [];
  } catch (error) {
    if (error instanceof InvalidEnvironment) return error.faults;
    throw error;
  }
}

const lineOf = ({ name, value, from, secret }: Shown): string =>
  `${name.padEnd(32)}  ${(from ?? 'not set').padEnd(11)}  ${secret ? 'secret' : '      '}  ${value ?? ''}`.trimEnd();

const verdictOn = (count: number, faults: readonly string[]): string =>
  faults.length === 0 ? `${count} settings, all in order.` : new InvalidEnvironment(faults).message;

/** `.env.example` with the settings of the teams at its end. */
export function withTeamSection(example: string): string {
  const own = example.split(TEAMS, 1)[0]!;
  const variables = Settings.all.flatMap((settings) => settings.variables);
  return variables.length === 0 ? own : [own, TEAMS, ...variables.map(blockOf)].join('');
}

const blockOf = ({ name, reader }: Variable): string =>
  `\n# ${reader.about ?? `It ${reader.says}`.replace(/[.]?$/, '.')}\n${name}=${reader.default ?? ''}\n`;

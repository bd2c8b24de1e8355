import { inspect } from 'node:util';
import { isURL } from 'class-validator';

/** Reads one setting from its text. */
interface Reader<Value> {
  /** What stands there otherwise: `must be …`. */
  readonly says: string;
  /** A sentence for `.env.example`. */
  readonly about: string | null;
  readonly isSecret: boolean;
  /** As it is written; null: there is none. */
  readonly default: string | null;
  readonly isOptional: boolean;
  /** Undefined: it is not what `says` asks for. */
  readonly read: (text: string) => Value | undefined;
}

interface ReaderOptions {
  /** A sentence for `.env.example`. */
  readonly about?: string;
  /** Counts where the environment says nothing; as it would be written there. */
  readonly default?: string;
}

/** Undefined where the environment says nothing. */
interface Optional extends ReaderOptions {
  readonly optional: true;
}

interface Form<Value> {
  (options?: ReaderOptions): Reader<Value>;
  (options: Optional): Reader<Value | undefined>;
}

const form =
  <Value>(says: string, read: (text: string) => Value | undefined, isSecret = false) =>
  (options: ReaderOptions & Partial<Optional> = {}): Reader<never> => ({
    says: `must be ${says}`,
    about: options.about ?? null,
    isSecret,
    default: options.default ?? null,
    isOptional: options.optional === true,
    read: read as (text: string) => never,
  });

const HTTP = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** `https://…`. A user and password in it would be shown: what is secret is a setting of its own. */
export const url: Form<string> = form('an address (https://…) without user and password', (text) =>
  isURL(text, { ...HTTP, disallow_auth: true }) ? text : undefined,
);

/** Text that is never shown. */
export const secret: Form<string> = form('text without line breaks', asText, true);

export const text: Form<string> = form('text without line breaks', asText);

/** Several texts, with commas between. */
export const list: Form<readonly string[]> = form('texts with commas between', (given) => {
  const parts = given.split(',').map((part) => part.trim());
  return parts.includes('') ? undefined : parts;
});

export const integer: Form<number> = form('a whole number', (given) =>
  /^-?\d{1,15}$/.test(given) ? Number(given) : undefined,
);

export const flag: Form<boolean> = form('true or false', (given) =>
  given === 'true' ? true : given === 'false' ? false : undefined,
);

function asText(given: string): string | undefined {
  return /^[^\r\n\0]+$/.test(given) ? given : undefined;
}

type Readers = Readonly<Record<string, Reader<unknown>>>;
type ValuesOf<All extends Readers> = {
  readonly [Key in keyof All]: All[Key] extends Reader<infer Value> ? Value : never;
};

/** One variable of the environment. */
export interface Variable {
  /** `VTPASS_URL`. */
  readonly name: string;
  readonly reader: Reader<unknown>;
}

interface Reading {
  /** Null: nothing is set, and what needs the settings is not registered. */
  readonly values: object | null;
  /** A line each, without the values. */
  readonly faults: readonly string[];
}

/** What a team set up outside of the code. Also the token under which the values are injected. */
export interface TeamSettings {
  readonly team: string;
  readonly variables: readonly Variable[];
  read(source: NodeJS.ProcessEnv): Reading;
}

/** The values of settings: `constructor(@Inject(SETTINGS) private readonly settings: Of<typeof SETTINGS>)`. */
export type Of<S extends TeamSettings & (abstract new () => unknown)> = InstanceType<S>;

export class Settings {
  private static readonly declared: TeamSettings[] = [];

  /**
   * Settings of a team: `Settings.of('vtpass', { url: url(), key: secret() })` are `VTPASS_URL` and `VTPASS_KEY`. They
   * are checked with those of the service when a process starts. None of them set: what says `when: SETTINGS` is not
   * registered. Some set, and others not: the process does not start.
   */
  static of<All extends Readers>(team: string, readers: All): TeamSettings & (abstract new () => ValuesOf<All>) {
    const variables = Object.entries(readers).map(([key, reader]) => ({ key, name: nameOf(team, key), reader }));
    abstract class Values {
      static readonly team = team;
      static readonly variables = variables;
      static readonly read = (source: NodeJS.ProcessEnv): Reading => readAll(variables, source);
    }
    this.declared.push(Values);
    return Values as unknown as TeamSettings & (abstract new () => ValuesOf<All>);
  }

  /** Of all teams whose code this process has. */
  static get all(): readonly TeamSettings[] {
    return this.declared;
  }

  /** What is wrong with those of all teams, and with their names beside `others`. */
  static faults(source: NodeJS.ProcessEnv, others: readonly string[]): string[] {
    const names = this.declared.flatMap(({ variables }) => variables.map(({ name }) => name));
    const twice = names.filter((name, i) => others.includes(name) || names.indexOf(name) < i);
    return [
      ...[...new Set(twice)].map((name) => `${name} is the name of two settings`),
      ...this.declared.flatMap((settings) => settings.read(source).faults),
    ];
  }
}

const NEEDS = Symbol.for('duka:needs-settings');

/** For decorators with `when`: the class is none of the process without these settings. */
export const needSettings = (settings: TeamSettings | undefined, target: object): void => {
  if (settings) Reflect.defineMetadata(NEEDS, settings, target);
};

/** What a decorator of the class said; null: it needs none. */
export const settingsNeededBy = (target: object): TeamSettings | null =>
  (Reflect.getOwnMetadata(NEEDS, target) as TeamSettings | undefined) ?? null;

/** `vtpass`, `apiKey` → `VTPASS_API_KEY`. */
const nameOf = (team: string, key: string): string =>
  `${team}_${key.replace(/[A-Z]/g, '_$&')}`.replaceAll('-', '_').toUpperCase();

interface Keyed extends Variable {
  readonly key: string;
}

function readAll(variables: readonly Keyed[], source: NodeJS.ProcessEnv): Reading {
  const needed = variables.filter(({ reader }) => reader.default === null && !reader.isOptional);
  // A default that was written down says nothing: whoever copies .env.example has set nothing up.
  const given = variables.find(({ name, reader }) => source[name] && source[name] !== reader.default);
  if (given === undefined && needed.length > 0) return { values: null, faults: [] };
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const { key, name, reader } of variables) {
    const text = source[name] || reader.default;
    if (text !== null) values[key] = reader.read(text);
    else if (!reader.isOptional) faults.push(`${name} must be set, as ${given!.name} is`);
    if (text !== null && values[key] === undefined) faults.push(`${name} ${reader.says}`);
  }
  return { values: faults.length > 0 ? null : guarded(values, variables), faults };
}

/** Logs and errors show an object with all that it holds: secrets show themselves as stars. */
function guarded(values: Record<string, unknown>, variables: readonly Keyed[]): object {
  const shown = () =>
    Object.fromEntries(
      variables.map(({ key, reader }) => [key, reader.isSecret && key in values ? '********' : values[key]]),
    );
  Object.defineProperties(values, { toJSON: { value: shown }, [inspect.custom]: { value: shown } });
  return Object.freeze(values);
}

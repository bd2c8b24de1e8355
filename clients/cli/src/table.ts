import { readFileSync } from 'node:fs';

/** A field of a query or a body, as an option. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'boolean' | 'list' | 'pairs' | 'json';
  readonly required: boolean;
  readonly description: string;
  readonly isAmount: boolean;
  readonly choices?: readonly string[];
}

/** A route of the service, as a command. */
export interface Operation {
  readonly resource: readonly string[];
  readonly name: readonly string[];
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly takesQuery: boolean;
  readonly query: readonly Field[];
  /** Null: it takes none. */
  readonly body: readonly Field[] | null;
  readonly isBodyNeeded: boolean;
  readonly canRunDry: boolean;
  readonly canWait: boolean;
  /** Takes `X-Sandbox-Scenario`. */
  readonly canSteer: boolean;
  readonly isPaged: boolean;
}

/** Made by build.mjs. */
export const { operations: OPERATIONS, events: EVENT_TYPES } = JSON.parse(
  readFileSync(new URL('table.json', import.meta.url), 'utf8'),
) as { operations: readonly Operation[]; events: readonly string[] };

export const camel = ([first, ...rest]: readonly string[]): string =>
  first + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');

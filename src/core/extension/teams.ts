import type { DynamicModule, Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { hasItsSettings } from '../config/env';
import type { Check } from '../database/checks';
import { CannotStart } from '../errors/cannot-start';
import { ID_PREFIXES, type IdPrefix } from '../../vocabulary/id-prefixes';
import { addScope, type ScopeName, SCOPES } from '../../vocabulary/scopes';
import { addEventType, EVENT_TYPES, type EventType, resourceOf } from '../../vocabulary/event-types';

/** What an internal team adds to the service, beside the settings that `Settings.of` declares. */
export interface Team {
  /** The name of its folder. */
  readonly name: string;
  readonly module: Type;
  /** In order. They run with those of the service, sorted by the number in their name. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** What keys may be limited to; declared by merging `TeamScopes`. */
  readonly scopes?: readonly ScopeName[];
  /**
   * Prefixes of public ids, each with the table of its resources, in which account_id, livemode and id are the key:
   * `verify:ledger` looks there for what idempotency keys are bound to. Declared by merging `TeamIdPrefixes`.
   */
  readonly idPrefixes?: Readonly<Partial<Record<IdPrefix, string>>>;
  /** What `verify:ledger` must never find. */
  readonly verifyChecks?: readonly Check[];
  /**
   * Events that webhooks tell of, each with the prefix of what it is about; a method marked `@Presents` shows that.
   * Declared by merging `TeamEventTypes`.
   */
  readonly eventTypes?: Readonly<Partial<Record<EventType, IdPrefix>>>;
}

/** The manifest of a team, `src/extensions/<team>/team.ts`: `extensions.module.ts` lists it. */
export const defineTeam = (team: Team): Team => Object.freeze(team);

type Kind = 'name' | 'migration' | 'scope' | 'id prefix' | 'verify check' | 'event type';

const FORMS: Readonly<Record<Kind, RegExp>> = {
  name: /^[a-z][a-z0-9-]{0,31}$/,
  migration: /^[A-Za-z]\w*\d{13}$/,
  scope: /^[a-z][a-z0-9_.]*:[a-z]+$/,
  'id prefix': /^[a-z]{3,4}$/,
  'verify check': /^[a-z][a-z0-9_]*$/,
  'event type': /^[a-z_]+(?:\.[a-z_]+)+$/,
};
const TABLE = /^[a-z][a-z0-9_]{0,62}$/;

/** Read before a team has added anything. */
const OF_THE_SERVICE: Readonly<Partial<Record<Kind, ReadonlySet<string>>>> = {
  scope: new Set(SCOPES),
  'id prefix': new Set(ID_PREFIXES),
  'event type': new Set(EVENT_TYPES),
};
const RESOURCES: ReadonlySet<string> = new Set(EVENT_TYPES.map(resourceOf));

/**
 * Makes known what teams declare, once for a process. Throws `CannotStart` that names every word that two of them have,
 * or that the service has already.
 */
export function openTeams(teams: readonly Team[]): void {
  const owners = new Map<string, string>();
  const faults = teams.flatMap((team) => [
    ...wordsOf(team).flatMap(([kind, word]) => faultsOf(owners, team.name, kind, word)),
    ...eventFaults(owners, team),
    ...Object.entries(team.idPrefixes ?? {})
      .filter(([, table]) => !TABLE.test(table))
      .map(([prefix]) => `${team.name}: the table of the id prefix "${prefix}" is not the name of a table`),
  ]);
  if (faults.length > 0)
    throw new CannotStart(`The manifests of teams need attention:\n${faults.map((one) => `  - ${one}`).join('\n')}`);
  for (const { scopes = [], eventTypes = {} } of teams) {
    scopes.forEach(addScope);
    for (const [type, prefix] of Object.entries(eventTypes)) addEventType(type as EventType, prefix);
  }
}

const wordsOf = ({ name, migrations, scopes, idPrefixes, verifyChecks, eventTypes }: Team): [Kind, string][] => [
  ['name', name],
  ...of(
    'migration',
    migrations?.map((migration) => migration.name),
  ),
  ...of('scope', scopes),
  ...of('id prefix', Object.keys(idPrefixes ?? {})),
  ...of(
    'verify check',
    verifyChecks?.map((check) => check.name),
  ),
  ...of('event type', Object.keys(eventTypes ?? {})),
];

const of = (kind: Kind, words: readonly string[] = []): [Kind, string][] => words.map((word) => [kind, word]);

function faultsOf(owners: Map<string, string>, team: string, kind: Kind, word: string): string[] {
  const owner = OF_THE_SERVICE[kind]?.has(word) ? 'the service' : owners.get(`${kind} ${word}`);
  owners.set(`${kind} ${word}`, team);
  if (owner === team) return [`${team} has the ${kind} "${word}" twice`];
  if (owner !== undefined) return [`${team} has the ${kind} "${word}", and so has ${owner}`];
  return FORMS[kind].test(word)
    ? []
    : [`${team}: "${word}" has not the form of a team's ${kind}, ${FORMS[kind].source}`];
}

/** All events of a resource are about things of one prefix, and of one team. */
function eventFaults(owners: Map<string, string>, { name, eventTypes = {}, idPrefixes = {} }: Team): string[] {
  return Object.entries(eventTypes).flatMap(([type, prefix]) => {
    const resource = resourceOf(type);
    const owner = RESOURCES.has(resource) ? 'the service' : (owners.get(`events of ${resource}`) ?? name);
    owners.set(`events of ${resource}`, owner);
    if (owner !== name) return [`${name} has the event type "${type}", but events of ${resource} belong to ${owner}`];
    return Object.hasOwn(idPrefixes, prefix)
      ? []
      : [`${name}: "${type}" is about "${prefix}", no id prefix of its own`];
  });
}

/** The team's module. What stands in its providers and lacks its settings is not even made: its place is empty. */
export function moduleOf({ module }: Team): DynamicModule {
  const providers = (Reflect.getMetadata('providers', module) as unknown[] | undefined) ?? [];
  const absent = providers.filter((provider) => typeof provider === 'function' && !hasItsSettings(provider));
  return { module, providers: absent.map((provider) => ({ provide: provider as Type, useValue: null })) };
}

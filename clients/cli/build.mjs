// Makes dist, and puts into node_modules what the package brings along: the client, compiled for it, and commander.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { eventsOf, operationsOf } from '../operations.mjs';

const HERE = import.meta.dirname;
const CLIENT = join(HERE, '../typescript');
const BUNDLED = join(HERE, 'node_modules');
const { resolve } = createRequire(import.meta.url);

/** Options that every command has. */
const TAKEN = ['json', 'profile', 'yes', 'data', 'help', 'wait', 'dry_run', 'idempotency_key', 'scenario'];

const document = JSON.parse(readFileSync(join(HERE, '../../docs/api/openapi.json'), 'utf8'));
const schemaOf = ({ $ref, ...own }) => ($ref === undefined ? own : document.components.schemas[$ref.split('/').at(-1)]);

function kindOf(schema) {
  const one = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const { type, items, additionalProperties } = schemaOf(one);
  const types = [type].flat();
  if (types.includes('array')) return schemaOf(items ?? {}).type === 'string' ? 'list' : 'json';
  if (types.includes('object')) return additionalProperties?.type === 'string' ? 'pairs' : 'json';
  return ['integer', 'boolean'].find((name) => types.includes(name)) ?? 'text';
}

function fieldOf(name, schema, required, description = schema.description ?? '') {
  if (TAKEN.includes(name) || name.startsWith('no_')) throw new Error(`no option can be called ${name}`);
  const choices = schema.enum?.filter((value) => typeof value === 'string');
  const isAmount = kindOf(schema) === 'integer' && /amount|limit_|threshold|fee/.test(name);
  return { name, kind: kindOf(schema), required, description, isAmount, ...(choices && { choices }) };
}

function commandOf(operation) {
  const { path, method, body, isBodyNeeded, resource, name, query, summary, pathParameters } = operation;
  const { canRunDry, canWait, isPaged } = operation;
  const parameters = (document.paths[path][method.toLowerCase()].parameters ?? []).filter(({ $ref }) => !$ref);
  const schema = body === null ? null : document.components.schemas[body];
  const fields = Object.entries(schema?.properties ?? {}).filter(([field]) => field !== 'dry_run');
  return {
    resource,
    name,
    summary,
    method,
    path,
    pathParameters,
    takesQuery: query.some((field) => field !== 'format'),
    query: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.name !== 'format')
      .map(({ name: field, schema: of, required, description }) => fieldOf(field, of, required === true, description)),
    body: schema && fields.map(([field, of]) => fieldOf(field, of, schema.required?.includes(field) === true)),
    isBodyNeeded,
    canRunDry,
    canWait: canWait && method !== 'GET',
    canSteer: parameters.some((parameter) => parameter.name === 'X-Sandbox-Scenario'),
    isPaged,
  };
}

function compile(...args) {
  const { status } = spawnSync(process.execPath, [resolve('typescript/bin/tsc'), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

for (const folder of ['dist', 'node_modules']) rmSync(join(HERE, folder), { recursive: true, force: true });
const client = join(BUNDLED, '@duka/client');
mkdirSync(client, { recursive: true });
cpSync(join(CLIENT, 'package.json'), join(client, 'package.json'));
compile('-p', CLIENT, '--outDir', join(client, 'dist'));
cpSync(dirname(resolve('commander')), join(BUNDLED, 'commander'), { recursive: true });
compile(
  '-p',
  HERE,
  '--noEmit',
  'false',
  '--paths',
  'null',
  '--rootDir',
  join(HERE, 'src'),
  '--outDir',
  join(HERE, 'dist'),
);
const table = { operations: operationsOf(document).map(commandOf), events: eventsOf(document).map(({ type }) => type) };
writeFileSync(join(HERE, 'dist/table.json'), JSON.stringify(table));

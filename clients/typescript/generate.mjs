// Makes src/generated from docs/api/openapi.json and docs/errors.md; --check: says whether it is fresh.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { camel, codesOf, eventsOf, operationsOf, pascal } from '../operations.mjs';
import { emit } from '../emit.mjs';

const HERE = import.meta.dirname;
const OPENAPI = join(HERE, '../../docs/api/openapi.json');

const schema = (name, operation) => (name === null ? `t.${pascal(operation.id.split('_'))}Response` : `t.${name}`);

function answerOf(operation, isDry) {
  const { answers, canRunDry } = operation;
  const dry = answers.filter((name) => name?.startsWith('DryRun'));
  const wanted = isDry && dry.length > 0 ? dry : answers.filter((name) => !canRunDry || !dry.includes(name));
  return wanted.map((name) => schema(name, operation)).join(' | ');
}

function methodOf(operation) {
  const { method, path, pathParameters, body, isBodyNeeded, canRunDry, canWait, query, isQueryNeeded } = operation;
  const type = pascal(operation.id.split('_'));
  const ids = pathParameters.map((name) => `${name}: string`);
  const first = [...ids];
  if (body) first.push(`body${isBodyNeeded ? '' : '?'}: ${canRunDry ? `Wet<t.${body}>` : `t.${body}`}`);
  const isAsked = query.some((name) => name !== 'format');
  if (isAsked) first.push(`query${isQueryNeeded ? '' : '?'}: Query<t.${type}Data['query']>`);
  const options = canWait ? 'WaitOptions' : 'CallOptions';
  const target = pathParameters.reduce((at, name) => at.replace(`{${name}}`, `\${part(${name})}`), path);
  const call = [
    `'${method}'`,
    `\`${target}\``,
    `{ ${[body && 'body', isAsked && 'query', 'options'].filter(Boolean).join(', ')} }`,
  ];
  const about = `  /** ${operation.summary}. \`${method} ${path}\` */`;
  const name = camel(operation.name);
  if (operation.isPaged)
    return `${about}\n  ${name}(${[...first, `options?: ${options}`].join(', ')}): Pages<ItemOf<${answerOf(operation)}>> {
    return this.client.pages(${call.slice(1).join(', ')});\n  }`;
  const run = `return this.client.call(${call.join(', ')});`;
  if (!canRunDry)
    return `${about}\n  ${name}(${[...first, `options?: ${options}`].join(', ')}): Promise<${answerOf(operation)}> {\n    ${run}\n  }`;
  return `${about}
  ${name}(${[...first, `options: ${options} & DryRun`].join(', ')}): Promise<${answerOf(operation, true)}>;
  ${name}(${[...first, `options?: ${options}`].join(', ')}): Promise<${answerOf(operation)}>;
  ${name}(${[...first, `options?: ${options}`].join(', ')}): Promise<unknown> {\n    ${run}\n  }`;
}

function resourcesOf(document) {
  const groups = Map.groupBy(operationsOf(document), ({ resource }) => pascal(resource));
  const classes = [...groups].map(
    ([name, operations]) => `export class ${name} extends Resource {\n${operations.map(methodOf).join('\n\n')}\n}`,
  );
  const fields = [...groups].map(([name]) => `  readonly ${name[0].toLowerCase()}${name.slice(1)}: ${name};`);
  const made = [...groups].map(([name]) => `    this.${name[0].toLowerCase()}${name.slice(1)} = new ${name}(client);`);
  const events = eventsOf(document).map(
    ({ type, object }) => `  '${type}': ${object === null ? 'Record<string, unknown>' : `t.${object}`};`,
  );
  const codes = codesOf(readFileSync(join(HERE, '../../docs/errors.md'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  return `// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.
import type { CallOptions, Client, DryRun, ItemOf, Query, WaitOptions, Wet } from '../client.js';
import type { Pages } from '../pages.js';
import type * as t from './types.gen.js';

export const VERSION = '${version}';

/** Codes of errors that a key can meet; there may be more. */
export type ErrorCode =
${codes.map((code) => `  | '${code}'`).join('\n')};

/** What the object of an event is, by the type of the event. */
export interface EventObjects {
${events.join('\n')}
}

const part = encodeURIComponent;

abstract class Resource {
  constructor(protected readonly client: Client) {}
}

${classes.join('\n\n')}

/** Every resource of the service. */
export abstract class Resources {
${fields.join('\n')}

  constructor(client: Client) {
${made.join('\n')}
  }
}
`;
}

/** Name of a file → what belongs into it. */
async function generated() {
  const folder = mkdtempSync(join(tmpdir(), 'duka-generated-'));
  try {
    const output = { path: folder, entryFile: false, source: false };
    const plugins = ['@hey-api/typescript'];
    await createClient({ input: OPENAPI, output, plugins, logs: { level: 'error' } });
    const types = readFileSync(join(folder, 'types.gen.ts'), 'utf8');
    return { 'types.gen.ts': types, 'resources.gen.ts': resourcesOf(JSON.parse(readFileSync(OPENAPI, 'utf8'))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

emit(join(HERE, 'src/generated'), await generated(), { isWhole: true });

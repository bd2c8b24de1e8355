// Makes src/Generated from docs/api/openapi.json and docs/errors.md; --check: says whether it is fresh.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { camel, codesOf, eventsOf, operationsOf, pascal } from '../operations.mjs';
import { emit } from '../emit.mjs';

const HERE = import.meta.dirname;
const DOCS = join(HERE, '../../docs');
const OUTPUT = join(HERE, 'src/Generated');
const HEAD = `<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\\Generated;
`;

const document = JSON.parse(readFileSync(join(DOCS, 'api/openapi.json'), 'utf8'));
const { schemas } = document.components;

const nameOf = ({ $ref }) => $ref?.split('/').at(-1);
const resolved = ({ $ref, ...own }) =>
  $ref === undefined
    ? own
    : $ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], document);

/** The fields of several schemas together. What a later one says of a field is more exact. */
function fieldsOf(...parts) {
  const properties = {};
  const required = [];
  for (const part of parts.map(resolved).flatMap((whole) => [...(whole.allOf ?? []).map(resolved), whole])) {
    required.push(...(part.required ?? []));
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const before = properties[name] && resolved(properties[name]).properties;
      properties[name] = before && property.properties ? { allOf: [properties[name], property] } : property;
    }
  }
  return { properties, required };
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
const anyOf = (types) => [...new Set(types)].join('|');

/** As PHPDoc says it. */
function typeOf(schema, indent) {
  if (schema.$ref) return nameOf(schema);
  const { type, enum: values, oneOf, anyOf: any, allOf, items, properties, additionalProperties: others } = schema;
  if ('const' in schema) return literal(schema.const);
  if (values) return anyOf(values.map(literal));
  const some = oneOf ?? any;
  if (some && properties) return some.map((one) => shapeOf(fieldsOf(schema, one), indent)).join('|');
  if (some) return anyOf(some.map((one) => typeOf(one, indent)));
  if (allOf?.length === 1 && !properties) return typeOf(allOf[0], indent);
  if (properties || allOf) return shapeOf(fieldsOf(schema), indent);
  const map = `array<string, ${typeof others === 'object' ? typeOf(others, indent) : 'mixed'}>`;
  const words = { integer: 'int', number: 'int|float', boolean: 'bool', object: map };
  return anyOf(
    [type ?? 'mixed'].flat().map((one) => (one === 'array' ? `list<${typeOf(items, indent)}>` : (words[one] ?? one))),
  );
}

function shapeOf({ properties, required }, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)},`;
  });
  return fields.length === 0 ? 'array<string, mixed>' : `array{\n${fields.join('\n')}\n${indent}}`;
}

function typesOf() {
  const types = Object.entries(schemas).map(([name, schema]) => ` * @phpstan-type ${name} ${typeOf(schema, ' * ')}`);
  const events = eventsOf(document).map(({ type }) => `${pascal(type.split(/[._]/))}Event`);
  const unknown = events.find((name) => !(name in schemas));
  if (unknown) throw new Error(`there is no schema ${unknown}`);
  return `${HEAD}
/**
 * What is sent and answered, for analysers and editors.
 *
${types.join('\n')}
 * @phpstan-type WebhookEvent ${events.join('|')}
 */
interface Types
{
}
`;
}

const enumOf = (name, about, values) => `${HEAD}
/** ${about} */
enum ${name}: string
{
${values.map((value) => `    case ${pascal(value.split(/[._]/))} = '${value}';`).join('\n')}
}
`;

/** Names in bodies that are objects: PHP's empty array would be sent as a list. */
function objectsOf() {
  const seen = new Set();
  const found = { object: new Set(), array: new Set() };
  const visit = (schema) => {
    const whole = resolved(schema);
    if (seen.has(whole)) return;
    seen.add(whole);
    const alternatives = ['oneOf', 'anyOf', 'allOf'].flatMap((word) => whole[word] ?? []);
    for (const part of [...alternatives, whole.items, whole.additionalProperties])
      if (part?.constructor === Object) visit(part);
    for (const [name, property] of Object.entries(whole.properties ?? {})) {
      const forms = [property, ...(property.anyOf ?? []), ...(property.oneOf ?? [])].map(resolved);
      for (const type of forms.flatMap((form) => form.type ?? [])) found[type]?.add(name);
      visit(property);
    }
  };
  for (const { body } of operationsOf(document)) if (body) visit(schemas[body]);
  const both = [...found.object].find((name) => found.array.has(name));
  if (both) throw new Error(`${both} is an object here and a list there`);
  return [...found.object].toSorted((one, other) => one.localeCompare(other));
}

/** What a method is given, in PHP and in PHPDoc; needed ones first. */
function parametersOf({ method, path, pathParameters, body, isBodyNeeded, query, isQueryNeeded, canRunDry, canWait }) {
  const asked = (document.paths[path][method.toLowerCase()].parameters ?? [])
    .map(resolved)
    .filter((one) => one.in === 'query' && one.name !== 'format');
  const shape = {
    properties: Object.fromEntries(asked.map(({ name, schema }) => [name, schema])),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
  };
  const given = [
    ...pathParameters.map((name) => [`string $${name}`]),
    body && (isBodyNeeded ? ['array $body', body] : ['?array $body = null', `?${body}`]),
    query.some((name) => name !== 'format') && [
      `array $query${isQueryNeeded ? '' : ' = []'}`,
      shapeOf(shape, '     * '),
    ],
    canRunDry && ['bool $dryRun = false', 'bool', 'nothing is written: the answer is what would be'],
    canWait && ['?int $wait = null', '?int', 'seconds, 0 to 30, that the answer may be held back for a final result'],
    ['?CallOptions $options = null'],
  ];
  return given.filter(Boolean).map(([code, type, about]) => ({ code, type, about, name: /\$\w+/.exec(code)[0] }));
}

function answerOf({ answers, canRunDry, isPaged }) {
  const dry = answers.filter((name) => name.startsWith('DryRun'));
  const wet = anyOf(answers.filter((name) => !canRunDry || !dry.includes(name)));
  if (isPaged) return `Pages<${typeOf(schemas[wet].properties.data.items, '')}>`;
  return canRunDry && dry.length > 0 ? `($dryRun is true ? ${anyOf(dry)} : ${wet})` : wet;
}

function methodOf(operation) {
  const { method, path, summary, isPaged } = operation;
  const parameters = parametersOf(operation);
  const documented = parameters
    .filter(({ type }) => type)
    .map(({ type, name, about }) => `     * @param ${type} ${name}${about ? ` ${about}` : ''}\n`);
  const target = `'${path.replace(/\{(\w+)\}/g, "' . rawurlencode($$$1) . '")}'`.replace(/ \. ''$/, '');
  const named = parameters
    .map(({ name }) => name.slice(1))
    .filter((name) => !operation.pathParameters.includes(name))
    .map((name) => `${name}: $${name}`);
  const call = `${isPaged ? 'pages(' : `call('${method}', `}${[target, ...named].join(', ')})`;
  return `    /**
     * ${summary}. \`${method} ${path}\`
     *
${documented.join('')}     * @return ${answerOf(operation)}
     */
    public function ${camel(operation.name)}(${parameters.map(({ code }) => code).join(', ')}): ${isPaged ? 'Pages' : 'array'}
    {
        return $this->client->${call};
    }`;
}

function classOf(name, operations) {
  const methods = operations.map(methodOf).join('\n\n');
  const words = new Set(methods.match(/\b[A-Z]\w+\b/g));
  const imported = Object.keys(schemas).filter((type) => words.has(type));
  const uses = ['CallOptions', 'Client', operations.some(({ isPaged }) => isPaged) && 'Pages'].filter(Boolean);
  return `${HEAD}
${uses.map((used) => `use Duka\\${used};`).join('\n')}

/**
${imported.map((type) => ` * @phpstan-import-type ${type} from Types`).join('\n')}
 */
final class ${name}
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

${methods}
}
`;
}

function resourcesOf(groups) {
  const { version } = JSON.parse(readFileSync(join(HERE, 'composer.json'), 'utf8'));
  const names = [...groups.keys()];
  const field = (name) => name[0].toLowerCase() + name.slice(1);
  return `${HEAD}
use Duka\\Client;

/** Every resource of the service. */
abstract class Resources
{
    public const VERSION = '${version}';

    /** @internal Fields of bodies that are objects, even when they are empty. */
    public const OBJECTS = [${objectsOf()
      .map((name) => `'${name}'`)
      .join(', ')}];

${names.map((name) => `    public readonly ${name} $${field(name)};`).join('\n')}

    /** @internal */
    public function __construct(Client $client)
    {
${names.map((name) => `        $this->${field(name)} = new ${name}($client);`).join('\n')}
    }
}
`;
}

/** Name of a file → what belongs into it. */
function generated() {
  const groups = Map.groupBy(operationsOf(document), ({ resource }) => pascal(resource));
  const codes = codesOf(readFileSync(join(DOCS, 'errors.md'), 'utf8'));
  const files = {
    'Types.php': typesOf(),
    'ErrorCode.php': enumOf('ErrorCode', 'Codes of errors that a key can meet; there may be more.', codes),
    'EventType.php': enumOf('EventType', 'Types of events; there may be more.', Object.keys(document.webhooks)),
    'Resources.php': resourcesOf(groups),
  };
  for (const [name, operations] of groups) files[`${name}.php`] = classOf(name, operations);
  return files;
}

emit(OUTPUT, generated(), { isWhole: true });

// Makes models.go and resources.go from docs/api/openapi.json and docs/errors.md; --check: says whether they are fresh.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelsOf, queryOf, rowOf } from '../models.mjs';
import { codesOf, eventsOf, operationsOf } from '../operations.mjs';
import { emit } from '../emit.mjs';

const HERE = import.meta.dirname;
const WIDTH = 100;
const INITIALISMS = /^(id|ip|url|api|http|kyc|sha256|otp|mcc|bin)$/;

const document = JSON.parse(readFileSync(join(HERE, '../../docs/api/openapi.json'), 'utf8'));
const operations = operationsOf(document);

const word = (text) => (INITIALISMS.test(text) ? text.toUpperCase() : text[0].toUpperCase() + text.slice(1));
const pascal = (words) => words.map(word).join('');
/** `Answer` is what is embedded in each whole object. */
const named = (name) => (name === 'answer' ? 'AnswerBody' : pascal(name.split(/[_.]/)));

/** Parameters that Go keeps for itself do not occur. */
const camel = (name) => named(name).replace(/^[A-Z]+(?=[A-Z]|$)|^[A-Z]/, (start) => start.toLowerCase());

function comment(text, indent = '') {
  if (!text) return '';
  const lines = [''];
  for (const one of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line && indent.length + line.length + one.length + 4 > WIDTH) lines.push(one);
    else lines[lines.length - 1] = line ? `${line} ${one}` : one;
  }
  return lines.map((line) => `${indent}// ${line}\n`).join('');
}

function plainType(type) {
  if (type.kind === 'model') return type.name;
  if (type.kind === 'list') return `[]${plainType({ ...type.of, isNullable: false })}`;
  if (type.kind === 'map') return `map[string]${plainType({ ...type.of, isNullable: false })}`;
  if (type.kind === 'values') return typeof type.values[0] === 'string' ? 'string' : 'int64';
  return { string: 'string', integer: 'int64', boolean: 'bool', null: '*string', any: 'any' }[type.kind];
}

const isNil = ({ kind }) => ['list', 'map', 'null', 'any'].includes(kind);

/** In an answer or a new thing: a pointer where it may be null or absent. */
function fieldOf({ name, type, isRequired, description }, goType) {
  const isPointer = !isNil(type) && (type.isNullable || !isRequired);
  const made = goType ?? (isPointer ? `*${plainType(type)}` : plainType(type));
  const values = type.kind === 'values' && type.values.length > 1 ? `One of ${type.values.join(', ')}.` : '';
  const about = comment([description, values].filter(Boolean).join(' '), '\t');
  return `${about}\t${named(name)} ${made} \`json:"${name}${isRequired ? '' : ',omitempty'}"\`\n`;
}

const patched = new Set(operations.filter(({ method }) => method === 'PATCH').map(({ body }) => body));
const paged = new Set(operations.filter(({ isPaged }) => isPaged).flatMap(({ answers }) => answers));
const ofEvents = new Set(eventsOf(document).map(({ object }) => object));
/** What comes by itself, so that what is not known of it can be kept. */
const whole = new Set([
  ...operations.flatMap(({ answers }) => answers),
  ...[...paged].map((list) => rowOf(document, list)),
  ...ofEvents,
]);

function modelOf({ name, description, fields, variants }) {
  const body = fields.map((field) => {
    if (variants?.field === field.name) {
      const models = [...new Set(variants.of.map(({ model }) => `*${model}`))].join(', ');
      const about = `By ${named(variants.tag)}: ${models}, or map[string]any for one that is not known here.`;
      return fieldOf({ ...field, description: about }, 'any');
    }
    if (name === 'EventData' && field.name === 'object') {
      const about =
        'By the type of the event: *Transaction, *Wallet …, or map[string]any for one that is not known here.';
      return fieldOf({ ...field, description: about }, 'any');
    }
    // A change leaves what is absent, and empties what is null.
    if (patched.has(name) && field.type.isNullable) return fieldOf(field, `Optional[${plainType(field.type)}]`);
    return fieldOf(field);
  });
  const kept = whole.has(name) ? '\tAnswer\n' : '';
  const struct = `${comment(description)}type ${name} struct {\n${kept}${body.join('')}}\n`;
  const parts = [struct, variants && unmarshalOf(name, variants), ofEvents.has(name) && identityOf(name, fields)];
  return parts.filter(Boolean).join('\n');
}

/** Which object of an event it is, in which version. */
function identityOf(name, fields) {
  const [id, version] = ['id', 'version'].map((wanted) => fields.find((field) => field.name === wanted));
  const known = id?.isRequired && id.type.isNullable ? 'textOf(m.ID)' : 'm.ID';
  return `func (m *${name}) identity() (string, *int64) { return ${id ? known : '""'}, ${version ? '&m.Version' : 'nil'} }\n`;
}

function unmarshalOf(name, { tag, field, of }) {
  const models = Map.groupBy(of, ({ model }) => model);
  const cases = [...models].map(
    ([model, own]) => `\tcase ${own.map(({ value }) => `"${value}"`).join(', ')}:\n\t\treturn &${model}{}\n`,
  );
  return `func (m *${name}) UnmarshalJSON(data []byte) error {
	type plain ${name}
	read := struct {
		*plain
		${named(field)} json.RawMessage \`json:"${field}"\`
	}{plain: (*plain)(m)}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	made, err := madeInto(new${name}${named(field)}(m.${named(tag)}), read.${named(field)})
	m.${named(field)} = made
	return err
}

func new${name}${named(field)}(of string) any {
	switch of {
${cases.join('')}	}
	return nil
}
`;
}

/** Nothing is asked for where a field has the zero value of its type. */
function queryType({ name, fields }) {
  const body = fields.map((field) => {
    const type = field.type.kind === 'boolean' ? '*bool' : plainType(field.type);
    return `${comment(field.description, '\t')}\t${named(field.name)} ${type} \`query:"${field.name}"\`\n`;
  });
  return `type ${name} struct {\n${body.join('')}}\n`;
}

function models() {
  const queries = operations.map((one) => queryOf(document, one)).filter(({ fields }) => fields.length > 0);
  const codes = codesOf(readFileSync(join(HERE, '../../docs/errors.md'), 'utf8'));
  const events = eventsOf(document);
  const byObject = Map.groupBy(
    events.filter(({ object }) => object !== null),
    ({ object }) => object,
  );
  const cases = [...byObject].map(
    ([object, own]) => `\tcase ${own.map(({ type }) => `Event${named(type)}`).join(', ')}:\n\t\treturn &${object}{}\n`,
  );
  return `import "encoding/json"

// Codes of errors that a key can meet; there may be more.
const (
${codes.map((code) => `\tCode${named(code)} ErrorCode = "${code}"\n`).join('')})

// Types of events; there may be more.
const (
${events.map(({ type }) => `\tEvent${named(type)} = "${type}"\n`).join('')})

// What the object of an event is, by the type of the event.
func newEventObject(eventType string) any {
	switch eventType {
${cases.join('')}	}
	return nil
}

${modelsOf(document)
  .filter(({ name }) => !paged.has(name))
  .map(modelOf)
  .join('\n')}
${queries.map(queryType).join('\n')}`;
}

/** Names of objects and of what verifies webhooks are taken. */
const service = (name) => `${name}Resource`;

function methodsOf(operation) {
  const { method, path, pathParameters, body, canRunDry, isPaged, summary } = operation;
  const receiver = service(pascal(operation.resource));
  const name = pascal(operation.name);
  const query = queryOf(document, operation);
  const isAsked = query.fields.length > 0;
  const first = ['ctx context.Context', ...pathParameters.map((one) => `${camel(one)} string`)];
  if (body) first.push(`body ${body}`);
  if (isAsked) first.push(`query *${query.name}`);
  const target = pathParameters.reduce((at, one) => at.replace(`{${one}}`, `" + part(${camel(one)}) + "`), `"${path}"`);
  const given = [
    'ctx',
    'r.client',
    `http.Method${method[0]}${method.slice(1).toLowerCase()}`,
    target.replace(/ \+ ""$/, ''),
  ];
  const sent = [body && 'body: body', isAsked && 'query: query'].filter(Boolean);
  const about = `${summary}. ${method} ${path}`;
  const written = (called, answer, deed, options, text) =>
    `${comment(`${called}: ${text}`)}func (r *${receiver}) ${called}(${[...first, 'options ...Option'].join(', ')}) ${answer} {
	return ${deed}(${[...given, `request{${sent.join(', ')}}`, options].join(', ')})
}
`;
  if (isPaged) {
    given.splice(2, 1);
    const row = rowOf(document, operation.answers[0]);
    return written(name, `*Pages[${row}]`, `pages[${row}]`, 'options', about);
  }
  const dry = operation.answers.find((one) => one.startsWith('DryRun'));
  const answer = operation.answers.find((one) => !canRunDry || one !== dry);
  const wet = written(name, `(*${answer}, error)`, `call[${answer}]`, 'options', about);
  if (!canRunDry) return wet;
  const tried = dry ?? answer;
  return `${wet}\n${written(
    `${name}DryRun`,
    `(*${tried}, error)`,
    `call[${tried}]`,
    'dry(options)',
    `what ${name} would do. Nothing is written.`,
  )}`;
}

function resources() {
  const groups = [...Map.groupBy(operations, ({ resource }) => pascal(resource))];
  const classes = groups.map(
    ([name, own]) =>
      `// ${service(name)} is in a Client as ${name}.\ntype ${service(name)} struct{ client *Client }\n\n${own.map(methodsOf).join('\n')}`,
  );
  return `import (
	"context"
	"net/http"
)

type resources struct {
${groups.map(([name]) => `\t${name} *${service(name)}\n`).join('')}}

func resourcesOf(client *Client) resources {
	return resources{
${groups.map(([name]) => `\t\t${name}: &${service(name)}{client},\n`).join('')}	}
}

${classes.join('\n')}`;
}

function formatted(text) {
  const code = `// Code generated by generate.mjs from docs/api/openapi.json and docs/errors.md; DO NOT EDIT.\n\npackage duka\n\n${text}`;
  const { status, stdout, stderr, error } = spawnSync('gofmt', { input: code, encoding: 'utf8', maxBuffer: 1e8 });
  if (error || status !== 0) throw error ?? new Error(stderr);
  return stdout;
}

emit(HERE, { 'models.go': formatted(models()), 'resources.go': formatted(resources()) });

// Makes src/duka/types.py and src/duka/resources.py from docs/api/openapi.json and docs/errors.md; --check: says whether it is fresh.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelsOf, queryOf, rowOf } from '../models.mjs';
import { codesOf, eventsOf, operationsOf } from '../operations.mjs';
import { emit } from '../emit.mjs';

const HERE = import.meta.dirname;
const OUTPUT = join(HERE, 'src/duka');
const WIDTH = 88;
const KEYWORDS = new Set(['from', 'in', 'is', 'as', 'class', 'global', 'import', 'pass', 'return']);

const document = JSON.parse(readFileSync(join(HERE, '../../docs/api/openapi.json'), 'utf8'));
const pascal = (words) => words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');

/** A string in the form of a docstring, at most `WIDTH` wide. */
function docstring(text, indent) {
  if (!text) return '';
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
  if (indent.length + plain.length + 6 <= WIDTH) return `${indent}"""${plain}"""\n`;
  const lines = [''];
  for (const word of plain.split(/\s+/)) {
    const line = lines.at(-1);
    if (line && indent.length + line.length + word.length + 4 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `${indent}"""${lines.join(`\n${indent}`)}\n${indent}"""\n`;
}

/** `Literal["a", "b"]`, broken where it is long. */
function bracketed(name, parts, indent) {
  const line = `${name}[${parts.join(', ')}]`;
  if (indent.length + line.length + 16 <= WIDTH) return line;
  return `${name}[\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}]`;
}

function typed(type, indent, at = '') {
  const inner = { ...type, isNullable: false };
  if (type.isNullable) return `Optional[${typed(inner, indent, at)}]`;
  if (type.kind === 'model') return at + type.name;
  if (type.kind === 'values')
    return bracketed(
      'Literal',
      type.values.map((value) => JSON.stringify(value)),
      indent,
    );
  if (type.kind === 'list') return `List[${typed(type.of, indent, at)}]`;
  if (type.kind === 'map') return `Dict[str, ${typed(type.of, indent, at)}]`;
  return { string: 'str', integer: 'int', boolean: 'bool', null: 'None', any: 'Any' }[type.kind];
}

/** One class, or two where some of the fields may be absent: `NotRequired` is of Python 3.11. */
function classOf(name, description, fields, base = 'TypedDict') {
  const [required, optional] = [true, false].map((isRequired) => fields.filter((one) => one.isRequired === isRequired));
  if (fields.some((field) => KEYWORDS.has(field.name))) return functional(name, description, required, optional);
  const body = (own) =>
    own
      .map((field) => `    ${field.name}: ${typed(field.type, '    ')}\n${docstring(field.description, '    ')}`)
      .join('');
  const about = docstring(description, '    ');
  if (optional.length === 0)
    return `class ${name}(${base}):\n${about}${about && '\n'}${body(required) || '    pass\n'}`;
  const has = required.length > 0;
  const first = has ? `class _${name}(${base}):\n${body(required)}\n\n` : '';
  return `${first}class ${name}(${has ? `_${name}` : base}, total=False):\n${about}${about && '\n'}${body(optional)}`;
}

/** For names that Python keeps for itself. */
function functional(name, description, required, optional) {
  const made = (own, called, isTotal) =>
    `${called} = TypedDict(\n    "${called}",\n    {\n${own
      .map(
        (field) =>
          `        "${field.name}": "${typed(field.type, ' '.repeat(100)).replace(/\s+/g, ' ').replaceAll('"', "'")}",\n`,
      )
      .join('')}    },\n${isTotal ? '' : '    total=False,\n'})\n`;
  if (required.length > 0 && optional.length > 0)
    return `${made(required, `_${name}`, true)}${made(optional, `_${name}Optional`, false)}\n\nclass ${name}(_${name}, _${name}Optional):\n${docstring(description, '    ') || '    pass\n'}`;
  return made([...required, ...optional], name, optional.length === 0);
}

function variantsOf({ name, description, fields, variants }) {
  const { tag, field, of } = variants;
  const common = fields.filter((one) => one.name !== tag && one.name !== field);
  const made = of.map(({ value, model }) => {
    const own = [
      { name: tag, isRequired: true, type: { kind: 'values', values: [value] } },
      { name: field, isRequired: true, type: { kind: 'model', name: model } },
    ];
    return [`${pascal(value.split(/[._]/))}${name}`, own];
  });
  return {
    classes: [
      classOf(`_${name}Common`, null, common),
      ...made.map(([called, own]) => classOf(called, null, own, `_${name}Common`)),
    ],
    alias: `${name} = ${bracketed(
      'Union',
      made.map(([called]) => called),
      '',
    )}\n${docstring(description, '')}`,
  };
}

/** An event, whose `type` tells what `data.object` is. */
function eventClasses() {
  const events = eventsOf(document);
  const objects = [...new Set(events.map(({ object }) => object))];
  const data = (object) => (object === null ? 'EventData' : `_${object}Data`);
  const model = modelsOf(document).find(({ name }) => name === 'Event');
  const common = model.fields.filter(({ name }) => name !== 'type' && name !== 'data');
  const { fields } = modelsOf(document).find(({ name }) => name === 'EventData');
  const omitted = fields.filter(({ name }) => name !== 'object');
  const made = events.map(({ type, object }) => {
    const own = [
      { name: 'type', isRequired: true, type: { kind: 'values', values: [type] } },
      { name: 'data', isRequired: true, type: { kind: 'model', name: data(object) } },
    ];
    return [`${pascal(type.split(/[._]/))}Event`, own];
  });
  return {
    classes: [
      classOf('_EventCommon', null, common),
      ...objects
        .filter((object) => object !== null)
        .map((object) =>
          classOf(data(object), null, [
            { name: 'object', isRequired: true, type: { kind: 'model', name: object } },
            ...omitted,
          ]),
        ),
      ...made.map(([called, own]) => classOf(called, null, own, '_EventCommon')),
    ],
    alias: `WebhookEvent = ${bracketed(
      'Union',
      made.map(([called]) => called),
      '',
    )}\n${docstring('An event by its `type`. Newer services may send types that are not known here.', '')}`,
  };
}

const HEAD = `# Made by generate.mjs from docs/api/openapi.json and docs/errors.md.
from __future__ import annotations
`;

function types(operations) {
  const models = modelsOf(document);
  const queries = operations.map((one) => queryOf(document, one)).filter(({ fields }) => fields.length > 0);
  const unions = [...models.filter(({ variants }) => variants).map(variantsOf), eventClasses()];
  const classes = [...models.filter(({ variants }) => !variants), ...queries].map(({ name, description, fields }) =>
    classOf(name, description, fields),
  );
  const made = [...classes, ...unions.flatMap((union) => [...union.classes, union.alias])].join('\n\n');
  const names = [...made.matchAll(/^(?:class )?(\w+)(?:\(| = )/gm)].map(([, name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`two types are called ${twice}`);
  const codes = codesOf(readFileSync(join(HERE, '../../docs/errors.md'), 'utf8'));
  return `${HEAD}
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

ErrorCode = ${bracketed(
    'Literal',
    codes.map((code) => `"${code}"`),
    '',
  )}
"""Codes of errors that a key can meet; there may be more."""


${[...classes, ...unions.flatMap((union) => union.classes)].join('\n\n')}

${unions.map(({ alias }) => alias).join('\n')}`;
}

function answerOf({ answers, canRunDry }, isDry) {
  const dry = answers.filter((name) => name.startsWith('DryRun'));
  const wanted = isDry ? dry : answers.filter((name) => !canRunDry || !dry.includes(name));
  const names = wanted.map((name) => `t.${name}`);
  return names.length > 1 ? `Union[${names.join(', ')}]` : names[0];
}

function methodOf(operation) {
  const { method, path, pathParameters, body, isBodyNeeded, canRunDry, canWait, isQueryNeeded, id, isPaged } =
    operation;
  const name = operation.name.join('_');
  const isAsked = queryOf(document, operation).fields.length > 0;
  const first = ['self', ...pathParameters.map((one) => `${one}: str`)];
  const optional = (type, isNeeded) => (isNeeded ? type : `Optional[${type}] = None`);
  if (body) first.push(`body: ${optional(`t.${body}`, isBodyNeeded)}`);
  if (isAsked) first.push(`query: ${optional(`t.${pascal(id.split('_'))}Query`, isQueryNeeded)}`);
  const options = `**options: Unpack[${canWait ? 'WaitOptions' : 'CallOptions'}]`;
  const target = pathParameters.reduce((at, one) => at.replace(`{${one}}`, `{part(${one})}`), path);
  const url = `${pathParameters.length > 0 ? 'f' : ''}"${target}"`;
  const hasDryAnswer = operation.answers.some((one) => one.startsWith('DryRun'));
  const signature = (parameters, answer) => {
    const line = `    def ${name}(${parameters.join(', ')}) -> ${answer}:`;
    return line.length <= WIDTH
      ? line
      : `    def ${name}(\n${parameters.map((one) => `        ${one},\n`).join('')}    ) -> ${answer}:`;
  };
  const about = docstring(`${operation.summary}. \`${method} ${path}\``, '        ');
  const called = (start, deed, given) => {
    const line = `        ${start} self._client.${deed}(${given.join(', ')})\n`;
    if (line.length <= WIDTH + 1) return line;
    return `        ${start} self._client.${deed}(\n${given.map((one) => `            ${one},\n`).join('')}        )\n`;
  };
  if (isPaged) {
    const [list] = operation.answers;
    const answer = `Pages[t.${rowOf(document, list)}, t.${list}]`;
    return `${signature([...first, options], answer)}\n${about}${called('return', 'pages', [url, 'query', 'options'])}`;
  }
  const sent = [
    `"${method}"`,
    url,
    body && 'body=body',
    isAsked && 'query=query',
    canRunDry && 'dry_run=dry_run',
    '**options',
  ];
  const given = sent.filter(Boolean);
  const answer = answerOf(operation);
  // What comes is of any type: it is given one here.
  const wet = `${called(`answer: ${answer} =`, 'call', given)}        return answer\n`;
  if (!canRunDry) return `${signature([...first, options], answer)}\n${about}${wet}`;
  const whole = [...first, '*', 'dry_run: bool = False', options];
  if (!hasDryAnswer) return `${signature(whole, answer)}\n${about}${wet}`;
  const dry = [...first, '*', 'dry_run: Literal[True]', options];
  const wetOnly = [...first, '*', 'dry_run: Literal[False] = False', options];
  return `    @overload
${signature(dry, answerOf(operation, true))} ...

    @overload
${signature(wetOnly, answer)} ...

${signature(whole, 'Any')}
${about}${called('return', 'call', given)}`;
}

function resources(operations) {
  const groups = [...Map.groupBy(operations, ({ resource }) => resource.join('_'))];
  const className = (name) => pascal(name.split('_'));
  const classes = groups.map(([name, own]) => `class ${className(name)}(Resource):\n${own.map(methodOf).join('\n')}`);
  return `${HEAD}
from typing import TYPE_CHECKING, Any, Literal, Optional, overload
from urllib.parse import quote

from . import types as t

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .client import CallOptions, Client, WaitOptions
    from .pages import Pages


def part(value: str) -> str:
    return quote(value, safe="")


class Resource:
    def __init__(self, client: Client) -> None:
        self._client = client


${classes.join('\n\n')}

class Resources:
    """Every resource of the service."""

    def __init__(self, client: Client) -> None:
${groups.map(([name]) => `        self.${name} = ${className(name)}(client)\n`).join('')}`;
}

const operations = operationsOf(document);
const [, version] = /^version = "(.*)"$/m.exec(readFileSync(join(HERE, 'pyproject.toml'), 'utf8'));
emit(OUTPUT, {
  'version.py': `# Made by generate.mjs from pyproject.toml.\nVERSION = "${version}"\n`,
  'types.py': types(operations),
  'resources.py': resources(operations),
});

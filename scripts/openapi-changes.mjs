// What changed between two OpenAPI documents, and whom that breaks: callers (what they send is refused, or gone), readers (what
// they are answered), receivers (of webhooks). openapi-changes <before> <after> [--json]; before: a file, or `release` for the
// document of the last tag. Exit code 1 when something breaks somebody.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEPTH_MAX = 12;
const lower = (before, after) => after < before;
const higher = (before, after) => after > before;
/** When a limit is narrower than it was. */
const LIMITS = {
  maxLength: lower,
  maximum: lower,
  maxItems: lower,
  minLength: higher,
  minimum: higher,
  minItems: higher,
};

const sorted = (value) => JSON.stringify([value].flat().toSorted((a, b) => a.localeCompare(b)));

class Comparison {
  changes = [];

  constructor(before, after) {
    this.before = before;
    this.after = after;
  }

  note(kind, whom, where, what) {
    this.changes.push({ kind, whom, where, what });
  }

  /** A schema with its references and its parts put together. */
  whole(document, schema = {}) {
    const { $ref, allOf = [], ...own } = schema;
    const parts = [
      ...($ref ? [this.whole(document, at(document, $ref))] : []),
      ...allOf.map((part) => this.whole(document, part)),
      own,
    ];
    return parts.reduce(
      (all, part) => ({
        ...all,
        ...part,
        properties: { ...all.properties, ...part.properties },
        required: [...(all.required ?? []), ...(part.required ?? [])],
      }),
      {},
    );
  }

  /** `whom` sends it, or reads it. */
  schemas(where, whom, before, after, depth = 0) {
    if (depth > DEPTH_MAX || before === undefined || after === undefined) return;
    const [old, now] = [this.whole(this.before, before), this.whole(this.after, after)];
    const sends = whom === 'callers';
    if (old.type && now.type && sorted(old.type) !== sorted(now.type)) {
      const widened = [old.type].flat().every((type) => [now.type].flat().includes(type));
      if (!(sends && widened))
        this.note(
          'breaks',
          whom,
          where,
          `is ${[now.type].flat().join(' or ')} instead of ${[old.type].flat().join(' or ')}`,
        );
    }
    this.enums(where, whom, old.enum, now.enum);
    if (sends)
      for (const [name, isTighter] of Object.entries(LIMITS))
        if (now[name] !== undefined && (old[name] === undefined || isTighter(old[name], now[name])))
          this.note(
            'breaks',
            whom,
            where,
            `has ${name} ${String(now[name])}${old[name] === undefined ? '' : ` instead of ${String(old[name])}`}`,
          );
    this.properties(where, whom, old, now, depth);
    if (old.items && now.items) this.schemas(`${where}[]`, whom, old.items, now.items, depth + 1);
    for (const choice of ['oneOf', 'anyOf']) {
      const names = (schema) => (schema[choice] ?? []).map(({ $ref }) => $ref).filter(Boolean);
      for (const $ref of names(old)) {
        if (names(now).includes($ref))
          this.schemas(`${where}(${$ref.split('/').at(-1)})`, whom, { $ref }, { $ref }, depth + 1);
        else this.note('breaks', whom, where, `is never ${$ref.split('/').at(-1)} any more`);
      }
    }
  }

  enums(where, whom, before, after) {
    if (!before || !after) return;
    const gone = before.filter((value) => !after.includes(value));
    const come = after.filter((value) => !before.includes(value));
    if (gone.length > 0 && whom === 'callers') this.note('breaks', whom, where, `takes ${gone.join(', ')} no more`);
    if (come.length > 0)
      this.note('adds', whom, where, whom === 'callers' ? `takes ${come.join(', ')}` : `may be ${come.join(', ')}`);
  }

  properties(where, whom, old, now, depth) {
    const sends = whom === 'callers';
    for (const [name, schema] of Object.entries(old.properties)) {
      const field = `${where}.${name}`;
      if (!(name in now.properties)) {
        this.note('breaks', whom, field, sends ? 'is refused' : 'is gone');
        continue;
      }
      if (!sends && old.required.includes(name) && !now.required.includes(name))
        this.note('breaks', whom, field, 'may be missing');
      if (sends && !old.required.includes(name) && now.required.includes(name))
        this.note('breaks', whom, field, 'is required');
      this.schemas(field, whom, schema, now.properties[name], depth + 1);
    }
    for (const name of Object.keys(now.properties).filter((key) => !(key in old.properties))) {
      const isNeeded = sends && now.required.includes(name);
      this.note(isNeeded ? 'breaks' : 'adds', whom, `${where}.${name}`, isNeeded ? 'is new and required' : 'is new');
    }
  }

  parameters(where, before = [], after = []) {
    const named = (document, list) =>
      new Map(list.map((one) => this.resolve(document, one)).map((one) => [`${one.in} ${one.name}`, one]));
    const [old, now] = [named(this.before, before), named(this.after, after)];
    for (const [name, parameter] of old) {
      const next = now.get(name);
      if (!next) this.note('breaks', 'callers', `${where} ${name}`, 'is refused');
      else if (!parameter.required && next.required) this.note('breaks', 'callers', `${where} ${name}`, 'is required');
      else this.schemas(`${where} ${name}`, 'callers', parameter.schema, next.schema);
    }
    for (const [name, { required }] of now)
      if (!old.has(name))
        this.note(
          required ? 'breaks' : 'adds',
          'callers',
          `${where} ${name}`,
          required ? 'is new and required' : 'is new',
        );
  }

  resolve(document, one) {
    return one?.$ref ? at(document, one.$ref) : one;
  }

  operations() {
    for (const [path, methods] of Object.entries(this.before.paths))
      for (const method of METHODS.filter((name) => name in methods)) {
        const where = `${method.toUpperCase()} ${path}`;
        const [old, now] = [methods[method], this.after.paths[path]?.[method]];
        if (!now) this.note('breaks', 'callers', where, 'is gone');
        else this.operation(where, old, now);
      }
    for (const [path, methods] of Object.entries(this.after.paths))
      for (const method of METHODS.filter((name) => name in methods && !this.before.paths[path]?.[name]))
        this.note('adds', 'callers', `${method.toUpperCase()} ${path}`, 'is new');
  }

  operation(where, old, now) {
    if (!old.deprecated && now.deprecated) this.note('retires', 'callers', where, 'is deprecated');
    this.parameters(where, old.parameters, now.parameters);
    const [body, nextBody] = [this.resolve(this.before, old.requestBody), this.resolve(this.after, now.requestBody)];
    this.schemas(`${where} body`, 'callers', schemaOf(body), schemaOf(nextBody));
    if (!body?.required && nextBody?.required) this.note('breaks', 'callers', `${where} body`, 'is required');
    for (const [status, answer] of Object.entries(old.responses).filter(([code]) => code.startsWith('2'))) {
      const next = now.responses[status];
      if (!next) this.note('breaks', 'readers', where, `answers ${status} no more`);
      else
        this.schemas(
          `${where} ${status}`,
          'readers',
          schemaOf(this.resolve(this.before, answer)),
          schemaOf(this.resolve(this.after, next)),
        );
    }
  }

  webhooks() {
    for (const [type, { post }] of Object.entries(this.before.webhooks ?? {})) {
      const next = this.after.webhooks?.[type];
      if (!next) this.note('breaks', 'receivers', type, 'is sent no more');
      else this.schemas(type, 'receivers', schemaOf(post.requestBody), schemaOf(next.post.requestBody));
    }
    for (const type of Object.keys(this.after.webhooks ?? {}).filter((key) => !this.before.webhooks?.[key]))
      this.note('adds', 'receivers', type, 'is new');
  }
}

const at = (document, $ref) =>
  $ref
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key], document);
const schemaOf = (body) => body?.content?.['application/json']?.schema;

/** `[{kind: breaks|retires|adds, whom: callers|readers|receivers, where, what}]`, each once. */
export function changesOf(before, after) {
  const comparison = new Comparison(before, after);
  comparison.operations();
  comparison.webhooks();
  return [...new Map(comparison.changes.map((change) => [JSON.stringify(change), change])).values()];
}

function documentOf(name) {
  if (name !== 'release') return JSON.parse(readFileSync(name, 'utf8'));
  const git = (...args) =>
    execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return JSON.parse(
      git('show', `${git('describe', '--tags', '--abbrev=0', '--match=v*').trim()}:docs/api/openapi.json`),
    );
  } catch {
    return null;
  }
}

function tell(changes) {
  for (const kind of ['breaks', 'retires', 'adds'])
    for (const { whom, where, what } of changes.filter((change) => change.kind === kind))
      console.log(`${kind.padEnd(8)}${whom.padEnd(10)}${where} ${what}`);
  console.log(`${changes.filter(({ kind }) => kind === 'breaks').length} of ${changes.length} changes break somebody.`);
}

function main(words) {
  const [before, after] = words.filter((word) => !word.startsWith('--')).map(documentOf);
  if (before === null) return console.log('Nothing was released yet: there is nothing to break.');
  const changes = changesOf(before, after);
  if (words.includes('--json')) console.log(JSON.stringify(changes, null, 2));
  else tell(changes);
  if (changes.some(({ kind }) => kind === 'breaks')) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));

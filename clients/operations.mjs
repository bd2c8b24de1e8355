// The operations of docs/api/openapi.json as a client groups and names them, for the clients of every language.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SIMPLE = { get: 'get', post: 'create', put: 'put', patch: 'update', delete: 'delete' };

/** `['card', 'money']` → `CardMoney`, `cardMoney`. */
export const pascal = (words) => words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
export const camel = ([first, ...rest]) => first + pascal(rest);

const isParameter = (segment) => segment.startsWith('{');
const wordsOf = (text) => text.split(/[-_]/);
const singular = (word) =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x)es$/, '$1')
    .replace(/s$/, '');

/** `wallets` `freeze` of `POST /v4/wallets/{id}/freeze`: what the path says, or else what the operation is called without its resource. */
function nameOf(method, segments, operationId) {
  const [resource, ...rest] = segments;
  const verb = rest.at(-1);
  if (operationId.startsWith('list_') && rest.length === 0) return ['list'];
  if (rest.length === 0 || (rest.length === 1 && isParameter(verb))) return [SIMPLE[method]];
  const isDeed = method === 'post' && !operationId.startsWith('create_') && rest.slice(0, -1).every(isParameter);
  if (isDeed && !isParameter(verb)) return wordsOf(verb);
  const own = wordsOf(resource).map(singular);
  return operationId.split('_').filter((word) => !own.includes(singular(word)));
}

/** `$ref` or not. */
function resolved(document, { $ref, ...own }) {
  if ($ref === undefined) return own;
  return $ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key], document);
}

function operationOf(document, path, method, operation) {
  const [, , ...segments] = path.replace('/api/', '/').split('/');
  const name = nameOf(method, segments, operation.operationId);
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const has = (header) => parameters.some((parameter) => parameter.in === 'header' && parameter.name === header);
  // Clients send everything again when the connection is lost.
  const isSafe = method === 'get' || operation['x-new-each-time'] === true || has('Idempotency-Key');
  if (!isSafe) throw new Error(`${operation.operationId} takes no Idempotency-Key`);
  const body = operation.requestBody && resolved(document, operation.requestBody);
  const schema = body?.content['application/json'].schema;
  return {
    id: operation.operationId,
    summary: operation.summary,
    method: method.toUpperCase(),
    path,
    resource: wordsOf(segments[0]),
    name,
    pathParameters: parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
    query: inQuery.map((parameter) => parameter.name),
    isQueryNeeded: inQuery.some((parameter) => parameter.required),
    body: schema?.$ref?.split('/').at(-1) ?? null,
    isBodyNeeded: body?.required === true,
    canRunDry: schema !== undefined && 'dry_run' in (resolved(document, schema).properties ?? {}),
    canWait: has('Prefer'),
    isPaged: inQuery.some((parameter) => parameter.name === 'cursor'),
    answers: answersOf(operation),
  };
}

/** Names of the schemas of what succeeds, or null for one without a name. */
function answersOf({ responses }) {
  const schemas = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => {
      const schema = content['application/json'].schema;
      return schema.oneOf ?? [schema];
    });
  return [...new Set(schemas.map((schema) => schema.$ref?.split('/').at(-1) ?? null))];
}

/** Everything under `/v4`, and of `/api/v1` what is nowhere else. */
export function operationsOf(document) {
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => method in operations).map((method) => [path, method, operations[method]]),
  );
  const found = all
    .filter(([path]) => /^\/(v4|api\/v1)\//.test(path))
    .filter(([path]) => !(path.replace('/api/v1/', '/v4/') in document.paths) || path.startsWith('/v4/'))
    .map(([path, method, operation]) => operationOf(document, path, method, operation));
  const names = found.map(({ resource, name }) => `${resource.join('_')}.${name.join('_')}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`two operations are called ${twice}`);
  return found;
}

/** Type → name of the schema of its object. */
export const eventsOf = (document) =>
  Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema } = post.requestBody.content['application/json'];
    const own = resolved(document, schema).allOf?.[1] ?? {};
    return { type, object: own.properties?.data?.properties.object.$ref?.split('/').at(-1) ?? null };
  });

/** Codes that a key can meet, by the table of docs/errors.md, which a test holds to the service. */
export const codesOf = (errors) =>
  [...errors.matchAll(/^\| `(\w+)` \| \d+ \| (.*)/gm)]
    .filter(([, , what]) => !what.startsWith('At the dashboard'))
    .map(([, code]) => code);

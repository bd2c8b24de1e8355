// An example in three languages, each with nothing to install: curl, Node's fetch, Python's own library.
import { exampleOf } from './calls.mjs';

/** What a reader replaces, or has filled in by the page. */
export const KEY = 'sk_test_YOUR_KEY';
export const WALLET = 'wal_YOUR_WALLET';
export const ORIGIN = 'http://localhost:3000';

export const LANGUAGES = [
  { id: 'curl', name: 'curl', code: 'bash', write: curl },
  { id: 'typescript', name: 'TypeScript', code: 'typescript', write: typescript },
  { id: 'python', name: 'Python', code: 'python', write: python },
];

export function snippetsOf(operationId) {
  const example = exampleOf(operationId);
  return LANGUAGES.map(({ id, name, code, write }) => ({ id, name, code, text: write(example) }));
}

const inOrder = ({ calls }, mark, write) =>
  calls.map((call, index) => {
    const heading = calls.length === 1 ? '' : `${mark} ${index + 1}. ${call.title}\n`;
    return heading + write(call, index === calls.length - 1);
  });

/** Text with ids in it as parts: plain strings, and names of variables. */
function partsOf(text, names) {
  const ids = [...names.keys()];
  if (ids.length === 0) return [text];
  return text
    .split(new RegExp(`(${ids.join('|')})`))
    .map((part) => (names.has(part) ? { name: names.get(part) } : part));
}

function curl(example) {
  const upper = (name) => name.toUpperCase();
  const quoted = (text) =>
    partsOf(text, example.names)
      .map((part) => (part.name ? `$${upper(part.name)}` : part))
      .join('');
  const spliced = (text) =>
    partsOf(text.replaceAll("'", String.raw`'\''`), example.names)
      .map((part) => (part.name ? `'$${upper(part.name)}'` : part))
      .join('');
  const write = ({ method, path, headers, body, keeps }, isLast) => {
    const lines = [
      `curl -sS --fail-with-body${method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`} "$API${quoted(path)}"`,
    ];
    lines.push('-H "Authorization: Bearer $KEY"');
    if (method !== 'GET') lines.push('-H "Idempotency-Key: $(date +%s)-$RANDOM"');
    for (const [name, value] of Object.entries(headers)) lines.push(`-H '${name}: ${value}'`);
    if (body)
      lines.push(
        "-H 'Content-Type: application/json'",
        `-d '${spliced(JSON.stringify(body, null, 2)).replaceAll('\n', '\n  ')}'`,
      );
    const command = lines.join(' \\\n  ');
    const kept = keeps.map(
      ({ name, prefix, nth }) =>
        `${upper(name)}=$(echo "$ANSWER" | grep -o '"${prefix}_[0-9a-z]*' | sed -n '${nth}s/"//p')`,
    );
    const asked = keeps.length === 0 ? command : `ANSWER=$(${command})\n${kept.join('\n')}`;
    return isLast || keeps.length > 0 ? asked : `${asked} > /dev/null`;
  };
  return (
    [
      [`API=${ORIGIN}`, `KEY=${KEY}`, ...(example.usesWallet ? [`WALLET=${WALLET}`] : [])].join('\n'),
      ...inOrder(example, '#', write),
    ].join('\n\n') + '\n'
  );
}

const inJson = (value, names, write) =>
  JSON.stringify(value, null, 2).replace(/"((?:[^"\\]|\\.)*)"/g, (whole, text) => {
    const parts = partsOf(text, names);
    if (parts.every((part) => !part.name)) return whole;
    return write(parts.filter((part) => part !== ''));
  });

function typescript(example) {
  const template = (parts) =>
    parts.length === 1 && parts[0].name
      ? camel(parts[0].name)
      : `\`${parts.map((part) => (part.name ? `\${${camel(part.name)}}` : part)).join('')}\``;
  const literal = (value) =>
    inJson(value, example.names, template)
      .replace(/^(\s*)"(\w+)":/gm, '$1$2:')
      .replace(/"((?:[^"\\']|\\.)*)"/g, "'$1'");
  const string = (text) => {
    const parts = partsOf(text, example.names).filter((part) => part !== '');
    return parts.some((part) => part.name) ? template(parts) : `'${text}'`;
  };
  const write = ({ method, path, headers, body, keeps }, isLast) => {
    const given = [`'${method}'`, string(path)];
    if (body || Object.keys(headers).length > 0) given.push(body ? literal(body) : 'undefined');
    if (Object.keys(headers).length > 0) given.push(literal(headers));
    const asked = `await duka(${given.join(', ')})`;
    if (isLast) return `console.log(${asked});`;
    if (keeps.length === 0) return `${asked};`;
    const [{ name, keys }] = keeps;
    if (keeps.length === 1) return `const ${camel(name)} = (${asked})${path_(keys)};`;
    return `const answer = ${asked};\n${keeps.map((kept) => `const ${camel(kept.name)} = answer${path_(kept.keys)};`).join('\n')}`;
  };
  return (
    [
      [`const key = '${KEY}';`, ...(example.usesWallet ? [`const wallet = '${WALLET}';`] : [])].join('\n'),
      TYPESCRIPT,
      ...inOrder(example, '//', write),
    ].join('\n\n') + '\n'
  );
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const path_ = (keys) => keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');

const TYPESCRIPT = `async function duka(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch('${ORIGIN}' + path, {
    method,
    headers: {
      Authorization: \`Bearer \${key}\`,
      ...(method !== 'GET' && { 'Idempotency-Key': crypto.randomUUID() }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}`;

function python(example) {
  const name_ = (parts) =>
    parts.length === 1 && parts[0].name
      ? parts[0].name
      : `f"${parts.map((part) => (part.name ? `{${part.name}}` : part)).join('')}"`;
  const literal = (value) =>
    inJson(value, example.names, name_).replace(
      /(?<=[:[,]\s*)(true|false|null)\b/g,
      (word) => ({ true: 'True', false: 'False', null: 'None' })[word],
    );
  const string = (text) => {
    const parts = partsOf(text, example.names).filter((part) => part !== '');
    return parts.some((part) => part.name) ? name_(parts) : `"${text}"`;
  };
  const write = ({ method, path, headers, body, keeps }, isLast) => {
    const given = [`"${method}"`, string(path)];
    if (body) given.push(literal(body));
    if (Object.keys(headers).length > 0) given.push(`headers=${literal(headers)}`);
    const asked = `duka(${given.join(', ')})`;
    if (isLast) return `print(json.dumps(${asked}, indent=2))`;
    if (keeps.length === 0) return `${asked}`;
    return `answer = ${asked}\n${keeps.map((kept) => `${kept.name} = answer${kept.keys.map((key) => `[${JSON.stringify(key)}]`).join('')}`).join('\n')}`;
  };
  return (
    [
      'import json\nimport urllib.request\nimport uuid',
      [`key = "${KEY}"`, ...(example.usesWallet ? [`wallet = "${WALLET}"`] : [])].join('\n'),
      PYTHON,
      ...inOrder(example, '#', write),
    ].join('\n\n') + '\n'
  );
}

const PYTHON = `def duka(method, path, body=None, headers={}):
    sent = {"Authorization": f"Bearer {key}", **headers}
    if method != "GET":
        sent["Idempotency-Key"] = str(uuid.uuid4())
    if body is not None:
        sent["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("${ORIGIN}" + path, data, sent, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
`;

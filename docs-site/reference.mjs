// A page per resource from the OpenAPI document: operations with their fields, answers, and examples in each language.
import { openapi, operations, exampleOf } from './calls.mjs';
import { codeBlock, escape, slugOf } from './markdown.mjs';
import { LANGUAGES, snippetsOf } from './snippets.mjs';

const METHODS_FIRST = ['POST', 'GET', 'PATCH', 'PUT', 'DELETE'];

/** Examples in tabs. Without a script all of them are shown, one below the other. */
export function exampleHtml(operationId) {
  const snippets = snippetsOf(operationId);
  const { summary } = operations.get(operationId).operation;
  const { answer } = exampleOf(operationId).calls.at(-1);
  const tabs = LANGUAGES.map(({ id, name }) => `<button type="button" data-choose="${id}">${name}</button>`).join('');
  const blocks = snippets.map(({ id, code, text }) =>
    codeBlock(text, code, ` data-language="${id}" data-runs="${operationId}"`),
  );
  return `<div class="example" role="group" aria-label="Example: ${escape(summary)}"><div class="languages" hidden>${tabs}<button type="button" class="fill-in">Fill in my key and wallet</button></div>
${blocks.join('')}<details><summary>Answer</summary>
${codeBlock(JSON.stringify(answer, null, 2), 'json')}</details></div>
`;
}

export function referencePages() {
  const tags = openapi.tags.map(({ name }) => name);
  return [overview(tags), ...tags.map(tagPage), eventsPage()];
}

function overview(tags) {
  const rows = tags.flatMap((tag) =>
    ofTag(tag).map(
      ({ method, path, operation }) =>
        `<tr><td><a href="/docs/reference/${slugOf(tag)}#${operation.operationId}">${inline(operation.summary)}</a></td><td><code>${method} ${escape(path)}</code></td></tr>`,
    ),
  );
  const html = `<h1 id="reference">Reference</h1>
${paragraphs(openapi.info.description)}
<p>All of it as files: <a href="/openapi.json">OpenAPI 3.1</a>, and collections for <a href="@postman">Postman</a> and for Bruno (the folder <code>docs/api/bruno</code> with its environment <code>sandbox</code>), which run from top to bottom against a fresh sandbox; a runner that is faster than your key may be needs a pause (<code>bru run --delay 50</code>, <code>newman run --delay-request 50</code>). Codes of failures: <a href="/docs/errors">errors</a>. What is sent to you: <a href="/docs/reference/event-types">event types</a>.</p>
<h2 id="operations">Operations</h2>
<div class="table" tabindex="0"><table><thead><tr><th>What</th><th>Request</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
  return {
    path: 'reference',
    title: 'Reference',
    about: 'All operations.',
    html,
    headings: [{ level: 2, id: 'operations', text: 'Operations' }],
    sections: [{ id: 'reference', title: 'Reference: all operations', text: openapi.info.description }],
  };
}

const ofTag = (tag) =>
  [...operations.values()]
    .filter(({ operation }) => operation.tags[0] === tag)
    .sort((one, other) => METHODS_FIRST.indexOf(one.method) - METHODS_FIRST.indexOf(other.method));

function tagPage(tag) {
  const all = ofTag(tag);
  const contents = all.map(
    ({ method, path, operation }) =>
      `<tr><td><a href="#${operation.operationId}">${inline(operation.summary)}</a></td><td><code>${method} ${escape(path)}</code></td></tr>`,
  );
  return {
    path: `reference/${slugOf(tag)}`,
    title: tag,
    about: `${all.map(({ operation }) => operation.summary.replace(/\.$/, '')).join('; ')}.`,
    html: `<h1 id="top">${escape(tag)}</h1>\n<div class="table" tabindex="0"><table><thead><tr><th>What</th><th>Request</th></tr></thead><tbody>${contents.join('')}</tbody></table></div>\n${all.map(operationHtml).join('')}`,
    headings: all.map(({ operation }) => ({ level: 2, id: operation.operationId, text: operation.summary })),
    sections: all.map(({ method, path, operation }) => ({
      id: operation.operationId,
      title: operation.summary,
      text: `${method} ${path} ${operation.description ?? ''} ${wordsOf(operation)}`,
    })),
  };
}

const wordsOf = (operation) =>
  fieldsOf(bodyOf(operation))
    .map(({ name, description }) => `${name} ${description}`)
    .join(' ');
const bodyOf = (operation) => operation.requestBody?.content['application/json']?.schema;

function operationHtml({ method, path, operation }) {
  const { operationId, summary, description, parameters = [], responses } = operation;
  const rest = (description ?? '').startsWith(summary)
    ? description.slice(summary.length).replace(/^[.\s]+/, '')
    : description;
  const given = parameters.map(deref);
  const fields = fieldsOf(bodyOf(operation));
  return `<section class="operation">
<h2 id="${operationId}">${inline(summary)}</h2>
<p class="address"><span class="method">${method}</span> <code>${escape(path)}</code></p>
${rest ? paragraphs(rest) : ''}
${
  given.length > 0
    ? table(
        'Parameters',
        given.map((one) => ({ ...one, type: typeOf(one.schema), place: one.in })),
      )
    : ''
}
${fields.length > 0 ? table('Body', fields) : ''}
${exampleHtml(operationId)}
<p class="answers">Answers: ${Object.entries(responses)
    .filter(([status]) => /^\d/.test(status))
    .map(([status]) => `<code>${status}</code>`)
    .join(' ')}; what 4xx and 5xx mean stands in <a href="/docs/errors">errors</a>.</p>
</section>
`;
}

function table(heading, fields) {
  const rows = fields.map(
    ({ name, type, required, place, description }) =>
      `<tr><td><code>${escape(name)}</code>${required ? ' <span class="required">required</span>' : ''}</td><td>${escape(type)}${place ? `, ${place}` : ''}</td><td>${inline(description ?? '')}</td></tr>`,
  );
  return `<div class="table" tabindex="0"><table><thead><tr><th>${heading}</th><th>Type</th><th>What it is</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

const deref = (part) =>
  part?.$ref
    ? deref(
        part.$ref
          .slice(2)
          .split('/')
          .reduce((at, key) => at[key], openapi),
      )
    : part;

function typeOf(schema) {
  const whole = deref(schema) ?? {};
  const some = whole.oneOf ?? whole.anyOf ?? whole.allOf;
  if (some) return [...new Set(some.map(typeOf))].join(' or ');
  if (whole.enum) return whole.enum.map((value) => JSON.stringify(value)).join(', ');
  if (whole.type === 'array') return `array of ${typeOf(whole.items)}`;
  return [whole.type ?? 'any'].flat().join(' or ');
}

/** The fields of a schema, those of objects in it by their path. */
function fieldsOf(schema, before = '', depth = 0) {
  const whole = deref(schema);
  if (!whole || depth > 2) return [];
  const parts = [whole, ...(whole.allOf ?? []), ...(whole.oneOf ?? [])].map(deref);
  const fields = parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, property]) => {
      const full = { ...deref(property), ...property };
      const inner = full.type === 'array' ? full.items : property;
      return [
        {
          name: before + name,
          type: typeOf(property),
          required: required.includes(name),
          description: full.description ?? deref(full.allOf?.[0])?.description,
        },
        ...fieldsOf(inner, `${before}${name}${full.type === 'array' ? '[]' : ''}.`, depth + 1),
      ];
    }),
  );
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

function eventsPage() {
  const types = Object.entries(openapi.webhooks).map(([type, { post }]) => ({ type, post }));
  const html = types.map(({ type, post }) => {
    const content = deref(post.requestBody).content['application/json'];
    const sample = content.example ?? Object.values(content.examples ?? {})[0]?.value;
    return `<section class="operation"><h2 id="${slugOf(type.replaceAll('.', '-'))}"><code>${escape(type)}</code></h2>\n${paragraphs(post.description ?? post.summary ?? '')}${sample ? `<details><summary>What is sent</summary>\n${codeBlock(JSON.stringify(sample, null, 2), 'json')}</details>` : ''}</section>`;
  });
  return {
    path: 'reference/event-types',
    title: 'Event types',
    about: 'What a webhook endpoint may be told.',
    html: `<h1 id="top">Event types</h1>\n<p>What a webhook endpoint may be told. How to receive it: <a href="/docs/guides/receive-webhooks">receive webhooks</a>.</p>\n${html.join('\n')}`,
    headings: types.map(({ type }) => ({ level: 2, id: slugOf(type.replaceAll('.', '-')), text: type })),
    sections: types.map(({ type, post }) => ({
      id: slugOf(type.replaceAll('.', '-')),
      title: type,
      text: `${post.description ?? post.summary ?? ''} webhook event`,
    })),
  };
}

const inline = (text) => escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
const paragraphs = (text) =>
  text
    .split(/\n\n/)
    .map(
      (part) =>
        `<p>${inline(part).replaceAll('<code>/docs/errors</code>', '<a href="/docs/errors">/docs/errors</a>')}</p>`,
    )
    .join('\n');

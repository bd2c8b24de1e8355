import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

/** What came back over HTTP. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: any;
}

export const openapi = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8')) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(openapi, 'openapi.json');

const validators = new Map<string, ValidateFunction>();
const routes = Object.entries(openapi.paths).map(([template, operations]) => ({
  template,
  operations,
  pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]*')}$`),
  parameters: template.split('{').length,
}));

/** Throws unless the OpenAPI document says that this operation may answer so. */
export function expectDocumented(method: string, path: string, { status, headers, body }: Answer): void {
  const type = (headers.get('content-type') ?? '').split(';')[0]!;
  const route = findRoute(method, path);
  if (status >= 400 && type !== 'application/problem+json') throw new Error(`${method} ${path}: ${status} is ${type}, not a problem`);
  if (route === null) {
    if (status < 400) throw new Error(`${method} ${path} answers ${status} and is not in the OpenAPI document`);
    return validate('#/components/schemas/Problem', `${method} ${path} ${status}`, body);
  }
  const { template, operation } = route;
  const response = operation.responses[String(status)];
  if (!response) throw new Error(`${method} ${template}: status ${status} is not documented: ${JSON.stringify(body)}`);
  const pointer = `#/paths/${escape(template)}/${method.toLowerCase()}/responses/${status}`;
  if (method === 'HEAD' || status === 204) return;
  const resolved = dereference(response);
  if (!resolved.content?.[type]) throw new Error(`${method} ${template} ${status}: content type ${type} is not documented`);
  const at = '$ref' in response ? (response as { $ref: string }).$ref : pointer;
  validate(`${at}/content/${escape(type)}/schema`, `${method} ${template} ${status}`, body);
}

function findRoute(method: string, path: string): { template: string; operation: Operation } | null {
  const name = method.toLowerCase();
  const hits = routes.filter(({ pattern, operations }) => pattern.test(path.split('?')[0]!) && operations[name]);
  hits.sort((a, b) => a.parameters - b.parameters);
  return hits[0] ? { template: hits[0].template, operation: hits[0].operations[name]! } : null;
}

function dereference<T extends object>(node: T): T {
  const ref = (node as { $ref?: string }).$ref;
  if (!ref) return node;
  return ref.slice(2).split('/').reduce((at: any, key) => at[key.replaceAll('~1', '/').replaceAll('~0', '~')], openapi);
}

function validate(pointer: string, what: string, body: unknown): void {
  let check = validators.get(pointer);
  if (!check) validators.set(pointer, (check = ajv.compile({ $ref: `openapi.json${encodeURI(pointer)}` })));
  if (check(body)) return;
  throw new Error(`${what} does not match its schema: ${ajv.errorsText(check.errors)}\n${JSON.stringify(body)}`);
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

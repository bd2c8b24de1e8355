import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Operation } from '../../src/core/openapi/types';
import type { Belongings } from './belongings';
import { openapi } from './contract';

export interface Route {
  readonly method: string;
  /** As the router has it: `/v4/wallets/:id`. */
  readonly path: string;
  readonly name: string;
  /** Undefined when the OpenAPI document does not have it. */
  readonly operation: Operation | undefined;
}

/** A line of the router's own picture of itself: `│   ├── /:id (GET, HEAD)`. */
const NODE = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \((.+)\))?$/;

/** Every route that the running router answers. It is asked itself: a list kept beside it could miss what was added behind it. */
export function servedRoutes(app: NestFastifyApplication): Route[] {
  const parents: string[] = [];
  return app
    .getHttpAdapter()
    .getInstance()
    .printRoutes({ commonPrefix: false })
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods = ''] = NODE.exec(line) ?? [];
      if (indent === undefined) throw new Error(`the router prints its routes in another way now: ${line}`);
      const depth = indent.length / 4;
      const path = (parents[depth - 1] ?? '') + part;
      parents[depth] = path;
      return methods
        .split(', ')
        .filter(Boolean)
        .map((method) => ({ method, path, name: `${method} ${path}`, operation: operationOf(method, path) }));
    });
}

/** `GET /v4/wallets/:id` of each operation in the OpenAPI document. */
export const documentedRoutes = (): string[] =>
  Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );

/** A HEAD is documented with its GET. */
const operationOf = (method: string, path: string): Operation | undefined =>
  openapi.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];

/** What the parameter of an address names, by the word before it. */
const NAMED_AFTER: Readonly<Record<string, keyof Belongings>> = {
  wallets: 'wal',
  transfers: 'trf',
  transactions: 'txn',
  events: 'evt',
  idempotency: 'key',
  references: 'reference',
  billers: 'biller',
  webhooks: 'whk',
  deliveries: 'dlv',
  payments: 'pay',
  refunds: 'rfd',
  payouts: 'payout',
  beneficiaries: 'ben',
  batches: 'bat',
  quotes: 'qte',
  conversions: 'cnv',
  'virtual-accounts': 'vac',
  deposits: 'dep',
  checkout: 'pay',
  callbacks: 'pay',
  customers: 'cus',
  cards: 'crd',
  'card-transactions': 'ctx',
  disputes: 'dsp',
  reveal: 'crd',
  reports: 'rpt',
  download: 'rpt',
  'request-logs': 'req',
};

/** What is the same for every account, or asks for no key. */
const SHARED = [
  '/checkout/',
  '/callbacks/',
  '/cards/reveal/',
  '/reports/download/',
  '/v4/bills/categories',
  '/v4/bills/billers',
  '/v4/data/plans',
  '/v4/airtime/networks',
  '/v4/banks',
];

/** What is sold is the same for every account: nothing to be kept apart. */
export const isShared = (path: string): boolean => SHARED.some((start) => path.startsWith(start));

/** Null for an address without a parameter. */
export function kindOf(path: string): keyof Belongings | null {
  const word = /\/([^/]+)\/[:{]/.exec(path)?.[1];
  if (word === undefined) return null;
  const kind = NAMED_AFTER[word];
  if (kind === undefined) throw new Error(`say in NAMED_AFTER what ${path} names`);
  return kind;
}

/** The address of one thing. */
export const addressOf = ({ path }: Pick<Route, 'path'>, id: string): string =>
  path.replace(/:\w+/, encodeURIComponent(id));

/** The example body of the document, about `wallet`; undefined for an operation without one. */
export function bodyOf({ operation }: Pick<Route, 'operation'>, wallet: string): Record<string, unknown> | undefined {
  const example = operation?.requestBody?.content['application/json']?.example as Record<string, unknown> | undefined;
  const about = Object.entries(example ?? {}).filter(([name]) => name !== 'reference');
  return (
    example &&
    Object.fromEntries(about.map(([name, value]) => [name, String(value).startsWith('wal_') ? wallet : value]))
  );
}

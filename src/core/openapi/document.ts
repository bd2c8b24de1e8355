import type { INestApplication } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { DASHBOARD } from '../http/doors';
import { COMMON_SCHEMAS, COMPONENTS } from './components';
import { completeOperation } from './operations';
import { addDryRuns, addVariants, tighten, withoutItems } from './schemas';
import type { OpenApiDocument } from './types';
import { addWebhooks } from './webhooks';

/** Of the interface, not of the program: it changes when a client could notice. */
const INTERFACE_VERSION = '4.0.0';

const ABOUT = `Sells airtime, mobile data and bills, and keeps wallets and virtual cards, on a double-entry ledger.

Amounts are whole numbers of minor units (kobo, cents). Times are UTC. Objects may gain fields; requests with unknown \
fields are refused.
A test key (\`sk_test_…\`) sees the sandbox only, a live key (\`sk_live_…\`) real money only.
Every failure is an \`application/problem+json\` document; \`/docs/errors\` lists the codes.`;

/** The OpenAPI document of an application, from its controllers and DTOs. The application need not be started. */
export function describeApi(app: INestApplication): OpenApiDocument {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Duka')
    .setDescription(ABOUT)
    .setVersion(INTERFACE_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('http://localhost:3000', 'Sandbox with a test key, production with a live key', undefined, {
      'x-internal': false,
    })
    .addSecurity('api_key', {
      type: 'http',
      scheme: 'bearer',
      description: 'A secret key: `sk_test_…` or `sk_live_…`.',
    })
    .addSecurityRequirements('api_key')
    .build();
  return complete(withoutSuffixes(documentOf(app, config, { ofDashboard: false })));
}

/**
 * What the dashboard's own routes take and answer, for its pages alone: no promise to anybody else. Their addresses
 * begin with `/dashboard/api`.
 */
export function describeDashboard(app: INestApplication): OpenApiDocument {
  const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').setTitle('Duka: the dashboard').build();
  const document = withoutSuffixes(documentOf(app, config, { ofDashboard: true }));
  for (const { parameters = [] } of Object.values(document.paths).flatMap((operations) => Object.values(operations)))
    for (const { schema } of parameters) if (schema !== undefined) withoutItems(schema);
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    `/${path.slice(DASHBOARD.length)}`,
    operations,
  ]);
  document.paths = sorted(Object.fromEntries(paths) as OpenApiDocument['paths']);
  document.components.schemas = sorted(document.components.schemas);
  return document;
}

/** Of the modules whose controllers are the dashboard's, or of all others. */
function documentOf(
  app: INestApplication,
  config: ReturnType<DocumentBuilder['build']>,
  { ofDashboard }: { ofDashboard: boolean },
): OpenApiDocument {
  const include = [...app.get(ModulesContainer).values()]
    .filter(({ controllers }) => [...controllers.values()].some(isOfDashboard) === ofDashboard)
    .map(({ metatype }) => metatype);
  return SwaggerModule.createDocument(app, config, { include }) as unknown as OpenApiDocument;
}

const isOfDashboard = ({ metatype }: { metatype: object | null }): boolean =>
  `/${String(Reflect.getMetadata(PATH_METADATA, metatype!))}/`.startsWith(DASHBOARD);

/** `WalletDto` → `Wallet`: what a class is called here is nobody's business there. */
function withoutSuffixes(document: OpenApiDocument): OpenApiDocument {
  const names = Object.keys(document.components.schemas).map((name) => name.replace(/Dto$/, ''));
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`two schemas would be called ${double}`);
  const text = JSON.stringify(document).replace(/(#\/components\/schemas\/\w+?)Dto"/g, '$1"');
  const copy = JSON.parse(text) as OpenApiDocument;
  copy.components.schemas = Object.fromEntries(
    Object.values(copy.components.schemas).map((schema, index) => [names[index]!, schema]),
  );
  return copy;
}

function complete(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  Object.assign(document.info, { contact: { name: 'Duka' } });
  Object.assign(components.schemas, COMMON_SCHEMAS);
  addVariants(components.schemas);
  addDryRuns(document);
  for (const schema of Object.values(components.schemas)) tighten(schema);
  addWebhooks(document);
  const tags = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId.includes('Controller_'))
        throw new Error(`${method} ${path} has no operationId of its own`);
      completeOperation(operation, method, components.schemas);
      operation.tags?.forEach((tag) => tags.add(tag));
    }
  }
  document.tags = [...tags].sort().map((name) => ({ name }));
  document.paths = sorted(document.paths);
  document.components = { ...components, ...usedComponents(document.paths), schemas: sorted(components.schemas) };
  return document;
}

/** Of the shared parameters and answers, those that some operation has. */
function usedComponents(paths: OpenApiDocument['paths']): object {
  const text = JSON.stringify([paths, COMPONENTS.responses]);
  const isUsed =
    (section: string) =>
    ([name]: [string, unknown]) =>
      text.includes(`#/components/${section}/${name}"`);
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([section, entries]) => [
      section,
      Object.fromEntries(Object.entries(entries).filter(isUsed(section))),
    ]),
  );
}

/** Modules may be listed in any order; the document keeps its own. */
const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));

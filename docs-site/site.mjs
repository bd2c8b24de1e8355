// What the site has, and where: each section of the sidebar with its pages, in the order in which they are read.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
const OWN = 'docs-site/pages';

/** The pages of a folder that nobody needs to list: a new one is there by itself. */
const allOf = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => `${folder}/${name}`)
    .sort();

const docs = (...names) => names.map((name) => `docs/${name}.md`);

export const SECTIONS = [
  { title: 'Quick start', files: [`${OWN}/quick-start.md`, ...docs('walk')] },
  { title: 'Concepts', files: [`${OWN}/concepts.md`, ...docs('wallets', 'statements', 'reliability')] },
  {
    title: 'Guides',
    files: docs(
      'purchases',
      'payments',
      'refunds',
      'payouts',
      'beneficiaries',
      'virtual-accounts',
      'conversions',
      'batches',
      'cards',
      'card-transactions',
      'card-authorization',
      'disputes',
      'guides/receive-webhooks',
      'sdk-typescript',
      'sdk-python',
      'sdk-go',
      'sdk-php',
      'cli',
      'mcp',
      'dashboard',
    ),
  },
  { title: 'Sandbox', files: [`${OWN}/sandbox.md`] },
  { title: 'Errors', files: docs('errors') },
  { title: 'Reference', reference: true, files: [] },
  { title: 'Extend', files: allOf('docs/guides').filter((file) => !file.endsWith('receive-webhooks.md')) },
  {
    title: 'Operate',
    files: [
      ...docs(
        'operating',
        'running',
        'high-availability',
        'backups',
        'releases',
        'migrations',
        'monitoring',
        'going-live',
        'platform-api',
        'hardening',
        'scaling',
        'cells',
        'benchmarks',
        'budget',
      ),
      'SECURITY.md',
    ],
  },
  { title: 'Runbooks', files: allOf('docs/runbooks') },
  { title: 'Companies', files: allOf('docs/providers') },
  {
    title: 'Change it',
    optional: true,
    files: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'docs/decisions/README.md',
      ...allOf('docs/decisions'),
    ],
  },
];

/** Where a file stands on the site: `/docs/…`. */
export function addressOf(file) {
  if (file === `${OWN}/quick-start.md`) return '/docs';
  const path = file.replace(/^(?:docs|docs-site\/pages)\//, '').replace(/(?:\/README)?\.md$/, '');
  return `/docs/${path.toLowerCase()}`;
}

/** Other ways to say what a page is about, for those who search. Weighs as much as a heading. */
export const ALSO = {
  'docs-site/pages/quick-start.md': 'getting started get an api key first request install hello world',
  'docs-site/pages/concepts.md':
    'authentication bearer pagination cursor minor units kobo rate limit versioning idempotent retry safely timeout lost answer',
  'docs-site/pages/sandbox.md':
    'test phone numbers that fail magic values test mode simulate fake outage clock time travel reset',
  'docs/purchases.md': 'airtime data bundle bill electricity meter token tv top-up recharge timeout',
  'docs/payments.md': 'checkout collect charge customer pay in gateway',
  'docs/payouts.md': 'send money to a bank withdraw disburse transfer account approval maker checker',
  'docs/virtual-accounts.md': 'bank transfer deposit NUBAN account number receive',
  'docs/conversions.md': 'exchange rate fx currency quote dollars convert',
  'docs/batches.md': 'bulk csv many salaries upload',
  'docs/beneficiaries.md': 'saved recipients address book contacts',
  'docs/cards.md': 'virtual card issue cardholder kyc freeze reveal pan number',
  'docs/card-authorization.md': 'approve decline real time webhook decide',
  'docs/disputes.md': 'chargeback fraud not received merchant',
  'docs/refunds.md': 'give back return money',
  'docs/wallets.md': 'balance overdraft credit line freeze',
  'docs/statements.md': 'report export reconciliation close day csv pdf accounting',
  'docs/guides/receive-webhooks.md': 'signature verify endpoint secret event delivery retry',
  'docs/mcp.md': 'ai agent assistant llm tools model context protocol',
  'docs/errors.md': 'error codes problem status 402 429',
  'docs/operating.md': 'deploy environment settings commands backup smtp email docker postgres redis',
  'docs/monitoring.md': 'prometheus grafana metrics alerts alarm opentelemetry tracing otlp observability',
  'docs/hardening.md': 'security tls proxy secrets',
  'docs/high-availability.md': 'failover standby replica patroni etcd haproxy replication primary several hosts',
  'docs/scaling.md': 'throughput performance cells workers',
};

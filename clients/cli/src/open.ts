import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { print, type Session, sessionOf } from './command.js';
import { env } from './profiles.js';
import { Usage } from './refusals.js';

/** The page of a thing, by the beginning of its id; of every other its story. */
const PAGES: Readonly<Record<string, string>> = {
  txn: 'transactions',
  wal: 'wallets',
  pay: 'payments',
  evt: 'events',
  req: 'requests',
  whk: 'webhooks',
  dlv: 'deliveries',
  crd: 'cards',
};

function addressOf(what: string, { access: { baseUrl, isLive } }: Session): string {
  const mode = `${baseUrl}/dashboard/${isLive ? 'live' : 'test'}`;
  if (what === 'dashboard') return mode;
  if (what === 'docs') return `${baseUrl}/docs`;
  const [, prefix] = /^([a-z]+)_[0-9a-z]+$/.exec(what) ?? [];
  if (prefix === undefined) throw new Usage('It takes dashboard, docs, or an id such as txn_….');
  return `${mode}/${PAGES[prefix] ?? 'stories'}/${what}`;
}

/** Where somebody sits before a screen. */
function show(url: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  if (!process.stdout.isTTY || (opener === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY)) return;
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

export function addOpen(program: Command): void {
  const command = program
    .command('open')
    .description('Print the address of a page, and open it where there is a screen.')
    .argument('[what]', 'dashboard, docs, or an id such as txn_…', 'dashboard');
  command.action((what: string) => {
    const session = sessionOf(command);
    const url = addressOf(what, session);
    print(session, { url }, () => url);
    if (!session.json) show(url);
  });
}

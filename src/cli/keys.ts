import { InvalidArgumentError, Option } from 'commander';
import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { OVERLAP_MAX_SECONDS } from '../modules/accounts/api-key.entity';
import type { KeyRecord } from '../modules/accounts/api-keys.service';
import { OperatorAccounts } from '../modules/platform/operator-accounts.service';
import { PlatformKeys } from '../modules/platform/platform-keys.service';
import { DukaCommand } from './commands';
import { asOperator, futureTime, idOf, list, name, type Orderer, orderFor, orderOf } from './options';

interface NewKeyOptions extends Orderer {
  account: string;
  mode: 'test' | 'live';
  name: string;
  scopes?: string[];
  allowIp?: string[];
  expires?: Date;
}

/** With its secret, which is shown this once. */
const newKey = (key: KeyRecord, secret: string) => ({
  id: encodeId('key', key.id),
  account_id: encodeId('acct', key.accountId),
  secret,
  livemode: key.livemode,
  name: key.name,
  scopes: key.scopes,
  allowed_ips: key.allowedIps,
  expires_at: key.expiresAt,
  created_at: key.createdAt,
});

const newKeyText = ({ id, secret }: { id: string; secret: string }): string =>
  `Key     ${id}\nSecret  ${secret}\n\nThe secret is not stored: keep it now.`;

const DAY_SECONDS = 24 * 3_600;

function overlap(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Infinity;
  if (seconds > OVERLAP_MAX_SECONDS)
    throw new InvalidArgumentError(`It takes a number of seconds from 0 to ${OVERLAP_MAX_SECONDS}.`);
  return seconds;
}

export const keyCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('key:create', lifetime))
    .description('make an API key; its secret is shown this once; a live one is ordered by an operator')
    .requiredOption('--account <id>', 'whose key (acct_…)', idOf('acct'))
    .addOption(new Option('--mode <mode>', 'which money it moves').choices(['test', 'live']).makeOptionMandatory())
    .option('--name <name>', 'what it is for', name, 'Command line')
    .option('--scopes <list>', 'what it may do, comma-separated; all without this', list)
    .option(
      '--allow-ip <list>',
      'addresses and CIDR ranges it may be used from, comma-separated; any without this',
      list,
    )
    .option('--expires <time>', 'until when it works; for ever without this', futureTime)
    .does<NewKeyOptions>(
      async (session, { account, mode, scopes = null, allowIp = null, expires = null, name: keyName, ...by }) => {
        const wanted = {
          accountId: account,
          livemode: mode === 'live',
          name: keyName,
          scopes,
          allowedIps: allowIp,
          expiresAt: expires,
        };
        const app = await session.app();
        const { key, secret } = await app.get(OperatorAccounts).createKey(orderFor(app, by), wanted);
        const json = newKey(key, secret);
        return { text: newKeyText(json), json };
      },
    ),

  asOperator(new DukaCommand('key:roll', lifetime))
    .description('make a key like another, which works on for a while; its secret is shown this once')
    .requiredOption('--key <id>', 'the key whose place it takes (key_…)', idOf('key'))
    .option('--overlap <seconds>', 'how long the old one still works, never beyond its expiry', overlap, DAY_SECONDS)
    .does<{ key: string; overlap: number } & Orderer>(async (session, { key: id, overlap: seconds, ...by }) => {
      const app = await session.app();
      const { old, key, secret } = await app.get(OperatorAccounts).rollKey(orderFor(app, by), id, seconds);
      const json = { ...newKey(key, secret), old: { id: encodeId('key', old.id), expires_at: old.expiresAt } };
      const until = old.expiresAt?.toISOString();
      return { text: `${newKeyText(json)}\n${json.old.id} works until ${until}.`, json };
    }),

  asOperator(new DukaCommand('key:revoke', lifetime))
    .description('stop an API key, on every process within a second; a live one is stopped by an operator')
    .requiredOption('--key <id>', 'the key (key_…)', idOf('key'))
    .does<{ key: string } & Orderer>(async (session, options) => {
      const app = await session.app();
      const key = await app.get(OperatorAccounts).revokeKey(orderFor(app, options), options.key);
      const json = {
        id: encodeId('key', key.id),
        account_id: encodeId('acct', key.accountId),
        revoked_at: key.revokedAt,
      };
      return { text: `${json.id} is revoked.`, json };
    }),
];

const KEY_DAYS = 90;
const DAY_MS = DAY_SECONDS * 1_000;

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

export const platformKeyCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('platform-key:create', lifetime))
    .description("make a key of the operators' own API for the operator who orders it; its secret is shown this once")
    .option('--name <name>', 'what it is for', name, 'Command line')
    .option('--expires <time>', 'until when it works; 90 days without this', futureTime)
    .does<{ name: string; expires?: Date } & Orderer>(
      async (session, { name: keyName, expires = inDays(KEY_DAYS), ...by }) => {
        const app = await session.app('owner');
        const order = await orderOf(app, by);
        const { key, secret } = await app.get(PlatformKeys).create(order, { name: keyName, expiresAt: expires });
        const json = {
          id: encodeId('key', key.id),
          person: order.operator.email,
          secret,
          name: key.name,
          expires_at: key.expiresAt,
        };
        return { text: newKeyText(json), json };
      },
    ),

  new DukaCommand('platform-key:list', lifetime)
    .description("list the keys of the operators' own API")
    .does(async (session) => {
      const keys = await (await session.app('owner')).get(PlatformKeys).list();
      const json = keys.map((key) => ({
        id: encodeId('key', key.id),
        person: key.email,
        name: key.name,
        last4: key.last4,
        expires_at: key.expiresAt,
        revoked_at: key.revokedAt,
        last_used_at: key.lastUsedAt,
        created_at: key.createdAt,
      }));
      const lines = json.map((key) => {
        const until = key.revoked_at ? 'revoked' : `until ${key.expires_at.toISOString()}`;
        return [key.id, `…${key.last4}`, key.person, key.name, until].join('  ');
      });
      return { text: lines.join('\n') || 'There are no keys of operators.', json: { keys: json } };
    }),

  asOperator(new DukaCommand('platform-key:revoke', lifetime))
    .description("stop a key of the operators' own API")
    .requiredOption('--key <id>', 'the key (key_…)', idOf('key'))
    .does<{ key: string } & Orderer>(async (session, options) => {
      const app = await session.app('owner');
      const key = await app.get(PlatformKeys).revoke(await orderOf(app, options), options.key);
      const json = { id: encodeId('key', key.id), revoked_at: key.revokedAt };
      return { text: `${json.id} is revoked.`, json };
    }),
];

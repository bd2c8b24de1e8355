import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { AccountsService } from '../modules/accounts/accounts.service';
import { AccountOpeningService } from '../modules/wallets/opening.service';
import { WalletsService } from '../modules/wallets/wallets.service';
import { DukaCommand } from './commands';
import { asOperator, deedOf, inOneTransaction, liveOperatorOf, type Orderer } from './operator-deeds';
import { idOf, name } from './option-values';

export const accountCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('account:create', lifetime)
    .description('open an account, with a NGN wallet in test and in live mode')
    .requiredOption('--name <name>', 'who it is', name)
    .does<{ name: string }>(async (session, options) => {
      const app = await session.app();
      const account = await app.get(AccountOpeningService).openAccount(options.name);
      const walletOf = async (livemode: boolean) => {
        const [wallet] = await app.get(WalletsService).list({ accountId: account.id, livemode }, {}, null, 1);
        return encodeId('wal', wallet!.id);
      };
      const json = {
        id: encodeId('acct', account.id),
        name: account.name,
        live_enabled: account.liveEnabled,
        test_wallet: await walletOf(false),
        live_wallet: await walletOf(true),
      };
      const text = `Account      ${json.id}\nTest wallet  ${json.test_wallet}\nLive wallet  ${json.live_wallet}`;
      return { text, json };
    }),

  asOperator(new DukaCommand('account:enable-live', lifetime))
    .description('allow an account to have live keys')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .does<{ account: string } & Orderer>(async (session, options) => {
      const app = await session.app('owner');
      const operator = await liveOperatorOf(app, options);
      const account = await inOneTransaction(app, async (tx) => {
        const changed = await app.get(AccountsService).enableLive(tx, options.account);
        return [
          changed,
          deedOf(operator, options, {
            accountId: changed.id,
            action: 'account.live_enabled',
            target: encodeId('acct', changed.id),
          }),
        ];
      });
      const json = { id: encodeId('acct', account.id), name: account.name, live_enabled: account.liveEnabled };
      return { text: `${json.id} may have live keys.`, json };
    }),

  asOperator(new DukaCommand('account:require-key', lifetime))
    .description('refuse what moves money of an account unless it has an Idempotency-Key or a reference')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .option('--off', 'demand neither any longer')
    .does<{ account: string; off?: true } & Orderer>(async (session, options) => {
      const app = await session.app('owner');
      const operator = await liveOperatorOf(app, options);
      const account = await inOneTransaction(app, async (tx) => {
        const changed = await app
          .get(AccountsService)
          .setRequireIdempotencyKey(tx, options.account, options.off !== true);
        const detail = { require_idempotency_key: changed.requireIdempotencyKey };
        return [
          changed,
          deedOf(operator, options, {
            accountId: changed.id,
            action: 'account.key_required',
            target: encodeId('acct', changed.id),
            detail,
          }),
        ];
      });
      const json = {
        id: encodeId('acct', account.id),
        name: account.name,
        require_idempotency_key: account.requireIdempotencyKey,
      };
      return {
        text: `${json.id} ${json.require_idempotency_key ? 'must' : 'need not'} send a key or a reference with what moves money.`,
        json,
      };
    }),
];

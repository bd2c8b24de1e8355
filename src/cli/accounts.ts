import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { GoingLive } from '../modules/platform/going-live';
import { OperatorAccounts } from '../modules/platform/operator-accounts.service';
import { WalletChangesService } from '../modules/wallets/wallet-changes.service';
import { WalletsService } from '../modules/wallets/wallets.service';
import { DukaCommand, type Report, type Session } from './commands';
import { Readiness } from '../providers/readiness';
import { FREEZE_DIRECTIONS, type FreezeDirection } from '../vocabulary/freezes';
import type { AccountFreeze } from '../modules/accounts/accounts.service';
import { asOperator, freezeDirection, futureTime, idOf, name, type Orderer, orderOf } from './options';

export const accountCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('account:create', lifetime)
    .description('open an account, with a NGN wallet in test and in live mode')
    .requiredOption('--name <name>', 'who it is', name)
    .does<{ name: string }>(async (session, options) => {
      const app = await session.app();
      const account = await app.get(WalletChangesService).openAccount(options.name);
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
    .option('--force', 'whatever live:check finds missing', false)
    .does<{ account: string; force: boolean } & Orderer>((session, options) => setLive(session, options, true)),

  asOperator(new DukaCommand('account:disable-live', lifetime))
    .description('close live mode for an account, and stop its live keys')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .does<{ account: string } & Orderer>((session, options) => setLive(session, options, false)),

  asOperator(new DukaCommand('account:tier', lifetime))
    .description('say which fees an account pays')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .requiredOption('--tier <name>', 'one that the table of fees knows', name)
    .does<{ account: string; tier: string } & Orderer>(async (session, { account: id, tier, ...by }) => {
      const app = await session.app('owner');
      const account = await app.get(OperatorAccounts).setTier(await orderOf(app, by), id, tier);
      return {
        text: `${encodeId('acct', id)} pays the fees of ${account.tier}.`,
        json: { id: encodeId('acct', id), name: account.name, tier: account.tier },
      };
    }),

  asOperator(new DukaCommand('account:time-zone', lifetime))
    .description('say where in the world the days of an account begin, from the next one on')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .requiredOption('--zone <name>', 'such as Africa/Lagos', name)
    .does<{ account: string; zone: string } & Orderer>(async (session, { account: id, zone, ...by }) => {
      const app = await session.app('owner');
      const account = await app.get(OperatorAccounts).setTimeZone(await orderOf(app, by), id, zone);
      return {
        text: `The days of ${encodeId('acct', id)} begin by the clocks of ${account.timeZone}.`,
        json: { id: encodeId('acct', id), name: account.name, time_zone: account.timeZone },
      };
    }),

  asOperator(new DukaCommand('account:require-key', lifetime))
    .description('refuse what moves money of an account unless it has an Idempotency-Key or a reference')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .option('--off', 'demand neither any longer')
    .does<{ account: string; off?: true } & Orderer>(async (session, options) => {
      const app = await session.app('owner');
      const account = await app
        .get(OperatorAccounts)
        .setKeyRequired(await orderOf(app, options), options.account, options.off !== true);
      const json = {
        id: encodeId('acct', account.id),
        name: account.name,
        require_idempotency_key: account.requireIdempotencyKey,
      };
      const must = json.require_idempotency_key ? 'must' : 'need not';
      return { text: `${json.id} ${must} send a key or a reference with what moves money.`, json };
    }),

  ...freezeCommands(lifetime),
];

const freezeCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('account:freeze', lifetime))
    .description(
      'keep money of an account from moving, of all its wallets and cards in both modes; while it is both, its keys ' +
        'only read',
    )
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .requiredOption('--direction <way>', FREEZE_DIRECTIONS.join(', '), freezeDirection)
    .option('--until <time>', 'when it ends by itself', futureTime)
    .does<{ account: string; direction: FreezeDirection; until?: Date } & Orderer>(
      (session, { account, direction, until = null, ...by }) =>
        setFreeze(session, { account, ...by }, { direction, until }),
    ),

  asOperator(new DukaCommand('account:unfreeze', lifetime))
    .description('let money of a frozen account move again; what owners froze themselves stays frozen')
    .requiredOption('--account <id>', 'the account (acct_…)', idOf('acct'))
    .does<{ account: string } & Orderer>((session, options) => setFreeze(session, options, null)),
];

const MOVES: Record<FreezeDirection, string> = {
  debit: 'takes money and pays none',
  credit: 'pays and takes no money',
  both: 'neither pays nor takes money, and its keys only read',
};

async function setFreeze(
  session: Session,
  { account: id, ...by }: { account: string } & Orderer,
  freeze: AccountFreeze | null,
): Promise<Report> {
  const app = await session.app('owner');
  const account = await app.get(OperatorAccounts).setFreeze(await orderOf(app, by), id, freeze);
  const json = { id: encodeId('acct', account.id), name: account.name, freeze };
  const until = freeze?.until ? `until ${freeze.until.toISOString()}` : 'until it is unfrozen';
  return { text: `${json.id} ${freeze === null ? 'is not frozen' : `${MOVES[freeze.direction]}, ${until}`}.`, json };
}

export const liveCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('live:check', lifetime)
    .description('go through what must be so before real money moves; asks every live provider something harmless')
    .does(async (session) => {
      const items = await (await session.app()).get(Readiness).list();
      const lines = items.map(
        ({ item, isReady, says }) => `${isReady ? 'ok     ' : 'MISSING'}  ${item.padEnd(9)}  ${says}`,
      );
      const json = { items: items.map(({ isReady, ...one }) => ({ ...one, ready: isReady })) };
      return { text: lines.join('\n'), json, failed: items.some(({ isReady }) => !isReady) };
    }),
];

async function setLive(
  session: Session,
  { account: id, force = false, ...by }: { account: string; force?: boolean } & Orderer,
  enabled: boolean,
): Promise<Report> {
  const app = await session.app('owner');
  const order = await orderOf(app, by);
  const account = await (enabled ? app.get(GoingLive).enable(order, id, force) : app.get(GoingLive).disable(order, id));
  const json = { id: encodeId('acct', account.id), name: account.name, live_enabled: account.liveEnabled };
  return {
    text: enabled
      ? `${json.id} may have live keys.`
      : `${json.id} has no live mode any more, and its live keys are stopped.`,
    json,
  };
}

import { InvalidArgumentError } from 'commander';
import { displayMoney } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import { OperatorCards, type TierLimitsShown } from '../modules/platform/operator-cards.service';
import { DukaCommand, modeOf } from './commands';
import { asOperator, minorUnitsOrNone, type Orderer, orderFor } from './options';

interface LimitsOptions extends Orderer {
  tier: number;
  cards: number | null;
  loadSingle: bigint | null;
  loadDaily: bigint | null;
  balance: bigint | null;
  test: boolean;
}

const CARDS_MAX = 10_000;

export const kycCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('kyc:limits', lifetime))
    .description('say what cardholders of a tier may have on cards; what is left out has no limit')
    .requiredOption('--tier <tier>', '1 to 3, by how far they are proven; 0: who is not verified', count(3))
    .option('--cards <number>', 'cards at once', count(CARDS_MAX), null)
    .option('--load-single <amount>', 'the largest load, in cents', minorUnitsOrNone, null)
    .option('--load-daily <amount>', 'of all loads within 24 hours, in cents', minorUnitsOrNone, null)
    .option('--balance <amount>', 'on a card after a load, in cents', minorUnitsOrNone, null)
    .option('--test', 'of test mode', false)
    .does<LimitsOptions>(async (session, { tier, cards, loadSingle, loadDaily, balance, test, ...by }) => {
      // No running process may say what cardholders may have.
      const app = await session.app('owner');
      const limits = { cardsMax: cards, loadSingleMax: loadSingle, loadDailyMax: loadDaily, balanceMax: balance };
      const order = await orderFor(app, by)(!test);
      const json = await app.get(OperatorCards).setTierLimits(order, { livemode: !test, tier }, limits);
      return { text: lineOf(json), json };
    }),
  new DukaCommand('kyc:list', lifetime)
    .description('list what cardholders of each tier may have on cards, who said so and why')
    .does(async (session) => {
      const limits = await (await session.app()).get(OperatorCards).listTierLimits();
      const lines = limits.map((each) => `${lineOf(each)} By ${each.set_by}: ${each.reason}`);
      return { text: lines.join('\n') || 'No tier has limits.', json: { limits } };
    }),
];

function lineOf({ livemode, tier, ...limits }: TierLimitsShown): string {
  const shown = (amount: number | null): string =>
    amount === null ? 'no limit' : displayMoney({ amount: BigInt(amount), currency: 'USD' });
  const loads = `at once ${shown(limits.load_single_max)}, within 24 hours ${shown(limits.load_daily_max)}`;
  const cards = `cards ${limits.cards_max ?? 'no limit'}, on a card ${shown(limits.balance_max)}`;
  return `Tier ${tier} in ${modeOf(livemode)} mode: ${cards}; loaded ${loads}.`;
}

function count(max: number) {
  return (text: string): number => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : -1;
    if (value < 0 || value > max) throw new InvalidArgumentError(`It takes a whole number from 0 to ${max}.`);
    return value;
  };
}

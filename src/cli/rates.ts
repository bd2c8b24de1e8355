import { InvalidArgumentError } from 'commander';
import { CURRENCIES, type Currency, displayMoney } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import { type Rate, rateFrom, rateText, valueOf } from '../modules/conversions/rate';
import { RatesService } from '../modules/conversions/rates.service';
import { LedgerAccountsService } from '../modules/ledger/accounts.service';
import { DukaCommand, modeOf } from './commands';
import { asOperator, count, currency, type Orderer, orderFor } from './options';

interface SetOptions extends Orderer {
  from: Currency;
  to: Currency;
  rate: Rate;
  spread: number;
  maxAge: number | null;
  maxMove: number | null;
  test: boolean;
}

const TEST = ['--test', 'of test mode'] as const;

export const rateCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('rate:set', lifetime))
    .description('say what one currency is worth in another, both ways, from now on')
    .requiredOption('--from <currency>', 'one unit of it', currency)
    .requiredOption('--to <currency>', 'is worth so much of it', currency)
    .requiredOption('--rate <decimal>', 'such as 1550.25', rate)
    .option('--spread <basis points>', 'kept of it, from 0 to 5000', count(0, 5_000), 0)
    .option('--max-age <seconds>', 'not quoted any more when it is older', count(1, 31_536_000), null)
    .option('--max-move <basis points>', 'so far providers may move it, from 1 to 5000', count(1, 5_000), null)
    .option(...TEST, false)
    .does<SetOptions>(async (session, { from: base, to: quote, rate: worth, spread, maxAge, maxMove, test, ...by }) => {
      if (maxMove !== null && maxAge === null)
        throw new InvalidArgumentError('--max-move needs --max-age: what a provider said does not count for ever.');
      // No running process may say what money is worth.
      const app = await session.app('owner');
      const { name: person, reason } = await orderFor(app, by)(!test);
      const set = { spreadBasisPoints: spread, maxAgeSeconds: maxAge, maxMoveBasisPoints: maxMove, person, reason };
      await app.get(RatesService).set({ livemode: !test, base, quote, rate: worth, ...set });
      const json = { from: base, to: quote, rate: rateText(worth), spread_basis_points: spread, livemode: !test };
      const age = maxAge === null ? '' : ` It is quoted for ${maxAge} s.`;
      const text = `${base} 1 is ${quote} ${json.rate} in ${modeOf(!test)} mode, less ${spread} basis points.${age}`;
      return { text, json: { ...json, max_age_seconds: maxAge, max_move_basis_points: maxMove } };
    }),
  new DukaCommand('rate:list', lifetime)
    .description('list the rates that count, who set them and when')
    .option(...TEST, false)
    .does<{ test: boolean }>(async (session, { test }) => {
      const stored = await (await session.app()).get(RatesService).listNewest(!test);
      const rates = stored.map((each) => ({
        from: each.base,
        to: each.quote,
        rate: rateText(each.rate),
        spread_basis_points: each.spreadBasisPoints,
        max_age_seconds: each.maxAgeSeconds,
        max_move_basis_points: each.maxMoveBasisPoints,
        set_at: each.setAt,
        person: each.person,
        reason: each.reason,
      }));
      const lines = rates.map(
        (each) =>
          `${each.from} 1 = ${each.to} ${each.rate}, spread ${each.spread_basis_points}, ` +
          `by ${each.person} at ${each.set_at.toISOString()}`,
      );
      return { text: lines.join('\n') || `There is no rate in ${modeOf(!test)} mode.`, json: { rates } };
    }),
  new DukaCommand('fx:position', lifetime)
    .description('show what conversions and deliveries abroad left the platform with, and what that is worth now')
    .option('--in <currency>', 'value it in this currency', currency, 'USD')
    .does<{ in: Currency }>(async (session, { in: target }) => {
      const app = await session.app();
      const [accounts, rates] = [app.get(LedgerAccountsService), app.get(RatesService)];
      const positions = [];
      const balances = await accounts.platformBalances('fx_position', true);
      for (const each of CURRENCIES) {
        const amount = balances.get(each);
        if (amount === undefined) continue;
        const mid = each === target ? null : await rates.mid(true, each, target);
        const value = each === target ? amount : mid && valueOf(amount, mid, { from: each, to: target });
        positions.push({ currency: each, amount: amount.toString(), value: value?.toString() ?? null });
      }
      const sum = positions.every(({ value }) => value !== null)
        ? positions.reduce((total, { value }) => total + BigInt(value!), 0n)
        : null;
      const lines = positions.map(({ currency: of, amount, value }) => {
        const worth = value === null ? 'no rate' : displayMoney({ amount: BigInt(value), currency: target });
        return `${displayMoney({ amount: BigInt(amount), currency: of })} (${worth})`;
      });
      const total = sum === null ? 'not known' : displayMoney({ amount: sum, currency: target });
      return {
        text: [...lines, `Together: ${total}.`].join('\n'),
        json: { in: target, positions, value: sum?.toString() ?? null },
      };
    }),
];

function rate(text: string): Rate {
  const worth = rateFrom(text);
  if (worth === null) throw new InvalidArgumentError('It takes a decimal number above 0, such as 1550.25.');
  return worth;
}

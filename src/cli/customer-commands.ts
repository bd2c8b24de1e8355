import type { Lifetime } from '../core/process/lifetime';
import { CardDeeds } from '../modules/platform/card-deeds.service';
import { DukaCommand } from './commands';
import { asOperator, orderOf, type Orderer } from './operator-deeds';
import { idOf } from './option-values';

export const customerCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('customer:anonymize', lifetime))
    .description(
      'empty what is personal of a cardholder, for good: data, cards, events, request log; books and ids stay',
    )
    .requiredOption('--customer <id>', 'the cardholder (cus_…), without a card that still works', idOf('cus'))
    .option('--dry-run', 'only say what would be emptied', false)
    .does<{ customer: string; dryRun: boolean } & Orderer>(async (session, { customer: id, dryRun, ...by }) => {
      const app = await session.app('owner');
      const done = await app.get(CardDeeds).anonymize(await orderOf(app, by), id, dryRun);
      const { customer_id: customer, cards, events, webhook_attempts: attempts, issuer_calls: calls, requests } = done;
      if (done.done_before)
        return { text: `${customer} was anonymized before, and nothing is left to empty.`, json: done };
      const sums = `${cards} cards, ${events} events, ${attempts} answers of receivers, ${calls} of issuers, ${requests} requests`;
      return { text: `${customer} ${dryRun ? 'would be' : 'is'} anonymized: ${sums}.`, json: done };
    }),
];

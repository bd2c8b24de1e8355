import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { CustomerAnonymizing, type CustomerTraces } from '../modules/cards/customer-anonymizing.service';
import { DukaCommand } from './commands';
import { asOperator, deedOf, inOneTransaction, liveOperatorOf, type Orderer } from './operator-deeds';
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
      const operator = await liveOperatorOf(app, by);
      const anonymizing = app.get(CustomerAnonymizing, { strict: false });
      const { customer, traces, isDone } = await inOneTransaction(app, async (tx) => {
        const traced = await anonymizing.trace(tx, id);
        if (dryRun || traced.isDone) return [traced, null];
        await anonymizing.empty(tx, traced);
        const { accountId, livemode } = traced.customer;
        const detail = { livemode, ...countsOf(traced.traces) };
        return [
          traced,
          deedOf(operator, by, { accountId, action: 'customer.anonymized', target: encodeId('cus', id), detail }),
        ];
      });
      const counts = countsOf(traces);
      const json = {
        customer_id: encodeId('cus', id),
        account_id: encodeId('acct', customer.accountId),
        livemode: customer.livemode,
        dry_run: dryRun,
        done_before: isDone,
        ...counts,
      };
      const sums = Object.entries(counts)
        .map(([what, count]) => `${count} ${what.replace('_', ' ')}`)
        .join(', ');
      const verb = isDone
        ? 'was anonymized before, and nothing is left to empty'
        : dryRun
          ? 'would be anonymized'
          : 'is anonymized';
      return { text: isDone ? `${json.customer_id} ${verb}.` : `${json.customer_id} ${verb}: ${sums}.`, json };
    }),
];

const countsOf = ({ cards, events, webhookAttempts, issuerCalls, requests }: CustomerTraces) => ({
  cards: cards.length,
  events: events.length,
  webhook_attempts: webhookAttempts.length,
  issuer_calls: issuerCalls.length,
  requests: requests.length,
});

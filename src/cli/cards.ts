import type { Lifetime } from '../core/process/lifetime';
import { OperatorCards } from '../modules/platform/operator-cards.service';
import { DukaCommand, type Session } from './commands';
import { asOperator, idOf, name, type Orderer, orderOf } from './options';

interface BlockOptions {
  card: string;
  person: string;
  reason: string;
}

export const cardCommands = (lifetime: Lifetime): DukaCommand[] => [
  command(
    'card:block',
    'stop a card whatever its owner says: it declines everything until it is unblocked',
    lifetime,
  ).does<BlockOptions>((session, options) => change(session, 'blocked', options)),
  command('card:unblock', 'end the block of a card: it is what it was before', lifetime).does<BlockOptions>(
    (session, options) => change(session, 'unblocked', options),
  ),
];

const command = (called: string, what: string, lifetime: Lifetime): DukaCommand =>
  new DukaCommand(called, lifetime)
    .description(what)
    .requiredOption('--card <id>', 'the card (crd_…)', idOf('crd'))
    .requiredOption('--person <email>', 'who decides: the log-in of an operator', name)
    .requiredOption('--reason <text>', 'why: the account reads it as status_reason', name);

async function change(session: Session, to: 'blocked' | 'unblocked', { card, ...by }: BlockOptions) {
  const app = await session.app();
  const json = await app.get(OperatorCards).change(await orderOf(app, by), card, to);
  return { text: `${json.card_id} is ${json.status}; it was ${json.was}.`, json };
}

export const customerCommands = (lifetime: Lifetime): DukaCommand[] => [
  asOperator(new DukaCommand('customer:anonymize', lifetime))
    .description(
      'empty what is personal of a cardholder, for good: data, cards, events, request log; books and ids stay',
    )
    .requiredOption('--customer <id>', 'the cardholder (cus_…), without a card that still works', idOf('cus'))
    .option('--dry-run', 'only say what would be emptied', false)
    .does<{ customer: string; dryRun: boolean } & Orderer>(async (session, { customer: id, dryRun, ...by }) => {
      const app = await session.app('owner');
      const done = await app.get(OperatorCards).anonymize(await orderOf(app, by), id, dryRun);
      const { customer_id: customer, cards, events, webhook_attempts: attempts, issuer_calls: calls, requests } = done;
      if (done.done_before)
        return { text: `${customer} was anonymized before, and nothing is left to empty.`, json: done };
      const answers = `${attempts} answers of receivers, ${calls} of issuers`;
      const sums = `${cards} cards, ${events} events, ${answers}, ${requests} requests`;
      return { text: `${customer} ${dryRun ? 'would be' : 'is'} anonymized: ${sums}.`, json: done };
    }),
];

import type { Lifetime } from '../core/process/lifetime';
import { CardDeeds } from '../modules/platform/card-deeds.service';
import { DukaCommand } from './commands';
import { orderOf } from './operator-deeds';
import { idOf, name } from './option-values';
import type { Session } from './session';

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
  const json = await app.get(CardDeeds).change(await orderOf(app, by), card, to);
  return { text: `${json.card_id} is ${json.status}; it was ${json.was}.`, json };
}

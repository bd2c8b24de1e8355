import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { CardChangesService, type Goal } from '../modules/cards/card-changes.service';
import { CardsService } from '../modules/cards/cards.service';
import { deedWrite } from '../modules/dashboard-api/audit.service';
import { DukaCommand } from './commands';
import { deedOf, operatorOf } from './operator-deeds';
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

async function change(session: Session, to: Goal, { card: id, person, reason }: BlockOptions) {
  const app = await session.app();
  const cards = app.get(CardsService, { strict: false });
  const card = await cards.requireAny(id);
  const operator = await operatorOf(app, person);
  const by = { actor: 'operator', actorId: operator.email, reason } as const;
  const { accountId, livemode } = card;
  const deed = deedOf(
    operator,
    { person, reason },
    { accountId, action: `card.${to}`, target: encodeId('crd', id), detail: { livemode } },
  );
  await app
    .get(CardChangesService, { strict: false })
    .change(card, {
      to,
      by,
      origin: { requestId: null, idempotencyKey: null },
      claim: null,
      writes: [deedWrite(deed)],
    });
  const { status } = await cards.require(card, card.id);
  const json = {
    card_id: encodeId('crd', id),
    account_id: encodeId('acct', accountId),
    livemode,
    status,
    was: card.status,
  };
  return { text: `${json.card_id} is ${status}; it was ${card.status}.`, json };
}

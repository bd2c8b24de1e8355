import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CardActor, CardStatus } from './cards.states';

/** A change of a card's state. Only added, with the change itself. */
@Entity('card_transitions')
export class CardTransition {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of the change. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'card_id' })
  cardId: string;

  /** Null: the card was made. */
  @Column('text', { name: 'from_status', nullable: true })
  fromStatus: CardStatus | null;

  @Column('text', { name: 'to_status' })
  toStatus: CardStatus;

  @Column('text')
  actor: CardActor;

  /** Public id of the API key, name of the person or of the issuer. */
  @Column('text', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  reason: string | null;
}

import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { DomainError } from '../../../core/errors/domain-error';
import type { Caller, Key } from '../../../core/http/caller';
import { makeToken, newIdOf } from '../../../core/http/ids';
import type { Revealed } from '../card-issuer';
import type { CardReveal } from '../card.dto';
import type { CardRecord } from '../card.entity';
import { CardNotActive, CardsService } from '../cards.service';
import { IssuerClient } from '../issuers/issuer-client';

/** Used, too old, or never given out: nobody is told which. */
class RevealGone extends DomainError {
  constructor() {
    super({
      code: 'reveal_gone',
      kind: 'gone',
      title: 'Link is gone',
      detail: 'This link shows nothing: it was used, is older than a minute, or never was one. Ask for a new one.',
    });
  }
}

/** The link is used up, and the issuer showed nothing. */
class IssuerCannotShow extends DomainError {
  constructor() {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: false,
      detail: 'The issuer cannot show the card right now, and this link is used up. Ask for a new one later.',
    });
  }
}

const VALID_MS = 60_000;

interface RevealRow {
  readonly account_id: string;
  readonly livemode: boolean;
  readonly id: string;
  readonly card_id: string;
  readonly used_at: Date | null;
  readonly expires_at: Date;
}

const INSERT = `
  INSERT INTO card_reveals (account_id, livemode, id, card_id, token_hash, key_id, request_id, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const SELECT = 'SELECT account_id, livemode, id, card_id, used_at, expires_at FROM card_reveals WHERE token_hash = $1';

// Of two who open the link at once, one finds it used.
const USE = `
  UPDATE card_reveals SET used_at = $4, used_from = $5
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND used_at IS NULL AND expires_at > $4 RETURNING id`;

/**
 * Shows card numbers to people, once per link. Only who asked and who looked is kept; the link itself is kept as a
 * hash.
 */
@Injectable()
export class CardReveals {
  private readonly log = new Logger('cards');

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly cards: CardsService,
    private readonly issuer: IssuerClient,
  ) {}

  /** Throws `NotFound`, `CardNotActive`. */
  async create(caller: Caller, cardId: string | null): Promise<CardReveal> {
    const card = await this.cards.require(caller, cardId);
    if (card.status !== 'active') throw new CardNotActive(card, 'shown');
    const id = newIdOf(caller.accountId);
    const token = makeToken(caller.accountId);
    const expiresAt = new Date((await this.clock.now(caller)).getTime() + VALID_MS);
    const { accountId, livemode, keyId, requestId } = caller;
    await this.dataSource.query(INSERT, [accountId, livemode, id, card.id, hashOf(token), keyId, requestId, expiresAt]);
    return { id, card, token, expiresAt };
  }

  /** Whether there is something to see; the link stays good. Throws `RevealGone`. */
  async look(token: string): Promise<void> {
    await this.findOpen(token);
  }

  /**
   * Uses the link up when there is something to show. `from`: address of the reader. Throws `RevealGone`,
   * `CardNotActive`, `IssuerCannotShow`.
   */
  async use(token: string, from: string): Promise<{ readonly card: CardRecord; readonly revealed: Revealed }> {
    const { row, now } = await this.findOpen(token);
    const key: Key = { accountId: row.account_id, livemode: row.livemode, id: row.card_id };
    const card = await this.cards.require(key, key.id);
    // Nothing was shown: the link stays good for when the card is active again.
    if (card.status !== 'active') throw new CardNotActive(card, 'shown');
    const [, used]: [unknown, number] = await this.dataSource.query(USE, [
      row.account_id,
      row.livemode,
      row.id,
      now,
      from,
    ]);
    if (used !== 1) throw new RevealGone();
    return { card, revealed: await this.show(card) };
  }

  private async findOpen(token: string): Promise<{ readonly row: RevealRow; readonly now: Date }> {
    const [row]: RevealRow[] = await this.dataSource.query(SELECT, [hashOf(token)]);
    if (row === undefined) throw new RevealGone();
    const now = await this.clock.now({ accountId: row.account_id, livemode: row.livemode });
    if (row.used_at !== null || row.expires_at <= now) throw new RevealGone();
    return { row, now };
  }

  private async show(card: CardRecord): Promise<Revealed> {
    try {
      return await this.issuer.reveal(card);
    } catch (error) {
      this.log.error({ message: 'a card could not be shown', card: card.id, issuer: card.issuer, err: error });
      throw new IssuerCannotShow();
    }
  }
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

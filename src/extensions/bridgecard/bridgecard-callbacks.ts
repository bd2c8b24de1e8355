import { Inject, Injectable } from '@nestjs/common';
import { needSettings, type Of } from '../../core/config/settings';
import { DomainError } from '../../core/errors/domain-error';
import { IssuerMessages } from '../../modules/cards/issuer-messages';
import { type CallbackRequest, heard } from '../../providers/answers';
import { BRIDGECARD, Bridgecard, dataOf, ISSUER, type Told } from './bridgecard';
import { type Hint, messageOf, type Verified, verified } from './bridgecard-messages';

const CALL_TIMEOUT_MS = 10_000;

const RECEIVED = { received: true } as const;

/** What Bridgecard tells by itself: a hint, until Bridgecard was asked about it. */
@Injectable()
export class BridgecardCallbacks {
  constructor(
    @Inject(BRIDGECARD) private readonly settings: Of<typeof BRIDGECARD>,
    private readonly bridgecard: Bridgecard,
    private readonly messages: IssuerMessages,
  ) {}

  /** Throws `ForgedCallback`, and what the cards throw where Bridgecard is to send it again. */
  async receive(callback: CallbackRequest): Promise<{ readonly received: true }> {
    const genuine = await heard(
      ISSUER,
      () => verified(callback, this.settings),
      (value) => (value as Verified | undefined) ?? { outcome: 'forged' as const },
    );
    if (genuine !== null) await this.take(genuine.hint);
    return RECEIVED;
  }

  private async take(hint: Hint): Promise<void> {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const card = dataOf(await this.bridgecard.card(hint.card, signal), 'card_id');
    const transaction = await this.transaction(hint, signal);
    if (card === null || transaction === null) throw new Error('Bridgecard does not show what a webhook is about');
    const message = messageOf(hint, card, transaction);
    if (message === null) return;
    try {
      await this.messages.take(message);
    } catch (error) {
      if (!(error instanceof DomainError) || error.details.code !== 'duplicate_reference') throw error;
    }
  }

  /** By either of the two references that a transaction has: which one webhooks name is not said. */
  private async transaction({ card, reference }: Hint, signal: AbortSignal): Promise<Told | null> {
    for (const name of ['client_transaction_reference', 'bridgecard_transaction_reference']) {
      const query = { card_id: card, [name]: reference };
      const told = dataOf(await this.bridgecard.get('cards/get_card_transaction_by_id', query, signal));
      if (told !== null) return told;
    }
    return null;
  }
}

needSettings(BRIDGECARD, BridgecardCallbacks);

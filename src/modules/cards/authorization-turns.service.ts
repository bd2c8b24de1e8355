import { Injectable } from '@nestjs/common';

/**
 * One after the other in this process for each card. Only a courtesy that spares retries: between processes the card's
 * counter of authorizations decides.
 */
@Injectable()
export class AuthorizationTurns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(cardId: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(cardId) ?? Promise.resolve()).then(work);
    const ended = mine.catch(() => undefined);
    this.last.set(cardId, ended);
    try {
      return await mine;
    } finally {
      if (this.last.get(cardId) === ended) this.last.delete(cardId);
    }
  }
}

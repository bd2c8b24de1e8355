import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../core/config/env';
import { keysFor } from '../../../core/config/secrets-keys';
import { luhnDigit } from '../../../core/text/luhn';
import type { Brand } from '../card-issuer';

/** Ranges that no bank uses for real cards. */
const TEST_BIN: Readonly<Record<Brand, string>> = { visa: '400000', mastercard: '520000' };
const FREE_DIGITS = 9;
const CVV_DIGITS = 3;

/** Numbers of test cards: they follow from the card's id and `SECRETS_KEY`, so that nobody keeps them. */
@Injectable()
export class SandboxNumbers {
  private readonly key: Buffer;

  constructor(env: Env) {
    [this.key] = keysFor('duka/sandbox-cards/v1', env) as [Buffer];
  }

  /** 16 digits that pass the Luhn check. */
  numberOf(cardId: string, brand: Brand): string {
    const body = TEST_BIN[brand] + this.digits(`number/${cardId}`, FREE_DIGITS);
    return body + luhnDigit(body);
  }

  cvvOf(cardId: string): string {
    return this.digits(`cvv/${cardId}`, CVV_DIGITS);
  }

  private digits(label: string, count: number): string {
    const random = BigInt(`0x${createHmac('sha256', this.key).update(label).digest('hex')}`);
    return (random % 10n ** BigInt(count)).toString().padStart(count, '0');
  }
}

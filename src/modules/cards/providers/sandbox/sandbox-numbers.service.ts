import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../../core/config/env';
import type { Brand } from '../../cards.types';

/** Ranges that no bank uses for real cards. */
const TEST_BIN: Readonly<Record<Brand, string>> = { visa: '400000', mastercard: '520000' };
const FREE_DIGITS = 9;
const CVV_DIGITS = 3;

/** Numbers of test cards: they follow from the card's id and `SECRETS_KEY`, so that nobody keeps them. */
@Injectable()
export class SandboxNumbers {
  private readonly key: Buffer;

  constructor(env: Env) {
    this.key = Buffer.from(hkdfSync('sha256', Buffer.from(env.SECRETS_KEY, 'base64'), '', 'duka/sandbox-cards/v1', 32));
  }

  /** 16 digits that pass the Luhn check. */
  numberOf(cardId: string, brand: Brand): string {
    const body = TEST_BIN[brand] + this.digits(`number/${cardId}`, FREE_DIGITS);
    return body + checkDigit(body);
  }

  cvvOf(cardId: string): string {
    return this.digits(`cvv/${cardId}`, CVV_DIGITS);
  }

  private digits(label: string, count: number): string {
    const random = BigInt(`0x${createHmac('sha256', this.key).update(label).digest('hex')}`);
    return (random % 10n ** BigInt(count)).toString().padStart(count, '0');
  }
}

/** Luhn: from the right, every second digit counts double. */
function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = (digit.charCodeAt(0) - 48) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

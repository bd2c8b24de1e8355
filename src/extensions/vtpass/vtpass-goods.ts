import type { BillItem } from '../../modules/bills/bills.provider';
import type { Delivered } from '../../modules/purchases/purchases.provider';
import { fieldsOf, type Given } from '../../providers/answers';
import { serviceOf } from './vtpass-billers';

interface Token {
  readonly kind: string;
  readonly value: string;
  readonly units: string | null;
}

interface Pin {
  readonly serial: string;
  readonly pin: string;
}

/**
 * What a bill brings: a receipt, and meter tokens or PINs, which are secret. Null where there ought to be some and are
 * none. Each DisCo has fields of its own, and `N/A` where it has nothing to say.
 */
export function goodsOf(
  { biller, serviceType, quantity }: BillItem,
  body: Given,
): Pick<Delivered, 'details' | 'secrets'> | null {
  const details = { receipt_number: textOf(body.exchangeReference) };
  const { trade } = serviceOf(biller)!;
  if (trade === 'meter' && serviceType === 'prepaid') {
    const tokens = tokensOf(body);
    return tokens.length === 0 ? null : { details, secrets: { tokens } };
  }
  if (trade !== 'pins' && trade !== 'profile' && trade !== 'vouchers') return { details };
  const pins = pinsOf(body);
  return pins.length < quantity ? null : { details, secrets: { pins } };
}

/** `Token : 26362054405982757802`, `2636-2054-…` → digits; null where there is no token. */
function digitsOf(value: unknown): string | null {
  const [found] = /\d[\d -]{14,}\d/.exec(textOf(value) ?? '') ?? [];
  return found?.replace(/\D/g, '') ?? null;
}

function tokensOf(body: Given): Token[] {
  const main =
    digitsOf(body.mainToken) ?? digitsOf(body.token) ?? digitsOf(body.Token) ?? digitsOf(body.purchased_code);
  const units = textOf(body.mainTokenUnits) ?? textOf(body.units) ?? textOf(body.Units);
  const others = [
    ['bonus', body.bonusToken, body.bonusTokenUnits],
    ['key_change_1', body.kct1],
    ['key_change_2', body.kct2],
    ['reset', body.resetToken],
    ['configure', body.configureToken],
  ] as const;
  const first = main === null ? [] : [{ kind: 'credit', value: main, units }];
  return others.reduce<Token[]>((tokens, [kind, token, more]) => {
    const value = digitsOf(token);
    return value === null ? tokens : [...tokens, { kind, value, units: textOf(more) }];
  }, first);
}

/** Cards, tokens or one PIN; where there is none of them they stand in the text that VTpass makes of all of them. */
function pinsOf(body: Given): Pin[] {
  if (Array.isArray(body.cards)) return body.cards.flatMap(cardOf);
  if (Array.isArray(body.tokens)) return body.tokens.flatMap((token: unknown) => pinOf(null, token));
  const [one] = pinOf(null, body.Pin ?? body.pin);
  if (one !== undefined) return [one];
  return (textOf(body.purchased_code) ?? '').split('||').flatMap((part) => {
    const [, serial] = /serial\s*(?:no)?\s*:\s*([^\s,]+)/i.exec(part) ?? [];
    return pinOf(serial ?? null, part);
  });
}

function cardOf(card: unknown): Pin[] {
  const { Serial, serialNumber, Pin, pin } = fieldsOf(card);
  return pinOf(textOf(Serial) ?? textOf(serialNumber), Pin ?? pin);
}

/** `Pin : 3678251321392432` → its PIN. Without a serial: an empty one. */
function pinOf(serial: string | null, value: unknown): Pin[] {
  const [, pin] = /(?:^|(?:pin|token)\s*:\s*)([0-9A-Za-z-]{6,})\s*$/i.exec(textOf(value) ?? '') ?? [];
  return pin === undefined ? [] : [{ serial: serial ?? '', pin }];
}

/** Text, or a number as text; null for nothing, and for `N/A`. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const found = String(value).trim();
  return found === '' || found.toUpperCase() === 'N/A' ? null : found;
}

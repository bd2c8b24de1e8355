import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { InvalidArgumentError } from 'commander';
import { isDatabaseUrl } from '../core/config/database-url';
import { decodeId } from '../core/http/ids';
import { FREEZE_DIRECTIONS, type FreezeDirection } from '../vocabulary/freezes';
import type { IdPrefix } from '../vocabulary/id-prefixes';
import { AMOUNT_MAX, CURRENCIES, type Currency, isCurrency } from '../core/money/money';
import { OperatorOrders, type OperatorOrder, type Order } from '../modules/platform/operator-orders.service';
import type { DukaCommand } from './commands';

/** Readers of option values: each says what is wrong before anything is opened. */

export const idOf =
  (prefix: IdPrefix) =>
  (text: string): string => {
    const id = decodeId(prefix, text);
    if (id === null) throw new InvalidArgumentError(`It is no id of the form ${prefix}_….`);
    return id;
  };

export function minorUnits(text: string): bigint {
  const amount = /^\d{1,16}$/.test(text) ? BigInt(text) : 0n;
  if (amount <= 0n || amount > AMOUNT_MAX)
    throw new InvalidArgumentError('It takes a whole number of minor units (kobo, cents) above 0.');
  return amount;
}

export function minorUnitsOrNone(text: string): bigint {
  return text === '0' ? 0n : minorUnits(text);
}

export function freezeDirection(text: string): FreezeDirection {
  const direction = FREEZE_DIRECTIONS.find((one) => one === text);
  if (direction === undefined) throw new InvalidArgumentError(`It takes one of ${FREEZE_DIRECTIONS.join(', ')}.`);
  return direction;
}

export function currency(text: string): Currency {
  if (!isCurrency(text)) throw new InvalidArgumentError(`It takes one of ${CURRENCIES.join(', ')}.`);
  return text;
}

export function reference(text: string): string {
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(text))
    throw new InvalidArgumentError('It takes 1 to 128 of the characters A-Z a-z 0-9 . _ : -');
  return text;
}

export function name(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 100) throw new InvalidArgumentError('It takes 1 to 100 characters.');
  return trimmed;
}

/** Addresses of databases, a line each; a password does not stand in the list of processes then. */
export function urlsOf(file: string): string[] {
  const urls = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (urls.length === 0) throw new InvalidArgumentError('There is no address of a database in it.');
  return urls;
}

/** The address of a database, or of a file that has one. */
export function databaseUrl(text: string): string {
  const urls = existsSync(text) ? urlsOf(text) : [text.trim()];
  if (urls.length > 1 || !isDatabaseUrl(urls[0]))
    throw new InvalidArgumentError(
      'It takes postgres://user:password@host:5432/duka, several hosts too, or a file with one such line.',
    );
  return urls[0]!;
}

/** A whole number between two. */
export function count(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,8}$/.test(text) ? Number(text) : -1;
    if (value < min || value > max) throw new InvalidArgumentError(`It takes a whole number from ${min} to ${max}.`);
    return value;
  };
}

export function days(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count === 0) throw new InvalidArgumentError('It takes a number of days from 1 to 999.');
  return count;
}

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

export function futureTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || !(time.getTime() > Date.now())) {
    throw new InvalidArgumentError('It takes a time to come, such as 2030-01-31 or 2030-01-31T12:00:00Z.');
  }
  return time;
}

/** Who is said to order something at the command line, and why. */
export interface Orderer {
  readonly person: string;
  readonly reason?: string;
}

/** Options of a command that changes an account: they go to its audit log. */
export const asOperator = (command: DukaCommand): DukaCommand =>
  command
    .option('--person <who>', 'who orders it; for live money the e-mail of an operator', name, login())
    .option('--reason <text>', 'why: goes to the audit log; needed for live money', name);

/** Throws `ReasonNeeded`, `NotFound`. */
export const orderOf = (app: INestApplicationContext, { person, reason }: Orderer): Promise<OperatorOrder> =>
  app.get(OperatorOrders).orderOf(person, reason);

/** Where the name that was typed will do. */
export const typedOrder = ({ person, reason = '' }: Orderer): Order => ({
  operator: null,
  name: person,
  reason,
  ip: null,
});

/** Of live money an operator's order, of test money anybody's. */
export const orderFor =
  (app: INestApplicationContext, by: Orderer) =>
  async (livemode: boolean): Promise<Order> =>
    livemode ? orderOf(app, by) : typedOrder(by);

/** A container's user may have a number only. */
function login(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

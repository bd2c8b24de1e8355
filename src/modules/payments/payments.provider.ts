import type { Currency } from '../../core/money/currencies';
import type { Gateway } from './payments.types';

/** Where a gateway class keeps what it is called: shared by all copies of this file that one process may have loaded. */
export const TAKES = Symbol.for('duka:takes-payments');

export interface GatewaySettings {
  /** snake_case, unique: stands in payments, addresses and ledger accounts (`gateway:<name>`). It never changes. */
  readonly name: string;
  /** For the payer: "Card". */
  readonly label: string;
  /** Test gateways collect nothing real; test mode uses only them, live mode only the others. */
  readonly mode: 'test' | 'live';
  /** Empty: all. */
  readonly currencies?: readonly Currency[];
  /** Origins of its pages, `https://pay.example.com`: forms of the checkout page may lead there and nowhere else. */
  readonly origins?: readonly string[];
}

/** Marks a Nest provider class as a gateway. Takes only a class that is one. */
export const TakesPayments =
  (settings: GatewaySettings) =>
  (target: new (...args: never[]) => Gateway): void =>
    Reflect.defineMetadata(TAKES, settings, target);

import type { Team } from '../core/extension/teams';
import { example } from './example/team';
import { vtpass } from './vtpass/team';
import { dtone } from './dtone/team';
import { flutterwave } from './flutterwave/team';
import { monnify } from './monnify/team';
import { paystack } from './paystack/team';
import { reloadly } from './reloadly/team';
import { stripe } from './stripe/team';
import { smileid } from './smileid/team';
import { openexchangerates } from './openexchangerates/team';
import { bridgecard } from './bridgecard/team';

/** What internal teams add to the service: one line per team. `AppModule` adds their modules. */
export const TEAMS: Team[] = [
  example, //
  vtpass,
  dtone,
  flutterwave,
  monnify,
  paystack,
  reloadly,
  stripe,
  smileid,
  openexchangerates,
  bridgecard,
];

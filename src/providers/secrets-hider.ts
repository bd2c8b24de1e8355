import { secretsOfTeams } from '../core/config/env';
import { REDACTED } from '../core/text/redacted';

/** A secret that is shorter would be found in ordinary words. */
const SECRET_CHARS_MIN = 6;

/** Makes what cuts secrets of our settings out of a text: a company may repeat our key, and a fault may name it. */
export function secretsHider(): (text: string) => string {
  const secrets = secretsOfTeams()
    .filter((secret) => secret.length >= SECRET_CHARS_MIN)
    .flatMap(spellingsOf);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, REDACTED), text);
}

/** As they may be written. */
const spellingsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
];

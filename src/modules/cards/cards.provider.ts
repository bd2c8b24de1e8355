import type { CardIssuer } from './issuers.types';

/** Where an issuer class keeps its registration: shared by all copies of this file that one process may have loaded. */
export const ISSUES = Symbol.for('duka:issues-cards');

export interface IssuerOptions {
  /** snake_case, unique: stands in routes, on cards and in calls. */
  readonly name: string;
  /** Test issuers make no real cards; test mode uses only them, live mode only the others. */
  readonly mode: 'test' | 'live';
}

/** Marks a Nest provider class as an issuer of cards. */
export const IssuesCards =
  (options: IssuerOptions) =>
  (target: new (...args: never[]) => CardIssuer): void =>
    Reflect.defineMetadata(ISSUES, options, target);

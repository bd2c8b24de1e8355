import { type DynamicModule, Module } from '@nestjs/common';
import { moduleOf, openTeams, type Team } from '../core/extension/teams';
import { example } from './example/team';

/** What internal teams add to the service: one line per team. */
export const TEAMS: Team[] = [
  example, //
];

@Module({})
export class ExtensionsModule {
  /** Throws `CannotStart` where two teams have declared the same. */
  static register(): DynamicModule {
    openTeams(TEAMS);
    return { module: ExtensionsModule, imports: TEAMS.map(moduleOf) };
  }
}

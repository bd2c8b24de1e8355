import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { hasItsSettings } from '../core/config/env';
import { openTeams, type Team } from '../core/extension/teams';
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
    return { module: ExtensionsModule, imports: TEAMS.map(({ module }) => withoutAbsent(module)) };
  }
}

/** What stands in the providers of the module and lacks its settings is not even made: its place is empty. */
function withoutAbsent(module: Type): DynamicModule {
  const providers = (Reflect.getMetadata('providers', module) as unknown[] | undefined) ?? [];
  const absent = providers.filter((provider) => typeof provider === 'function' && !hasItsSettings(provider));
  return { module, providers: absent.map((provider) => ({ provide: provider as Type, useValue: null })) };
}

import { type DynamicModule, Module } from '@nestjs/common';
import { Env, valuesOf } from './env';
import { Settings } from './settings';

/** Gives every module the checked settings, by their class, and teams theirs, by what `Settings.of` gave them. */
@Module({})
export class ConfigModule {
  /** Throws `InvalidEnvironment` for the settings of teams. */
  static register(env: Env): DynamicModule {
    const ofTeams = Settings.all.map((settings) => ({ provide: settings as never, useValue: valuesOf(settings) }));
    const providers = [{ provide: Env, useValue: env }, ...ofTeams];
    return { module: ConfigModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}

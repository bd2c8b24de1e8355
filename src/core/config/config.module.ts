import { type DynamicModule, Module } from '@nestjs/common';
import { Env } from './env';

/** Gives every module the checked settings, by their class. */
@Module({})
export class ConfigModule {
  static register(env: Env): DynamicModule {
    return { module: ConfigModule, global: true, providers: [{ provide: Env, useValue: env }], exports: [Env] };
  }
}

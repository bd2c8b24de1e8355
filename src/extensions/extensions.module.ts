import { Module } from '@nestjs/common';
import { ExampleModule } from './example/example.module';

/** What internal teams add to the service: one line per team. */
@Module({ imports: [ExampleModule] })
export class ExtensionsModule {}

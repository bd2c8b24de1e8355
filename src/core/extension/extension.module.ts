import { Global, Module } from '@nestjs/common';
import { Extensions } from './extensions';

/** The points at which internal teams extend the service. */
@Global()
@Module({ providers: [Extensions], exports: [Extensions] })
export class ExtensionModule {}

import { Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { Rewinds } from './rewinds';
import { ShownTimes } from './shown-times';
import { Wakers } from './wakers';

@Global()
@Module({ providers: [Clock, Rewinds, ShownTimes, Wakers], exports: [Clock, Rewinds, ShownTimes, Wakers] })
export class ClockModule {}

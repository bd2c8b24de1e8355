import { Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { Wakers } from './wakers';

@Global()
@Module({ providers: [Clock, Wakers], exports: [Clock, Wakers] })
export class ClockModule {}

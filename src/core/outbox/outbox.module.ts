import { Global, Module } from '@nestjs/common';
import { EventEpochs } from './event-epochs';
import { EventLog } from './event-log';

@Global()
@Module({ providers: [EventLog, EventEpochs], exports: [EventLog, EventEpochs] })
export class OutboxModule {}

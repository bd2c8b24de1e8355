import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RequestLog } from './request-log';
import { RetiredCalls } from './retired-calls';

@Global()
@Module({ imports: [DiscoveryModule], providers: [RequestLog, RetiredCalls], exports: [RequestLog, RetiredCalls] })
export class RequestLogModule {}

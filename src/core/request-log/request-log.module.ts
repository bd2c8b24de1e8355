import { Global, Module } from '@nestjs/common';
import { RequestLog } from './request-log';

@Global()
@Module({ providers: [RequestLog], exports: [RequestLog] })
export class RequestLogModule {}

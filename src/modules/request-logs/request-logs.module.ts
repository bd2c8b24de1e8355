import { Module } from '@nestjs/common';
import { RequestLinks } from './request-links';
import { RequestLogService } from './request-log.service';
import { RequestLogsController } from './request-logs.controller';

/** Requests to the public API, as they were kept: for those who look for what went wrong. */
@Module({
  controllers: [RequestLogsController],
  providers: [RequestLogService, RequestLinks],
  exports: [RequestLogService, RequestLinks],
})
export class RequestLogsModule {}

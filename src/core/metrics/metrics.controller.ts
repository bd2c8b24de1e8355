import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../http/route-markers';
import { measureProcess, registry } from './metrics';

@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor() {
    measureProcess();
  }

  @Get()
  @Public()
  @Header('content-type', registry.contentType)
  show(): Promise<string> {
    return registry.metrics();
  }
}

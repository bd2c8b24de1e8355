import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../core/http/route-markers';
import { PROJECT } from '../../core/process/project';

const FILE = join(PROJECT, 'public', 'checkout.css');

/** What checkout pages look like. The same for all of them. */
@Public()
@ApiExcludeController()
@Controller('checkout/style.css')
export class CheckoutStyleController {
  private readonly css = readFileSync(FILE, 'utf8');

  @Get()
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  show(): string {
    return this.css;
  }
}

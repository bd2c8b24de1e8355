import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../core/http/route-markers';

// Sources lie three folders below package.json, the build output four.
const FILE = ['../../..', '../../../..'].map((up) => join(__dirname, up, 'public', 'checkout.css')).find((file) => existsSync(file));

/** What checkout pages look like. The same for all of them. */
@Public()
@ApiExcludeController()
@Controller('checkout/style.css')
export class CheckoutStyleController {
  private readonly css = FILE === undefined ? '' : readFileSync(FILE, 'utf8');

  @Get()
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  show(): string {
    return this.css;
  }
}

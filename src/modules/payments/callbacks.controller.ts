import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { TakesRaw } from '../../core/http/body-parsers';
import { Public } from '../../core/http/route-markers';
import { CallbacksService } from './callbacks.service';
import type { CallbackRequest } from './gateway';

/** Where gateways call. They have no key: their signature over the raw bytes stands for it. */
@Public()
@ApiExcludeController()
@Controller('callbacks')
export class CallbacksController {
  constructor(private readonly callbacks: CallbacksService) {}

  @Post(':gateway')
  @HttpCode(200)
  @TakesRaw()
  async receive(
    @Param('gateway') gateway: string,
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
  ): Promise<{ received: true }> {
    await this.callbacks.receive(gateway, { body: body ?? Buffer.alloc(0), headers: headersOf(request) });
    return { received: true };
  }
}

/** Of a header that came twice nobody can say which one is meant. */
function headersOf({ raw: { rawHeaders } }: FastifyRequest): CallbackRequest['headers'] {
  const headers: Record<string, string | undefined> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    headers[name] = Object.hasOwn(headers, name) ? undefined : rawHeaders[i + 1];
  }
  return headers;
}

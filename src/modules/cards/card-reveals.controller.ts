import { Controller, Get, Header, Param, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../core/config/env';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import { publicUrl } from '../../core/http/public-url';
import { Public, Scope } from '../../core/http/route-markers';
import { CardRevealDto } from './card-reveal.dto';
import { CardReveals } from './card-reveals.service';
import { revealPage } from './reveal-page.batch';

/** Styles stand in the page; nothing else may run, load, or put it into a frame. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

@ApiTags('Cards')
@Controller()
export class CardRevealsController {
  constructor(
    private readonly reveals: CardReveals,
    private readonly env: Env,
  ) {}

  @Post('v4/cards/:id/reveal')
  @Scope('cards:reveal')
  @ApiOperation({
    operationId: 'reveal_card',
    summary: 'Make a link that shows number, expiry and CVV of an active card once, within 60 seconds',
  })
  @ApiCreatedResponse({ type: CardRevealDto, description: 'A new link each time; who asked and who looked is kept.' })
  async create(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<CardRevealDto> {
    return CardRevealDto.of(await this.reveals.create(caller, decodeId('crd', id)), publicUrl(this.env));
  }

  /** The page behind such a link: for people, once. */
  @Get('cards/reveal/:token')
  @Public()
  @Header('content-security-policy', POLICY)
  @Header('referrer-policy', 'no-referrer')
  @Header('x-robots-tag', 'noindex')
  @ApiExcludeEndpoint()
  async show(
    @Param('token') token: string,
    @Req() { method, ip }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.type('text/html; charset=utf-8');
    // Whoever only asks whether there is a page has not read it.
    if (method === 'HEAD') {
      await this.reveals.look(token);
      return '';
    }
    const { card, revealed } = await this.reveals.use(token, ip);
    if (!('url' in revealed)) return revealPage(card, revealed);
    void reply.status(303).header('location', revealed.url);
    return '';
  }
}

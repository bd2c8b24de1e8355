import { Controller, Get, Header, Param, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../../core/config/env';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { decodeId } from '../../../core/http/ids';
import { publicUrl } from '../../../core/http/request-context';
import { NewEachTime, Public, Scope } from '../../../core/http/route-markers';
import { Html, html } from '../../../core/text/html';
import { CardRevealDto } from '../card.dto';
import type { Card } from '../card.entity';
import { CardReveals } from './card-reveals.service';

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
  @NewEachTime()
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

const STYLE = new Html(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;' +
    'color:#1b1b1b;background:#fff}\n' +
    'dt{color:#595959;font-size:.85rem}dd{margin:0 0 1rem;font:1.25rem ui-monospace,monospace}',
);

/** The page that shows a test card. No scripts: there is nothing to steal it with. */
function revealPage(
  { nameOnCard, brand, expMonth, expYear }: Pick<Card, 'nameOnCard' | 'brand' | 'expMonth' | 'expYear'>,
  shown: { number: string; cvv: string },
): string {
  const expiry = `${String(expMonth).padStart(2, '0')}/${expYear}`;
  const rows = [
    ['Number', shown.number.replace(/\d{4}(?=\d)/g, '$& ')],
    ['Expires', expiry],
    ['CVV', shown.cvv],
    ['Name', nameOnCard],
    ['Brand', brand],
  ] as const;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Card details</title><style>${STYLE}</style></head>
<body><h1>Card details</h1><p>Shown once. This page cannot be opened again.</p>
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></body></html>
`.text;
}

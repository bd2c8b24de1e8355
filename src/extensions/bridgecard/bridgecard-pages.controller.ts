import { randomBytes } from 'node:crypto';
import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Of } from '../../core/config/settings';
import { found } from '../../core/errors/domain-error';
import { Public } from '../../core/http/route-markers';
import { BRIDGECARD } from './bridgecard';
import { cardPage, policyOf } from './bridgecard-pages';

/** The page that shows a card: one for all, as what shows it stands in the part of the address that stays there. */
@Public()
@ApiExcludeController()
@Controller('cards/bridgecard')
export class BridgecardPagesController {
  constructor(@Inject(BRIDGECARD) private readonly settings: Of<typeof BRIDGECARD> | null) {}

  @Get()
  @Header('referrer-policy', 'no-referrer')
  @Header('x-robots-tag', 'noindex')
  @Header('cache-control', 'no-store')
  show(@Res({ passthrough: true }) reply: FastifyReply): string {
    const { relayUrl } = found(this.settings, 'page');
    const nonce = randomBytes(18).toString('base64');
    void reply.type('text/html; charset=utf-8').header('content-security-policy', policyOf(nonce, relayUrl));
    return cardPage({ relayUrl, nonce });
  }
}

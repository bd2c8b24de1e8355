import { randomBytes } from 'node:crypto';
import { Body, Controller, Get, Header, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { found } from '../../core/errors/domain-error';
import { TakesRaw } from '../../core/http/body-parsers';
import { Public } from '../../core/http/route-markers';
import { parseJson } from '../../providers/http';
import { isObject } from '../../providers/answers';
import type { Of } from '../../core/config/settings';
import { STRIPE, Stripe } from './stripe';
import { cardOfToken, cardPage, policyOf } from './stripe-pages';

const CALL_TIMEOUT_MS = 10_000;

/** The page that shows a card in Stripe's frames. Who has its address got it from a link that works once. */
@Public()
@ApiExcludeController()
@Controller('cards/stripe')
export class StripePagesController {
  constructor(
    @Inject(STRIPE) private readonly settings: Of<typeof STRIPE> | null,
    @Inject(Stripe) private readonly stripe: Stripe | null,
  ) {}

  @Get(':token')
  @Header('referrer-policy', 'no-referrer')
  @Header('x-robots-tag', 'noindex')
  show(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const card = this.cardOf(token);
    const publishableKey = found(this.settings?.publishableKey, 'page');
    const nonce = randomBytes(18).toString('base64');
    void reply.type('text/html; charset=utf-8').header('content-security-policy', policyOf(nonce));
    return cardPage({ card, publishableKey, exchange: `${token}/key`, nonce });
  }

  /** A nonce of the browser for a key that shows this card in it. */
  @Post(':token/key')
  @HttpCode(200)
  @TakesRaw()
  async exchange(
    @Param('token') token: string,
    @Body() body: Buffer | undefined,
  ): Promise<{ ephemeral_key_secret: string }> {
    const card = this.cardOf(token);
    const told = parseJson((body ?? Buffer.alloc(0)).toString());
    const nonce =
      isObject(told) && typeof told.nonce === 'string' && /^\S{1,500}$/.test(told.nonce) ? told.nonce : null;
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const answer = await this.stripe!.ephemeralKey(card, found(nonce, 'page'), signal);
    const secret = answer.status === 200 && isObject(answer.body) ? answer.body.secret : null;
    return { ephemeral_key_secret: found(typeof secret === 'string' ? secret : null, 'card') };
  }

  private cardOf(token: string): string {
    return found(this.settings && cardOfToken(token, this.settings.key), 'page');
  }
}

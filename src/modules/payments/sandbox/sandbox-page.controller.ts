import { Body, Controller, Get, HttpCode, Param, Post, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { found } from '../../../core/errors/domain-error';
import { TakesForm } from '../../../core/http/body-parsers';
import { Text } from '../../../core/http/fields';
import { seeOther, sendPage } from '../../../core/http/pages';
import { Public } from '../../../core/http/route-markers';
import { CheckoutService } from '../checkout/checkout.service';
import { sandboxPage } from '../checkout/checkout-page';
import { CheckoutFilter } from '../checkout/checkout.controller';
import { SandboxDesk } from './sandbox.provider';

/** Form of the page on which a person plays the gateway. */
export class SandboxOutcomeForm {
  @Text(64)
  outcome: string;
}

/** Stands for the page of a gateway, in test mode only. */
@Public()
@ApiExcludeController()
@UseFilters(CheckoutFilter)
@Controller('checkout/:token/sandbox')
export class SandboxPageController {
  constructor(
    private readonly checkout: CheckoutService,
    private readonly desk: SandboxDesk,
  ) {}

  @Get()
  async show(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const key = this.testKeyOf(token);
    const checkout = await this.checkout.view(key);
    const chosen = checkout.choices.find(({ name }) => name === checkout.payment.gateway);
    // Nothing is left to be decided by the payer: the page itself says how the payment stands.
    if (chosen === undefined || !['pending', 'processing'].includes(checkout.payment.status))
      return seeOther(reply, checkout.path);
    sendPage(reply, sandboxPage(checkout, chosen.label, this.desk.outcomes), {
      formOrigins: this.checkout.originsOf(checkout),
    });
  }

  @Post()
  @HttpCode(200)
  @TakesForm()
  async decide(
    @Param('token') token: string,
    @Body() { outcome }: SandboxOutcomeForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = this.testKeyOf(token);
    const { outcome: known } = found(
      this.desk.outcomes.find((one) => one.outcome === outcome),
      'outcome',
    );
    const { payment } = await this.checkout.view(key);
    if (['pending', 'processing'].includes(payment.status)) await this.desk.complete(key, known);
    seeOther(reply, `${this.checkout.pathOf(key)}/return`);
  }

  private testKeyOf(token: string) {
    const key = this.checkout.keyOf(token);
    return found(key.livemode ? null : key, 'payment');
  }
}

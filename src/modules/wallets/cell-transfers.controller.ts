import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Forwarding } from '../../core/cells/forwarding';
import { TakesRaw } from '../../core/http/body-parsers';
import { Public, Unlimited } from '../../core/http/route-markers';
import { CellCredits, type CreditOrder, type CreditOutcome, type Payee } from './cell-credits.service';

/** Where other cells ask. They have no key: the seal of what they say, which covers the body, stands for it. */
@Public()
@Unlimited()
@ApiExcludeController()
@Controller('cells')
export class CellTransfersController {
  constructor(
    private readonly forwarding: Forwarding,
    private readonly credits: CellCredits,
  ) {}

  @Post('payees')
  @HttpCode(200)
  @TakesRaw()
  async payee(@Req() request: FastifyRequest, @Body() body: Buffer): Promise<{ payee: Payee | null }> {
    const { walletId } = this.forwarding.askedOf(request, body) as { walletId: string };
    return { payee: await this.credits.find(walletId) };
  }

  @Post('credits')
  @HttpCode(200)
  @TakesRaw()
  async credit(@Req() request: FastifyRequest, @Body() body: Buffer): Promise<CreditOutcome> {
    const order = this.forwarding.askedOf(request, body) as Omit<CreditOrder, 'amount'> & { amount: string };
    return this.credits.credit({ ...order, amount: BigInt(order.amount) });
  }
}

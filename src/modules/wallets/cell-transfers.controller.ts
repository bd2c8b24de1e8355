import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Forwarding } from '../../core/cells/forwarding';
import { digestOf } from '../../core/cells/hop';
import { NotFound } from '../../core/errors/domain-error';
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
    const { walletId } = this.read(request, body) as { walletId: string };
    return { payee: await this.credits.find(walletId) };
  }

  @Post('credits')
  @HttpCode(200)
  @TakesRaw()
  async credit(@Req() request: FastifyRequest, @Body() body: Buffer): Promise<CreditOutcome> {
    const order = this.read(request, body) as Omit<CreditOrder, 'amount'> & { amount: string };
    return this.credits.credit({ ...order, amount: BigInt(order.amount) });
  }

  /** Nobody else is told that there is anything here. */
  private read(request: FastifyRequest, body: Buffer): unknown {
    const hop = this.forwarding.hopOf(request);
    if (hop?.kind !== 'ask' || !Buffer.isBuffer(body) || hop.digest !== digestOf(body)) throw new NotFound('address');
    return JSON.parse(body.toString());
  }
}

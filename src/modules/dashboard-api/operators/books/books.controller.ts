import { Controller, Get, HttpCode, Ip, Post, Query } from '@nestjs/common';
import { Verifications } from '../../../ledger/verifications';
import { Me, Needs } from '../../people/sessions.guard';
import type { SignedIn } from '../../people/sessions.service';
import { BooksDto, PositionsDto, PositionsQuery, VerificationDto, VerificationsDto } from './books.dto';
import { BooksService } from './books.service';

const VERIFICATIONS_SHOWN = 20;

/** The books of the platform, for operators. */
@Needs('operator')
@Controller('dashboard/api/operators/books')
export class BooksController {
  constructor(
    private readonly books: BooksService,
    private readonly verifications: Verifications,
  ) {}

  @Get()
  async show(): Promise<BooksDto> {
    const [sums, seal] = await Promise.all([this.books.sums(), this.books.seal()]);
    return BooksDto.of(sums, seal);
  }

  @Get('positions')
  async positions(@Me() me: SignedIn, @Query() query: PositionsQuery): Promise<PositionsDto> {
    const { livemode, in: target } = query;
    const [positions, rates] = await Promise.all([
      this.books.positions(me, livemode, target),
      this.books.listRates(livemode),
    ]);
    return PositionsDto.of(query, positions, rates);
  }

  /** Runs of `verify:ledger`, those at the command line included. */
  @Get('verifications')
  async listVerifications(): Promise<VerificationsDto> {
    return { data: (await this.verifications.list(VERIFICATIONS_SHOWN)).map(VerificationDto.of) };
  }

  /** Has a worker run it. */
  @Post('verifications')
  @HttpCode(204)
  async verify(@Me() me: SignedIn, @Ip() ip: string): Promise<void> {
    await this.books.verify(me, ip);
  }
}

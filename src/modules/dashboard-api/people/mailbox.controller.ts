import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '../../../core/errors/domain-error';
import { Public } from '../../../core/http/route-markers';
import { isMeantForThisMachine } from '../../../core/http/this-machine';
import { MailsService } from '../../../core/mail/mails.service';
import { KeptMailDto, MailboxDto } from './people.dto';

/**
 * What would have been sent, for whoever tries the service on their own machine. Its links let people in: so it is not
 * there for others, behind a proxy, where mail is sent, or where anybody has real money.
 */
@Public()
@Controller('dashboard/api/mailbox')
export class MailboxController {
  constructor(private readonly mails: MailsService) {}

  @Get()
  async list(@Req() request: FastifyRequest): Promise<MailboxDto> {
    if (!isMeantForThisMachine(request) || (await this.mails.way()) !== 'mailbox') throw new NotFound('address');
    return { data: (await this.mails.listKept()).map(KeptMailDto.of) };
  }
}

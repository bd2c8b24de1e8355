import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Forwarding } from '../../../core/cells/forwarding';
import { NotFound } from '../../../core/errors/domain-error';
import { TakesRaw } from '../../../core/http/body-parsers';
import { Public, Unlimited } from '../../../core/http/route-markers';
import { AuditService } from '../audit.service';
import { PeopleService } from '../people.service';
import type { Question } from './other-cells.service';
import { SessionsService } from './sessions.service';

type Answers = Readonly<Record<Question, (asked: never) => Promise<unknown>>>;

/**
 * Where other cells ask about the people of accounts that are kept here. What they ask may come twice, or be sent again
 * by somebody who saw it: it takes effect once, and holds no token that opens anything.
 */
@Public()
@Unlimited()
@ApiExcludeController()
@Controller('cells/people')
export class CellPeopleController {
  private readonly answers: Answers;

  constructor(
    private readonly forwarding: Forwarding,
    people: PeopleService,
    sessions: SessionsService,
    audit: AuditService,
  ) {
    this.answers = {
      memberships: ({ userId }: { userId: string }) => people.membershipsHere(userId),
      'open-account': (asked: Parameters<PeopleService['openAccountHere']>[0]) => people.openAccountHere(asked),
      'find-invitation': ({ hash }: { hash: string }) => people.findInvitationHere(Buffer.from(hash, 'hex')),
      join: (asked: Parameters<PeopleService['joinHere']>[0]) => people.joinHere(asked),
      'begin-session': (asked: Parameters<SessionsService['beginHere']>[0]) => sessions.beginHere(asked),
      'end-session': (asked: Parameters<SessionsService['endHere']>[0]) => sessions.endHere(asked),
      'end-token': ({ hash }: { hash: string }) => sessions.endTokenHere(Buffer.from(hash, 'hex')),
      'renew-session': (asked: Parameters<SessionsService['renewHere']>[0]) => sessions.renewHere(asked),
      'step-up': (asked: Parameters<SessionsService['stepUpHere']>[0]) => sessions.stepUpHere(asked),
      record: (entry: Parameters<AuditService['recordHere']>[0]) => audit.recordHere(entry),
      'record-of-person': (asked: Parameters<AuditService['recordOfHere']>[0]) => audit.recordOfHere(asked),
    };
  }

  @Post(':question')
  @HttpCode(200)
  @TakesRaw()
  async answer(
    @Req() request: FastifyRequest,
    @Param('question') question: string,
    @Body() body: Buffer,
  ): Promise<object> {
    const asked = this.forwarding.askedOf(request, body) as never;
    if (!Object.hasOwn(this.answers, question)) throw new NotFound('address');
    return { answer: (await this.answers[question as Question](asked)) ?? null };
  }
}

import { Body, Controller, Get, HttpCode, Ip, Param, Post } from '@nestjs/common';
import { decodeId } from '../../../core/http/ids';
import { InControlCell } from '../../../core/http/route-markers';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { OpenIncidentDto, ToldIncidentDto, ToldIncidentsDto, UpdateIncidentDto } from './incidents.dto';
import { IncidentsService } from './incidents.service';

const DAY_MS = 24 * 3_600_000;
const SHOWN_DAYS = 365;

/** Operators tell partners what does not work, and that it does again. */
@Needs('operator')
@Controller('dashboard/api/operators/incidents')
export class IncidentsController {
  constructor(private readonly incidents: IncidentsService) {}

  @Get()
  async list(): Promise<ToldIncidentsDto> {
    const from = new Date(Date.now() - SHOWN_DAYS * DAY_MS);
    return { data: (await this.incidents.listSince(from)).map(ToldIncidentDto.told) };
  }

  @Get(':id')
  async get(@Param('id') id: string): Promise<ToldIncidentDto> {
    return ToldIncidentDto.told(await this.incidents.require(decodeId('inc', id)));
  }

  @Post()
  @InControlCell('person')
  async open(@Me() me: SignedIn, @Body() body: OpenIncidentDto, @Ip() ip: string): Promise<ToldIncidentDto> {
    return ToldIncidentDto.told(await this.incidents.open(me, OpenIncidentDto.newOf(body), ip));
  }

  /** Adds to what was said. */
  @Post(':id/updates')
  @InControlCell('person')
  @HttpCode(200)
  async update(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() { state, note }: UpdateIncidentDto,
    @Ip() ip: string,
  ): Promise<ToldIncidentDto> {
    return ToldIncidentDto.told(await this.incidents.update(me, decodeId('inc', id), { state, note }, ip));
  }
}

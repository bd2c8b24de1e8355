import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../../../core/http/pages';
import { Public } from '../../../core/http/route-markers';
import { PROJECT } from '../../../core/process/project';
import { IncidentDto } from './incidents.dto';
import { IncidentsService } from './incidents.service';
import { statusPage } from './status-page';

const DAYS = 90;
const DAY_MS = 24 * 3_600_000;
/** Short enough for an incident that begins, long enough for the many who look then. */
const CACHED = 'public, max-age=30, stale-while-revalidate=60';

const FILE = join(PROJECT, 'public', 'status.css');

/** Whether the platform works, for everybody: what operators wrote of it, and nothing else. */
@Public()
@ApiExcludeController()
@Controller()
export class StatusController {
  private readonly css = readFileSync(FILE, 'utf8');

  constructor(private readonly incidents: IncidentsService) {}

  @Get('status')
  async show(@Res() reply: FastifyReply): Promise<void> {
    const incidents = await this.list();
    void reply.header('cache-control', CACHED);
    sendPage(reply, statusPage(incidents, DAYS));
  }

  @Get('status.json')
  @Header('cache-control', CACHED)
  @Header('access-control-allow-origin', '*')
  async tell(): Promise<object> {
    const data = (await this.list()).map(IncidentDto.of);
    const open = data.filter(({ ended_at }) => ended_at === null).length;
    return { object: 'status', works: open === 0, open_incidents: open, days: DAYS, data };
  }

  @Get('status/style.css')
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  style(): string {
    return this.css;
  }

  private list() {
    return this.incidents.listSince(new Date(Date.now() - DAYS * DAY_MS));
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { FindQuery, SearchAnswerDto } from './search.dto';
import { SearchService } from './search.service';

/** One search over everything that an account has. */
@Needs('search')
@Controller('dashboard/api/search')
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get()
  async find(@Me() me: SignedIn, @Query() { mode, q, type }: FindQuery): Promise<SearchAnswerDto> {
    const answer = await this.search.find(me, mode, q.trim(), type);
    return answer.data.length > 0 ? answer : { ...answer, data: await this.search.ofOtherMode(me, mode, q.trim()) };
  }
}

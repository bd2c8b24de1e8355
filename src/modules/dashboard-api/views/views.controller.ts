import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put, Query } from '@nestjs/common';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { ChangeViewDto, SavedViewDto, SavedViewsDto, SaveViewDto, ViewsQuery } from './view.dto';
import { ViewsService } from './views.service';

/** Filters of lists that people gave a name. */
@Needs('self')
@Controller('dashboard/api/views')
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  @Get()
  async list(@Me() me: SignedIn, @Query() { page }: ViewsQuery): Promise<SavedViewsDto> {
    return { data: (await this.views.list(me, page)).map(SavedViewDto.of) };
  }

  @Put()
  async save(@Me() me: SignedIn, @Body() body: SaveViewDto): Promise<SavedViewDto> {
    return SavedViewDto.of(await this.views.save(me, body));
  }

  @Patch(':id')
  async change(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Body() { name, shared }: ChangeViewDto,
  ): Promise<SavedViewDto> {
    return SavedViewDto.of(await this.views.change(me, id, { name: name ?? undefined, shared: shared ?? undefined }));
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Me() me: SignedIn, @Param('id') id: string): Promise<void> {
    await this.views.remove(me, id);
  }
}

import { ApiProperty } from '@nestjs/swagger';
import { Flag, Label, OneOf, Text } from '../../../core/http/fields';
import type { SavedView } from './views.service';

/** The lists that have views. */
const PAGES = ['transactions'] as const;
type Page = (typeof PAGES)[number];

const SEARCH_MAX = 2_000;

export class ViewsQuery {
  @OneOf(PAGES)
  page: Page;
}

export class SaveViewDto {
  @OneOf(PAGES)
  page: Page;

  @Label()
  name: string;

  /** Of the address, without the question mark. */
  @Text(SEARCH_MAX)
  search: string;

  @Flag()
  shared: boolean;
}

export class ChangeViewDto {
  @Label({ optional: true })
  name?: string | null;

  @Flag({ optional: true })
  shared?: boolean | null;
}

export class SavedViewDto {
  id: string;
  @ApiProperty({ enum: PAGES })
  page: Page;
  name: string;
  search: string;
  shared: boolean;
  /** One's own; others are only looked at. */
  mine: boolean;
  /** The name of whose it is. */
  by: string;

  static of(this: void, { id, page, name, search, shared, isMine, by }: SavedView): SavedViewDto {
    return { id, page: page as Page, name, search, shared, mine: isMine, by };
  }
}

export class SavedViewsDto {
  data: SavedViewDto[];
}

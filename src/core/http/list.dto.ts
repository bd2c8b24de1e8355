import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { List } from './pages';

/** The OpenAPI schema of one page of `item`s, under the name `<Item>List`. */
export function ListOf<T extends object>(item: Type<T>): Type<List<T>> {
  class ListDto implements List<T> {
    @ApiProperty({ enum: ['list'] })
    object: 'list';

    @ApiProperty({ type: [item], maxItems: 100 })
    data: T[];

    @ApiProperty({ description: 'There are more rows behind the last one.' })
    has_more: boolean;

    @ApiProperty({
      type: String,
      nullable: true,
      maxLength: 512,
      description: 'The `cursor` of the next page; null on the last.',
    })
    next_cursor: string | null;
  }
  Object.defineProperty(ListDto, 'name', { value: item.name.replace(/Dto$/, 'ListDto') });
  return ListDto;
}

import { applyDecorators } from '@nestjs/common';
import { ReadWith } from '../../core/http/dto';
import { Flag } from '../../core/http/fields';
import { PageQuery } from '../../core/http/query-fields';

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** `livemode=true|false` in a query string; test mode without it. */
const Livemode = () =>
  applyDecorators(
    ReadWith((value) => WORDS[String(value)] ?? value),
    Flag({ optional: true }),
  );

export class ModeQuery {
  @Livemode()
  livemode: boolean = false;
}

export class ModePageQuery extends PageQuery {
  @Livemode()
  livemode: boolean = false;
}

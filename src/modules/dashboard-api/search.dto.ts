import { Text } from '../../core/http/fields';
import { ModeQuery } from './mode.dto';

export class SearchQuery extends ModeQuery {
  @Text(128)
  q: string;
}

import { ApiProperty } from '@nestjs/swagger';
import { field, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { DateTime } from '../../../core/http/query-fields';
import { ROUTED_PRODUCTS } from '../../../vocabulary/products';
import { type Incident, INCIDENT_STATES, type IncidentState, type NewIncident } from './incidents.service';

const TITLE_MAX = 120;
const NOTE_MAX = 2_000;
const WORDS_MAX = 20;
const WORD_MAX = 64;

const isProducts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= WORDS_MAX &&
  value.every((one) => (ROUTED_PRODUCTS as readonly unknown[]).includes(one));

const isNetworks = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= WORDS_MAX &&
  value.every((one) => typeof one === 'string' && /^[\p{L}\p{N} ._-]+$/u.test(one) && one.length <= WORD_MAX);

export class OpenIncidentDto {
  @Text(TITLE_MAX)
  title: string;

  /** What partners read: what does not work, and what they can do. */
  @Text(NOTE_MAX)
  note: string;

  @OneOf(INCIDENT_STATES.filter((state) => state !== 'resolved'))
  state: IncidentState;

  /** Absent: all. */
  @field(
    { type: 'array', items: { type: 'string', enum: [...ROUTED_PRODUCTS] } } as never,
    [{ name: 'products', says: `must be a list of products: ${ROUTED_PRODUCTS.join(', ')}`, holds: isProducts }],
    { optional: true },
  )
  products?: string[];

  @field(
    { type: 'array', items: { type: 'string' } } as never,
    [{ name: 'networks', says: `must be a list of up to ${WORDS_MAX} names`, holds: isNetworks }],
    { optional: true },
  )
  networks?: string[];

  /** Absent: now. */
  @DateTime({ optional: true })
  started_at?: Date | null;

  static newOf(this: void, { products, networks, started_at: startedAt, ...said }: OpenIncidentDto): NewIncident {
    return { ...said, products: products ?? [], networks: networks ?? [], startedAt: startedAt ?? null };
  }
}

export class UpdateIncidentDto {
  @Text(NOTE_MAX)
  note: string;

  /** `resolved` ends it. */
  @OneOf(INCIDENT_STATES)
  state: IncidentState;
}

export class IncidentUpdateDto {
  @ApiProperty({ enum: INCIDENT_STATES })
  state: IncidentState;
  note: string;
  at: Date;
}

/** As everybody may read it: nobody's name. */
export class IncidentDto {
  id: string;
  title: string;
  @ApiProperty({ enum: INCIDENT_STATES })
  state: IncidentState;
  /** Empty: all. */
  products: string[];
  networks: string[];
  started_at: Date;
  /** Null: it goes on. */
  ended_at: Date | null;
  updated_at: Date;
  /** Newest first. */
  updates: IncidentUpdateDto[];

  static of(this: void, { id, title, products, networks, startedAt, endedAt, updates }: Incident): IncidentDto {
    const [last] = updates;
    return {
      id: encodeId('inc', id),
      title,
      state: last!.state,
      products: [...products],
      networks: [...networks],
      started_at: startedAt,
      ended_at: endedAt,
      updated_at: timeOf(last!.id),
      updates: updates.map(({ id: updateId, state, note }) => ({ state, note, at: timeOf(updateId) })),
    };
  }
}

/** With who said what. */
export class ToldIncidentDto extends IncidentDto {
  /** E-mail addresses of operators, of each update. */
  people: string[];

  static told(this: void, incident: Incident): ToldIncidentDto {
    return { ...IncidentDto.of(incident), people: incident.updates.map(({ person }) => person) };
  }
}

export class ToldIncidentsDto {
  data: ToldIncidentDto[];
}

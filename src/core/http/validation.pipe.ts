import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { DomainError, type FieldError } from '../errors/domain-error';
import { DtoShape, STRANGE } from './dto';
import { withPairs } from './query-fields';

/**
 * The request does not have the form that the route asks for. Carries every fault (the first 100); its code and field
 * are those of the first.
 */
export class InvalidRequest extends DomainError {
  constructor(faults: readonly FieldError[]) {
    const errors = faults.slice(0, FAULTS_MAX);
    const first = errors[0]!;
    super({
      code: first.code,
      kind: 'malformed',
      title: TITLES[first.code] ?? 'Invalid request',
      detail: first.detail,
      param: first.param,
      errors,
    });
  }
}

const TITLES: Readonly<Record<string, string>> = {
  unknown_field: 'Unknown field',
  amount_not_integer: 'Amount is not a whole number',
  amount_out_of_range: 'Amount is out of range',
  invalid_cursor: 'Invalid cursor',
};

/** A body of 64 KiB has room for thousands of unknown fields; the answer to it has not. */
const FAULTS_MAX = 100;

/**
 * Global pipe: turns a body or a query string into its DTO, or refuses it with all its faults at once.
 */
export class ValidationPipe implements PipeTransform {
  private readonly shapes = new Map<Type<object>, DtoShape>();

  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type === 'custom' || metatype === undefined) return value;
    const shape = this.shapeOf(metatype as Type<object>);
    // A type without rules (`string`, `Object`) is no DTO.
    if (shape.names.size === 0) return value;
    const sent = (value ?? {}) as object;
    const given = type === 'query' && shape.names.has('metadata') ? withPairs(sent) : sent;
    const unknown = Object.keys(given).filter((name) => !shape.names.has(name));
    const dto = shape.read(given);
    const errors = shape.faults(dto);
    if (unknown.length === 0 && errors.length === 0) return dto;
    const faults = [
      ...unknown.map((name) => unknownField(pointer(name))),
      ...errors.flatMap((error) => faultsOf(error, '')),
    ];
    throw new InvalidRequest(specificFirst(faults));
  }

  private shapeOf(dto: Type<object>): DtoShape {
    const shape = this.shapes.get(dto) ?? new DtoShape(dto);
    this.shapes.set(dto, shape);
    return shape;
  }
}

export const unknownField = (param: string): FieldError => ({
  param,
  code: 'unknown_field',
  detail: `${param} is not a field of this request.`,
});

/** What class-validator says of what must be an object and is none: the rule of the field says it, too. */
const OF_NO_OBJECT = new Set(['nestedValidation', 'unknownValue']);

/** The first rule that a field breaks speaks for it: the others follow from it. */
function faultsOf(
  { property, constraints = {}, contexts, children = [] }: ValidationError,
  parent: string,
): FieldError[] {
  const param = parent + pointer(property);
  const nested = children.flatMap((child) => faultsOf(child, param));
  const [broken] = Object.entries(constraints);
  if (broken === undefined) return nested;
  const [rule, detail] = broken;
  if (rule === 'whitelistValidation') return [unknownField(parent + pointer(property.slice(STRANGE.length)))];
  if (OF_NO_OBJECT.has(rule)) return nested;
  const code = (contexts?.[rule] as { code?: string } | undefined)?.code ?? 'validation_failed';
  return [{ param, code, detail: `${detail}.` }, ...nested];
}

/** `amount_not_integer` says more than `validation_failed`: it becomes the code of the whole answer. */
const specificFirst = (faults: FieldError[]): FieldError[] =>
  faults.sort((a, b) => Number(a.code === 'validation_failed') - Number(b.code === 'validation_failed'));

/** Longer than the name of any field: no more of a client's own words comes back to it. */
const NAME_MAX = 60;

/** A key as one step of a JSON pointer (RFC 6901), shortened and printable: `a/b` → `/a~1b`. */
export function pointer(key: string | number): string {
  const name = String(key).slice(0, NAME_MAX).toWellFormed().replaceAll('\0', '\ufffd');
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

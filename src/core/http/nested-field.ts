import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, isObject, IsOptional, ValidateBy, ValidateNested } from 'class-validator';
import { DtoShape, ReadWith } from './dto';
import type { FieldOptions } from './fields';

/** A field that is an object with fields of its own: those of `type`, a class like that of a body. */
export function Nested(type: () => Type<object>, { optional = false, ...shown }: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    // By its name swagger knows a function that gives a class from a class.
    ApiProperty({ type: () => type(), ...shown, required: !optional }),
    optional ? IsOptional() : IsDefined({ message: '$property is required' }),
    ReadWith((value) => (isObject<object>(value) ? instanceOf(type(), value) : value)),
    ValidateBy({
      name: 'object',
      validator: { validate: (value) => isObject(value), defaultMessage: () => '$property must be an object' },
    }),
    ValidateNested(),
  );
}

/** With the fields that the class does not know, too: they are for the rule that refuses them. */
function instanceOf(type: Type<object>, given: object): object {
  const shape = new DtoShape(type);
  const dto = shape.read(given);
  const strange = Object.entries(given).filter(([name]) => !shape.names.has(name));
  for (const [name, value] of strange) Object.defineProperty(dto, name, { value, enumerable: true });
  return dto;
}

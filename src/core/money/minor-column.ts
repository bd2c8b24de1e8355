import { Column, type ColumnOptions } from 'typeorm';

const transformer = {
  from: (stored: string | null): bigint | null => (stored === null ? null : BigInt(stored)),
  to: (amount: bigint | null): string | null => (amount === null || amount === undefined ? null : amount.toString()),
};

/** A column of minor units: `bigint` in the table and in code, never a float. */
export const MinorColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ ...options, type: 'bigint', transformer });

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Hooks1763000000011 implements MigrationInterface {
  async up(_db: QueryRunner): Promise<void> {}

  async down(_db: QueryRunner): Promise<void> {}
}
